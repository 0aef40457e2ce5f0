// Written by scripts/generate-resource-calls; do not edit.

extension HasMany {
    /// The records: from the owner's attributes, or from the service; blocks the thread.
    @available(*, noasync, message: "recordsSync blocks the thread; use `await records`")
    public var recordsSync: [Element] {
        get throws(ResourceError) {
            if let embedded { return embedded }
            return try query.recordsSync
        }
    }

    /// The first record; `nil` if there are no records; blocks the thread.
    @available(*, noasync, message: "firstSync blocks the thread; use `await first`")
    public var firstSync: Element? {
        get throws(ResourceError) {
            let records = try recordsSync
            return records.first
        }
    }

    /// Saves a new record that belongs to the owner; blocks the thread.
    ///
    /// - Returns: The record; if it is invalid, it is new and has `errors`.
    /// - Throws: `ResourceError`, as `save(validates:)` does, and if the mapping does not accept the attributes.
    @available(*, noasync, message: "createSync blocks the thread; use `await create()`")
    public func createSync(
        _ attributes: [String: any JSONConvertible] = [:]
    ) throws(ResourceError) -> Element {
        let record = try new(attributes)
        return try Element.recordKind.createRecordSync(record)
    }
}
