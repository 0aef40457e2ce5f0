// Written by scripts/generate-resource-calls; do not edit.

extension SingletonResource {
    /// Requests the resource; blocks the thread.
    ///
    /// - Parameters:
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` for status 404.
    @available(*, noasync, message: "findSync blocks the thread; use `await find()`")
    public static func findSync(
        prefix: [String: any FormValueConvertible] = [:], query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        try recordKind.findSync(nil, prefix.prefixOptions, FormValue(query))
    }
}
