// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResourceType {
    @available(*, noasync, message: "outcomeSync blocks the thread; use `await outcome()`")
    func outcomeSync(
        ofSaving record: inout DynamicResource, validates: Bool
    ) throws(ResourceError) -> SaveOutcome {
        record.resource.errors = ResourceErrors()
        guard let request = try saveRequest(of: record) else { return .saved }
        do throws(ResourceError) {
            try record.accept(try endpoint.sendSync(request), to: request)
            return .saved
        } catch {
            guard error.kind == .invalid else { throw error }
            let names = record.knownAttributes
            let errors = try endpoint.problems(of: error) { ResourceErrors($0, attributes: names) }
            record.resource.errors = errors
            return .invalid(errors)
        }
    }

    @available(*, noasync, message: "reloadSync blocks the thread; use `await reload()`")
    func reloadSync(_ record: inout DynamicResource) throws(ResourceError) {
        let request = try endpoint.findRequest(record.id, record.resource.prefixOptions)
        let response = try endpoint.sendSync(request)
        guard response.hasRecord else {
            throw ResourceError(
                .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
        }
        try record.load(response, to: request)
    }

    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    func destroySync(_ record: DynamicResource) throws(ResourceError) -> RESTResponse? {
        let path = try endpoint.elementPath(record.id, prefix: record.resource.prefixOptions)
        return try endpoint.sendSync(endpoint.request(.delete, path))
    }
}
