/// The records that belong to another one, requested on access.
///
/// ```swift
/// struct Post: Resource {
///     var comments: HasMany<Comment> { hasMany() }
///     …
/// }
///
/// let comments = try await post.comments.records     // GET /posts/1/comments.json, or /comments.json?post_id=1
/// ```
///
/// Each access sends a request; store the result.
public struct HasMany<Element: Resource> {
    /// The request of the records.
    public let query: ResourceQuery<Element>
    let foreignKey: String
    let ownerID: String?
    let embedded: [Element]?

    /// The records: from the owner's attributes, or from the service.
    public nonisolated(nonsending) var records: [Element] {
        get async throws(ResourceError) {
            if let embedded { return embedded }
            return try await query.records
        }
    }

    /// The first record; `nil` if there are no records.
    public nonisolated(nonsending) var first: Element? {
        get async throws(ResourceError) {
            let records = try await records
            return records.first
        }
    }

    /// Returns a query for the records, restricted by parameters.
    public func `where`(_ parameters: [String: any FormValueConvertible]) -> ResourceQuery<Element> {
        query.where(parameters)
    }

    /// Returns a new record that belongs to the owner, which is not saved.
    ///
    /// - Throws: `ResourceError` if the mapping does not accept the attributes.
    public func new(_ attributes: [String: any JSONConvertible] = [:]) throws(ResourceError) -> Element {
        var values = attributes.mapValues { $0.json }
        if let ownerID, query.prefixOptions[foreignKey] == nil, values[foreignKey] == nil {
            values[foreignKey] = Int64(ownerID).map { .integer($0) } ?? .string(ownerID)
        }
        return try Element.make(values, prefix: query.prefixOptions)
    }

    /// Saves a new record that belongs to the owner.
    ///
    /// - Returns: The record; if it is invalid, it is new and has `errors`.
    /// - Throws: `ResourceError`, as `save(validates:)` does, and if the mapping does not accept the attributes.
    public nonisolated(nonsending) func create(
        _ attributes: [String: any JSONConvertible] = [:]
    ) async throws(ResourceError) -> Element {
        let record = try new(attributes)
        return try await Element.recordKind.createRecord(record)
    }
}

extension HasMany: Sendable where Element: Sendable {}

extension Resource {
    /// Returns the records of another resource that belong to this one.
    ///
    /// If the prefix of the other resource contains the foreign key, the key is a part of the path, otherwise of the
    /// query. For a new record, the result is empty and no request is sent.
    ///
    /// - Parameters:
    ///   - type: The other resource.
    ///   - embedded: The records in the attributes of this one. Defaults to `nil`: they are requested.
    ///   - foreignKey: The name of the owner's identifier. Defaults to its element name and `_id`, such as `post_id`.
    public func hasMany<Element: Resource>(
        _ type: Element.Type = Element.self, embedded: [Element]? = nil, foreignKey: String? = nil
    ) -> HasMany<Element> {
        let key = foreignKey ?? Self.elementName + "_id"
        let parameters = Set(Element.endpoint.prefixParameters)
        var query = Element.recordKind.query()
        query.prefixOptions = resource.prefixOptions.filter { parameters.contains($0.key) }
        query.isEmpty = isNew || id.pathText == nil
        if let text = id.pathText { query = query.where([key: text]) }
        let options = query.prefixOptions
        let records = embedded.map { records in
            records.map { record in
                var record = record
                record.embed(prefix: options)
                return record
            }
        }
        return HasMany(query: query, foreignKey: key, ownerID: id.pathText, embedded: records)
    }

    /// Marks a nested record as persisted.
    mutating func embed(prefix: [String: String]) {
        resource.isPersisted = true
        resource.prefixOptions.merge(prefix) { $1 }
    }
}
