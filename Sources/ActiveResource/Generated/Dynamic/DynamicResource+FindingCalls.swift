// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResource {
    /// Returns whether the service has the record; `false` without a request for a new one.
    public nonisolated(nonsending) func exists() async throws(ResourceError) -> Bool {
        if isNew { return false }
        return try await recordKind.exists(id, resource.prefixOptions, [:])
    }

    /// Returns whether the service has the record; `false` without a request for a new one; blocks the thread.
    @available(*, noasync, message: "existsSync blocks the thread; use `await exists()`")
    public func existsSync() throws(ResourceError) -> Bool {
        if isNew { return false }
        return try recordKind.existsSync(id, resource.prefixOptions, [:])
    }
}
