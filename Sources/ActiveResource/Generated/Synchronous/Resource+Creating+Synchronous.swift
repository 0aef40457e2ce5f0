// Written by scripts/generate-resource-calls; do not edit.

extension Resource {
    /// Requests the default values of a new record, from `/people/new.json`; blocks the thread.
    ///
    /// - Parameters:
    ///   - attributes: Attributes that override the default values.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: A new record, which is not saved.
    /// - Throws: `ResourceError` if the request fails, or if the mapping does not accept the attributes.
    @available(*, noasync, message: "buildSync blocks the thread; use `await build()`")
    public static func buildSync(
        _ attributes: [String: any JSONConvertible] = [:], prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        try recordKind.buildSync(attributes.mapValues { $0.json }, prefix.prefixOptions)
    }

    /// Saves a new record and returns it; blocks the thread.
    ///
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "createSync blocks the thread; use `await create()`")
    public static func createSync(_ record: Self) throws(ResourceError) -> Self {
        try recordKind.createRecordSync(record)
    }

    /// Saves a new record with attributes and returns it; blocks the thread.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by their names in the JSON; those that are prefix parameters are added to the
    ///     prefix options.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`, and if the mapping does not accept the attributes.
    @available(*, noasync, message: "createSync blocks the thread; use `await create()`")
    public static func createSync(
        _ attributes: [String: any JSONConvertible], prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        let record = try new(attributes, prefix: prefix)
        return try recordKind.createRecordSync(record)
    }
}
