// Written by scripts/generate-resource-calls; do not edit.

extension RecordKind {
    @available(*, noasync, message: "outcomeSync blocks the thread; use `await outcome()`")
    func outcomeSync(
        ofSaving record: inout Record, validates: Bool
    ) throws(ResourceError) -> SaveOutcome {
        switch try prepareSave(&record, validates: validates) {
        case .done(let outcome): return outcome
        case .send(let plan):
            let outcome: Result<RESTResponse, ResourceError>
            do throws(ResourceError) {
                outcome = .success(try endpoint.sendSync(plan.request))
            } catch { outcome = .failure(error) }
            return try finishSave(&record, plan, outcome)
        }
    }

    @available(*, noasync, message: "saveSync blocks the thread; use `await save()`")
    func saveSync(
        _ record: inout Record, validates: Bool = true
    ) throws(ResourceError) -> Bool {
        if case .saved = try outcomeSync(ofSaving: &record, validates: validates) { true } else { false }
    }

    @available(*, noasync, message: "saveOrThrowSync blocks the thread; use `await saveOrThrow()`")
    func saveOrThrowSync(_ record: inout Record) throws(ResourceError) {
        switch try outcomeSync(ofSaving: &record, validates: true) {
        case .saved: return
        case .cancelled: throw ResourceError(.callbackCancelled, "a callback cancelled the save")
        case .invalid(let error), .handled(let error): throw error
        }
    }

    @available(*, noasync, message: "savedSync blocks the thread; use `await saved()`")
    func savedSync(_ record: Record) throws(ResourceError) -> Record {
        var copy = record
        try saveOrThrowSync(&copy)
        return copy
    }

    @available(*, noasync, message: "createRecordSync blocks the thread; use `await createRecord()`")
    func createRecordSync(_ record: Record) throws(ResourceError) -> Record {
        var copy = record
        _ = try saveSync(&copy)
        return copy
    }

    @available(*, noasync, message: "buildSync blocks the thread; use `await build()`")
    func buildSync(
        _ attributes: [String: JSON], _ prefix: [String: String]
    ) throws(ResourceError) -> Record {
        let endpoint = endpoint
        let request = endpoint.request(.get, try endpoint.newElementPath(prefix: prefix))
        let response = try endpoint.sendSync(request)
        var record = try record(of: response, to: request, prefix: prefix, acceptsEmpty: true)
        record[keyPath: state].isPersisted = false
        try assign(attributes, to: &record)
        return record
    }

    @available(*, noasync, message: "reloadSync blocks the thread; use `await reload()`")
    func reloadSync(_ record: inout Record) throws(ResourceError) {
        let endpoint = endpoint
        let request = try endpoint.findRequest(id(of: record), record[keyPath: state].prefixOptions)
        guard let ends = try callbacks.begin(.reload, &record) else { return }
        do throws(ResourceError) {
            let response = try endpoint.sendSync(request)
            guard response.hasRecord else {
                throw ResourceError(
                    .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
            }
            try load(response, to: request, into: &record)
        } catch { return try callbacks.handle(error, &record) }
        try callbacks.end(ends, &record)
    }

    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    func destroySync(_ record: Record) throws(ResourceError) -> RESTResponse? {
        let endpoint = endpoint
        let path = try endpoint.elementPath(id(of: record), prefix: record[keyPath: state].prefixOptions)
        let request = endpoint.request(.delete, path)
        var changed = record
        guard let ends = try callbacks.begin(.destroy, &changed) else { return nil }
        let response: RESTResponse
        do throws(ResourceError) { response = try endpoint.sendSync(request) } catch {
            try callbacks.handle(error, &changed)
            return nil
        }
        unregister(record)
        try callbacks.end(ends, &changed)
        return response
    }

    @available(*, noasync, message: "deleteSync blocks the thread; use `await delete()`")
    func deleteSync(
        _ id: some ResourceID, _ prefix: [String: String], _ query: FormValue
    ) throws(ResourceError) -> RESTResponse {
        let endpoint = endpoint
        let path = try endpoint.elementPath(id, prefix: prefix, query: query)
        let response = try endpoint.sendSync(endpoint.request(.delete, path))
        unregister(id, prefix: prefix)
        return response
    }
}
