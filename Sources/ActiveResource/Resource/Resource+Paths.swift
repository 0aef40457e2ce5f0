extension Resource {
    /// The paths of the resource.
    public static var endpoint: ResourceEndpoint { ResourceEndpoint(Self.self) }

    /// Returns the path of a record, such as `/people/1.json`.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing, or if the identifier is invalid in a path.
    public static func elementPath(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> String {
        try endpoint.elementPath(id, prefix: prefix.prefixOptions, query: FormValue(query))
    }

    /// Returns the path of the collection, such as `/people.json`.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing.
    public static func collectionPath(
        prefix: [String: any FormValueConvertible] = [:], query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> String {
        try endpoint.collectionPath(prefix: prefix.prefixOptions, query: FormValue(query))
    }

    /// Returns the URL of a record, such as `https://api.example.com/people/1.json`.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing, or if the identifier cannot be part of a path.
    public static func elementURL(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> URL {
        try endpoint.url(of: try elementPath(id, prefix: prefix, query: query))
    }

    /// Returns the URL of the collection, such as `https://api.example.com/people.json`.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing.
    public static func collectionURL(
        prefix: [String: any FormValueConvertible] = [:], query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> URL {
        try endpoint.url(of: try collectionPath(prefix: prefix, query: query))
    }

    /// Returns the path of a record with default values, such as `/people/new.json`.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing.
    public static func newElementPath(
        prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> String {
        try endpoint.newElementPath(prefix: prefix.prefixOptions)
    }
}

extension [String: any FormValueConvertible] {
    /// The values as texts, for a prefix; without `nil`, lists and objects.
    var prefixOptions: [String: String] { compactMapValues { $0.formValue.plainText } }
}

extension FormValue {
    /// The text of a single value.
    var plainText: String? { if case .text(let text) = self { text } else { nil } }
}
