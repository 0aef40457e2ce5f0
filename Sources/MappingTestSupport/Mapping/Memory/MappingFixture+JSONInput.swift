public import ObjectMapping

extension MappingFixture: JSONInput {
    /// Calls a closure with the bytes of the file.
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe data.withJSONBytes(body)
    }
}
