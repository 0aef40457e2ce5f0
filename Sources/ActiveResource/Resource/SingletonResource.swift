/// A singleton resource, such as the address of a person: `/people/1/address.json`.
///
/// ```swift
/// struct Address: SingletonResource {
///     static let site = ResourceSite.example
///     static let prefix = "/people/:person_id/"
///     var city = ""
///     var resource = ResourceState()
///     static let mapping = Mapping(Address.init) { Attribute("city", \.city) }
/// }
///
/// var address = try await Address.find(prefix: ["person_id": 1])
/// ```
///
/// It needs no identifier; saving, reloading and destroying use its path.
public protocol SingletonResource: Resource {}

extension SingletonResource {
    /// The element name.
    public static var singletonName: String? { elementName }

    /// Requests the resource.
    ///
    /// - Parameters:
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` for status 404.
    public nonisolated(nonsending) static func find(
        prefix: [String: any FormValueConvertible] = [:], query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self {
        try await recordKind.find(nil, prefix.prefixOptions, FormValue(query))
    }
}

extension SingletonResource where ID == Int? {
    /// A singleton has no identifier.
    public var id: Int? {
        get { nil }
        set {}
    }
}
