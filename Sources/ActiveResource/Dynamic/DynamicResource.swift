/// A record of a resource without a Swift type: attributes by name.
///
/// ```swift
/// var ann = try await DynamicResourceType(site, "person").find(1)
/// print(ann.name.string ?? "", ann.createdAt.string ?? "", ann["created_at"])
/// ann.tags = ["a", "b"]
/// ann["save"] = true                         // an attribute with the name of a method
/// for comment in ann.records("comments") { … }
/// ```
///
/// Names in camel case are converted to underscores. A missing attribute is an absent value, whose `exists` is `false`.
@dynamicMemberLookup
public struct DynamicResource: Sendable {
    /// The resource.
    public let type: DynamicResourceType
    /// The attributes, an object.
    public private(set) var attributes: JSON = [:]
    /// The state of the record.
    public var resource: ResourceState

    init(_ type: DynamicResourceType, prefix: [String: String]) {
        self.type = type
        resource = ResourceState(prefixOptions: prefix)
    }

    /// An attribute by its name.
    public subscript(name: String) -> JSON {
        get { attributes[name] }
        set { attributes[name] = newValue }
    }

    /// An attribute by its name in camel case or with underscores.
    public subscript(dynamicMember name: String) -> JSON {
        get { attributes[key(of: name)] }
        set { attributes[key(of: name)] = newValue }
    }

    /// Returns an attribute of the record or its schema.
    ///
    /// - Throws: `ResourceError` of kind `invalidAttributes`, which names the known attributes.
    public func attribute(_ name: String) throws(ResourceError) -> JSON {
        guard respondsTo(name) else {
            throw ResourceError(
                .invalidAttributes,
                "\(type.endpoint.elementName): no attribute '\(name)'; it has \(knownAttributes.joined(separator: ", "))"
            )
        }
        return attributes[key(of: name)]
    }

    /// Whether the record or its schema has an attribute.
    public func respondsTo(_ name: String) -> Bool { knownAttributes.contains(key(of: name)) }

    /// The names of the record's attributes and of its schema, sorted.
    public var knownAttributes: [String] {
        Set(attributes.object?.keys ?? []).union(type.schema.keys).sorted()
    }

    /// The identifier as text; `nil` if the record has none.
    public var id: String? { attributes[type.endpoint.primaryKey].plainText }
    /// Whether the record was not loaded from the service, nor saved to it.
    public var isNew: Bool { !resource.isPersisted }
    /// Whether the record was loaded from the service, or saved to it.
    public var isPersisted: Bool { resource.isPersisted }
    /// The problems of the last save.
    public var errors: ResourceErrors { resource.errors }

    /// Whether two records have the same paths, identifier and prefix options.
    public func isSameRecord(as other: DynamicResource) -> Bool {
        id != nil && id == other.id && type.endpoint.collectionName == other.type.endpoint.collectionName
            && resource.prefixOptions == other.resource.prefixOptions
    }

    /// Returns the record in an attribute; `nil` if its value is not an object.
    public func record(_ name: String) -> DynamicResource? {
        let value = attributes[key(of: name)]
        return value.object == nil ? nil : embedded(value, named: name)
    }

    /// Returns the records in an attribute; empty if its value is not a list of objects.
    public func records(_ name: String) -> [DynamicResource] {
        (attributes[key(of: name)].array ?? []).filter { $0.object != nil }.map { embedded($0, named: name) }
    }

    private func embedded(_ value: JSON, named name: String) -> DynamicResource {
        var type = DynamicResourceType(
            type.endpoint.site, Inflector.singular(of: key(of: name)), prefix: type.endpoint.prefix)
        type.endpoint.primaryKey = self.type.endpoint.primaryKey
        var record = DynamicResource(type, prefix: resource.prefixOptions)
        record.load(value)
        record.resource.isPersisted = resource.isPersisted
        if resource.isPersisted { record.resource.known = .values(names: record.attributes, record.attributes) }
        return record
    }

    /// Returns the name of an attribute; an existing name is used verbatim.
    private func key(of name: String) -> String {
        attributes[name].exists || type.schema[name] != nil ? name : Inflector.underscored(name)
    }

    /// Merges attributes into those of the record; prefix parameters are added to the prefix options.
    ///
    /// - Parameter values: The attributes, an object.
    public mutating func load(_ values: JSON) {
        let inPrefix = Set(type.endpoint.prefixParameters)
        var members = (attributes.object ?? [:]).map { $0 }
        for (name, value) in values.object ?? [:] {
            if inPrefix.contains(name) {
                resource.prefixOptions[name] = value.plainText
            } else {
                members.append((name, value))
            }
        }
        attributes = .object(JSONObject(members))
    }
}

extension DynamicResource: Hashable {
    /// Whether two records have equal attributes and states, and the same collection.
    public static func == (a: DynamicResource, b: DynamicResource) -> Bool {
        a.attributes == b.attributes && a.resource == b.resource
            && a.type.endpoint.collectionName == b.type.endpoint.collectionName
    }

    /// Hashes the attributes.
    public func hash(into hasher: inout Hasher) { hasher.combine(attributes) }
}

extension DynamicResource: CustomStringConvertible {
    /// The element name and the attributes, such as `person {"id":1}`.
    public var description: String { "\(type.endpoint.elementName) \(attributes)" }
}
