// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResource {
    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func destroy() async throws(ResourceError) -> RESTResponse? {
        try await recordKind.destroy(self)
    }

    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change; blocks the thread.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    @discardableResult
    public func destroySync() throws(ResourceError) -> RESTResponse? {
        try recordKind.destroySync(self)
    }
}
