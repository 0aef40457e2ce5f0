/// The result of a save that did not throw.
enum SaveOutcome {
    /// The record was saved, or did not change.
    case saved
    /// Its validation or the service rejected the record.
    case invalid(ResourceErrors)
    /// A callback cancelled the save.
    case cancelled
    /// The save failed with an error that a `rescue` handler handled.
    case handled(ResourceError)
}

extension RecordKind {
    nonisolated(nonsending) func save(
        _ record: inout Record, validates: Bool = true
    ) async throws(ResourceError) -> Bool {
        if case .saved = try await outcome(ofSaving: &record, validates: validates) { true } else { false }
    }

    nonisolated(nonsending) func saveOrThrow(_ record: inout Record) async throws(ResourceError) {
        switch try await outcome(ofSaving: &record, validates: true) {
        case .saved: return
        case .invalid(let errors):
            throw ResourceError(.invalid, "\(endpoint.elementName) is invalid: \(errors)", errors: errors)
        case .cancelled: throw ResourceError(.callbackCancelled, "a callback cancelled the save")
        case .handled(let error): throw error
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
        renew(&record)
        try assign(attributes, to: &record)
        return record
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
