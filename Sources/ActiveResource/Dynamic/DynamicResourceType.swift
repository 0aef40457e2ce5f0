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

    /// Creates an unsaved record.
    ///
    /// - Parameters:
    ///   - attributes: A JSON object with the attributes. Attributes named like prefix parameters become prefix options.
    ///   - prefix: The values of the prefix parameters.
    public func new(
        _ attributes: JSON = [:], prefix: [String: any FormValueConvertible] = [:]
    ) -> DynamicResource {
        var record = DynamicResource(self, prefix: prefix.prefixOptions)
        record.load(attributes)
        return record
    }

    /// Saves a new record and returns it.
    ///
    /// - Returns: The record; if it is invalid, it is new and has `errors`.
    /// - Throws: `ResourceError` for a status other than success and 422, and if there is no response.
    public nonisolated(nonsending) func create(
        _ attributes: JSON, prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource {
        var record = new(attributes, prefix: prefix)
        _ = try await record.save()
        return record
    }

    /// Requests a record.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` for status 404.
    public nonisolated(nonsending) func find(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource {
        let options = prefix.prefixOptions
        var record = DynamicResource(self, prefix: options)
        try await record.load(from: endpoint.elementPath(id, prefix: options, query: FormValue(query)))
        return record
    }

    /// Requests the records of the collection, or of a name or a path.
    ///
    /// - Parameters:
    ///   - query: Parameters of the query.
    ///   - prefix: The values of the prefix parameters.
    ///   - source: A path or a name below the collection. Defaults to the collection.
    /// - Throws: `ResourceError`, except for status 404, which returns no records.
    public nonisolated(nonsending) func all(
        _ query: [String: any FormValueConvertible] = [:], prefix: [String: any FormValueConvertible] = [:],
        from source: ResourceSource? = nil
    ) async throws(ResourceError) -> ResourcePage<DynamicResource> {
        let (options, query) = (prefix.prefixOptions, FormValue(query))
        let request = endpoint.request(.get, try endpoint.path(of: source, prefix: options, query: query))
        let response: RESTResponse
        do throws(ResourceError) { response = try await endpoint.send(request) } catch {
            guard error.kind == .notFound else { throw error }
            return ResourcePage([], response: error.response)
        }
        guard response.hasRecord else { return ResourcePage([], response: response) }
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoots(named: endpoint.elementName)
            let body = try payload.json
            let records = (body.array ?? (body.object == nil ? [] : [body])).map { attributes in
                var record = DynamicResource(self, prefix: options)
                record.load(attributes)
                record.resource.isPersisted = true
                return record
            }
            return ResourcePage(records, response: response)
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns whether a record exists, with a HEAD request.
    public nonisolated(nonsending) func exists(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Bool {
        let path = try endpoint.elementPath(id, prefix: prefix.prefixOptions)
        do throws(ResourceError) {
            return 200...206 ~= (try await endpoint.send(endpoint.request(.head, path))).status
        } catch {
            guard error.kind == .notFound || error.kind == .gone else { throw error }
            return false
        }
    }

    /// Deletes a record by its identifier.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func delete(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await endpoint.send(
            endpoint.request(.delete, try endpoint.elementPath(id, prefix: prefix.prefixOptions)))
    }
}
