/// The record to which another one belongs, requested on access.
///
/// ```swift
/// struct Post: Resource {
///     var authorID: Int?
///     var author: BelongsTo<Person> { belongsTo(authorID) }
///     …
/// }
///
/// let author = try await post.author.record            // GET /people/2.json
/// ```
public struct BelongsTo<Element: Resource> {
    /// The identifier of the record as text; `nil` for a `nil` foreign key.
    public let id: String?
    let embedded: Element?
    let prefix: [String: String]

    fileprivate init(_ id: String?, _ embedded: Element?, prefix: [String: String]) {
        self.id = id
        self.prefix = prefix
        var record = embedded
        record?.embed(prefix: prefix)
        self.embedded = record
    }

    /// The record: from the attributes, from its ``ResourceRegistry``, or from the service; `nil` without an
    /// identifier.
    ///
    /// The error is of kind `notFound` if the service does not have it.
    public nonisolated(nonsending) var record: Element? {
        get async throws(ResourceError) {
            if let embedded { return embedded }
            guard let id else { return nil }
            if let type = Element.self as? any RegisteredResource.Type,
                let known = type.registered(id, prefix: prefix) as? Element
            {
                return known
            }
            return try await Element.recordKind.find(id, prefix, [:])
        }
    }
}

extension BelongsTo: Sendable where Element: Sendable {}

extension Resource {
    /// Returns the record of another resource to which this one belongs.
    ///
    /// - Parameters:
    ///   - id: The identifier of the other record, the value of the foreign key.
    ///   - type: The other resource.
    ///   - embedded: The record in the attributes of this one. Defaults to `nil`: it is requested.
    public func belongsTo<Element: Resource>(
        _ id: some ResourceID, _ type: Element.Type = Element.self, embedded: Element? = nil
    ) -> BelongsTo<Element> {
        let parameters = Set(Element.endpoint.prefixParameters)
        return BelongsTo(
            id.pathText, embedded, prefix: resource.prefixOptions.filter { parameters.contains($0.key) })
    }
}
