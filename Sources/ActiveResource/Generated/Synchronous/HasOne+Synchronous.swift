// Written by scripts/generate-resource-calls; do not edit.

extension HasOne {
    /// The record: from the owner's attributes, or from the service; `nil` for a new owner; blocks the thread.
    ///
    /// Throws an error of kind `notFound` if the service responds with 404.
    @available(*, noasync, message: "recordSync blocks the thread; use `await record`")
    public var recordSync: Element? {
        get throws(ResourceError) {
            switch source {
            case .none: return nil
            case .embedded(let record): return record
            case .failure(let error): throw error
            case .request(let request, let prefix):
                let response = try Element.endpoint.sendSync(request)
                return try Element.recordKind.record(of: response, to: request, prefix: prefix)
            }
        }
    }
}
