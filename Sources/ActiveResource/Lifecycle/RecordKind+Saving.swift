/// The result of a save that did not throw.
enum SaveOutcome {
    /// The record was saved, or did not change.
    case saved
    /// Its validation or the service rejected the record, for the reasons in `errors`.
    case invalid(ResourceError)
    /// A callback cancelled the save.
    case cancelled
    /// The save failed with an error that a `rescue` handler handled.
    case handled(ResourceError)
}

extension RecordKind {
    nonisolated(nonsending) func outcome(
        ofSaving record: inout Record, validates: Bool
    ) async throws(ResourceError) -> SaveOutcome {
        switch try prepareSave(&record, validates: validates) {
        case .done(let outcome): return outcome
        case .send(let plan):
            let outcome: Result<RESTResponse, ResourceError>
            do throws(ResourceError) {
                outcome = .success(try await endpoint.send(plan.request))
            } catch { outcome = .failure(error) }
            return try finishSave(&record, plan, outcome)
        }
    }

    nonisolated(nonsending) func save(
        _ record: inout Record, validates: Bool = true
    ) async throws(ResourceError) -> Bool {
        if case .saved = try await outcome(ofSaving: &record, validates: validates) { true } else { false }
    }

    nonisolated(nonsending) func saveOrThrow(_ record: inout Record) async throws(ResourceError) {
        switch try await outcome(ofSaving: &record, validates: true) {
        case .saved: return
        case .cancelled: throw ResourceError(.callbackCancelled, "a callback cancelled the save")
        case .invalid(let error), .handled(let error): throw error
        }
    }

    nonisolated(nonsending) func saved(_ record: Record) async throws(ResourceError) -> Record {
        var copy = record
        try await saveOrThrow(&copy)
        return copy
    }

    nonisolated(nonsending) func createRecord(_ record: Record) async throws(ResourceError) -> Record {
        var copy = record
        _ = try await save(&copy)
        return copy
    }

    nonisolated(nonsending) func build(
        _ attributes: [String: JSON], _ prefix: [String: String]
    ) async throws(ResourceError) -> Record {
        let endpoint = endpoint
        let request = endpoint.request(.get, try endpoint.newElementPath(prefix: prefix))
        let response = try await endpoint.send(request)
        var record = try record(of: response, to: request, prefix: prefix, acceptsEmpty: true)
        record[keyPath: state].isPersisted = false
        try assign(attributes, to: &record)
        return record
    }

    nonisolated(nonsending) func reload(_ record: inout Record) async throws(ResourceError) {
        let endpoint = endpoint
        let request = try endpoint.findRequest(id(of: record), record[keyPath: state].prefixOptions)
        guard let ends = try callbacks.begin(.reload, &record) else { return }
        do throws(ResourceError) {
            let response = try await endpoint.send(request)
            guard response.hasRecord else {
                throw ResourceError(
                    .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
            }
            try load(response, to: request, into: &record)
        } catch { return try callbacks.handle(error, &record) }
        try callbacks.end(ends, &record)
    }

    nonisolated(nonsending) func destroy(_ record: Record) async throws(ResourceError) -> RESTResponse? {
        let endpoint = endpoint
        let path = try endpoint.elementPath(id(of: record), prefix: record[keyPath: state].prefixOptions)
        let request = endpoint.request(.delete, path)
        var changed = record
        guard let ends = try callbacks.begin(.destroy, &changed) else { return nil }
        let response: RESTResponse
        do throws(ResourceError) { response = try await endpoint.send(request) } catch {
            try callbacks.handle(error, &changed)
            return nil
        }
        unregister(record)
        try callbacks.end(ends, &changed)
        return response
    }

    nonisolated(nonsending) func delete(
        _ id: some ResourceID, _ prefix: [String: String], _ query: FormValue
    ) async throws(ResourceError) -> RESTResponse {
        let endpoint = endpoint
        let path = try endpoint.elementPath(id, prefix: prefix, query: query)
        let response = try await endpoint.send(endpoint.request(.delete, path))
        unregister(id, prefix: prefix)
        return response
    }
}
