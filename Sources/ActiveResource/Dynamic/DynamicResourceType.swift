/// A resource without a Swift type: its paths, and the calls that find and create its records.
///
/// ```swift
/// let people = DynamicResourceType(site, "person")
/// var ann = try await people.find(1)              // GET /people/1.json
/// ann.name = "Ann"                                // any attribute
/// let isSaved = try await ann.save()              // PUT /people/1.json
/// ```
public struct DynamicResourceType: Sendable {
    /// The paths of the resource.
    public var endpoint: ResourceEndpoint
    /// The names of attributes that records have even if the service did not send them.
    ///
    /// Defaults to none.
    public var schema: [String: AttributeKind] = [:]

    /// Extracts the records from the body of a list.
    ///
    /// Defaults to the body itself.
    public var collectionParser = CollectionParser()

    /// Creates a resource with the naming conventions of Rails.
    ///
    /// - Parameters:
    ///   - site: The service.
    ///   - elementName: The name of a record, such as `person`.
    ///   - prefix: The path before the collection name. Defaults to the path of the site.
    public init(_ site: ResourceSite, _ elementName: String, prefix: String? = nil) {
        endpoint = ResourceEndpoint(site, elementName, prefix: prefix)
    }

    /// Returns the resource whose paths are below the records of this one, such as `/posts/:post_id/comments`.
    ///
    /// - Parameter name: The name of the collection or of an element.
    public func nested(_ name: String) -> DynamicResourceType {
        let prefix = endpoint.prefix.hasSuffix("/") ? endpoint.prefix : endpoint.prefix + "/"
        return DynamicResourceType(
            endpoint.site, Inflector.singular(of: name),
            prefix: "\(prefix)\(endpoint.collectionName)/:\(endpoint.elementName)_id/")
    }

    var recordKind: DynamicResourceType { self }
}
