/// The single record that belongs to another one, requested on access.
///
/// ```swift
/// struct Person: Resource {
///     var address: HasOne<Address> { hasOne() }
///     …
/// }
///
/// let address = try await person.address.record       // GET /people/1/address.json
/// ```
public struct HasOne<Element: Resource> {
    enum Source {
        case none
        case embedded(Element)
        case request(RESTRequest, prefix: [String: String])
        case failure(ResourceError)
    }

    let source: Source

    /// The record: from the owner's attributes, or from the service; `nil` for a new owner.
    ///
    /// Throws an error of kind `notFound` if the service responds with 404.
    public nonisolated(nonsending) var record: Element? {
        get async throws(ResourceError) {
            switch source {
            case .none: return nil
            case .embedded(let record): return record
            case .failure(let error): throw error
            case .request(let request, let prefix):
                let response = try await Element.endpoint.send(request)
                return try Element.recordKind.record(of: response, to: request, prefix: prefix)
            }
        }
    }

    fileprivate init<Owner: Resource>(of owner: Owner, _ embedded: Element?, _ name: String?) {
        if var embedded {
            embedded.embed(prefix: [:])
            source = .embedded(embedded)
            return
        }
        guard owner.isPersisted else {
            source = .none
            return
        }
        let endpoint = Element.endpoint
        var options = owner.resource.prefixOptions
        do throws(ResourceError) {
            if endpoint.singletonName != nil {
                options[Owner.elementName + "_id"] = owner.id.pathText
                options = options.filter { endpoint.prefixParameters.contains($0.key) }
                let path = try endpoint.elementPath(nil, prefix: options)
                source = .request(endpoint.request(.get, path), prefix: options)
            } else {
                let name = name ?? endpoint.elementName
                let path = try Owner.endpoint.memberPath(owner.id, named: name, prefix: options)
                source = .request(endpoint.request(.get, path), prefix: [:])
            }
        } catch { source = .failure(error) }
    }
}

extension Resource {
    /// Returns the single record of another resource that belongs to this one.
    ///
    /// A ``SingletonResource`` is requested by its prefix, another resource from a path below this record.
    ///
    /// - Parameters:
    ///   - type: The other resource.
    ///   - embedded: The record in the attributes of this one. Defaults to `nil`: it is requested.
    ///   - name: The name in the path. Defaults to the element name of the other resource.
    public func hasOne<Element: Resource>(
        _ type: Element.Type = Element.self, embedded: Element? = nil, named name: String? = nil
    ) -> HasOne<Element> {
        HasOne(of: self, embedded, name)
    }
}
