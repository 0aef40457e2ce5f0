/// The paths of a resource: its site, prefix and names.
///
/// Types that conform to `Resource` provide one; a ``DynamicResourceType`` is created from one.
public struct ResourceEndpoint: Sendable {
    /// The service.
    public var site: ResourceSite
    /// The path before the collection name, with parameters such as `/posts/:post_id/`.
    public var prefix: String
    /// The name of a record in roots.
    public var elementName: String
    /// The name of the collection in paths.
    public var collectionName: String
    /// The name of the attribute that identifies records.
    public var primaryKey: String
    /// The name of a singleton in paths.
    public var singletonName: String?

    /// Creates the paths of a resource with the naming conventions of Rails.
    ///
    /// - Parameters:
    ///   - site: The service.
    ///   - elementName: The name of a record, such as `person`.
    ///   - prefix: The path before the collection name. Defaults to the path of the site.
    public init(_ site: ResourceSite, _ elementName: String, prefix: String? = nil) {
        self.site = site
        self.elementName = elementName
        self.prefix = prefix ?? site.path
        collectionName = Inflector.plural(of: elementName)
        primaryKey = "id"
    }

    init<R: Resource>(_ type: R.Type) {
        site = R.site
        prefix = R.prefix
        elementName = R.elementName
        collectionName = R.collectionName
        primaryKey = R.primaryKey
        singletonName = R.singletonName
    }

    /// The names of the prefix parameters, such as `post_id`.
    public var prefixParameters: [String] { PathTemplate(prefix).parameters }

    /// Returns the path of a record.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing, or if the identifier is invalid in a path.
    public func elementPath(
        _ id: (any ResourceID)?, prefix options: [String: String] = [:], query: FormValue = [:]
    ) throws(ResourceError) -> String {
        try memberPath(id, named: nil, prefix: options, query: query)
    }

    /// Returns the path of the collection.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing.
    public func collectionPath(
        named name: String? = nil, prefix options: [String: String] = [:], query: FormValue = [:]
    ) throws(ResourceError) -> String {
        let path = try prefixPath(options) + (singletonName ?? collectionName)
        return try path + (name.map { "/" + $0 } ?? "") + suffix(query)
    }

    /// Returns the path of a record with default values, `/people/new.json`.
    ///
    /// - Throws: `ResourceError` if a prefix option is missing.
    public func newElementPath(
        named name: String? = nil, prefix options: [String: String] = [:], query: FormValue = [:]
    )
        throws(ResourceError) -> String
    {
        let path = try prefixPath(options) + (singletonName ?? collectionName)
        return try path + "/new" + (name.map { "/" + $0 } ?? "") + suffix(query)
    }

    /// Returns the path of a custom method of a record, or of the record.
    func memberPath(
        _ id: (any ResourceID)?, named name: String?, prefix options: [String: String], query: FormValue = [:]
    ) throws(ResourceError) -> String {
        var path = try prefixPath(options)
        if let singletonName {
            path += singletonName
        } else {
            path += try collectionName + "/" + idText(id, isLast: name == nil)
        }
        return try path + (name.map { "/" + $0 } ?? "") + suffix(query)
    }

    /// Returns the path of a list: of the collection, of a name below it, or a custom one.
    func path(
        of source: ResourceSource?, prefix: [String: String], query: FormValue
    ) throws(ResourceError) -> String {
        switch source {
        case nil: try collectionPath(prefix: prefix, query: query)
        case .named(let name): try collectionPath(named: name, prefix: prefix, query: query)
        case .path(let path): try self.path(path, query: query)
        }
    }

    /// Returns a custom path with a query.
    func path(_ path: String, query: FormValue) throws(ResourceError) -> String {
        try checkDepth(of: query)
        let text = ResourceEncoding.query(query, naming: site.queryNaming)
        return text.isEmpty ? path : path + (path.contains("?") ? "&" : "?") + text
    }

    /// Throws an error if the parameters of a query are nested too deeply.
    func checkDepth(of query: FormValue) throws(ResourceError) {
        do throws(RequestError) { try query.checkDepth(of: "query", .invalidURL) } catch {
            throw ResourceError(.invalidAttributes, "\(elementName): \(error.cause)", underlying: error)
        }
    }

    /// The URL of a path at the site.
    func url(of path: String) throws(ResourceError) -> URL {
        guard let url = site.client.request(.get, path).url else {
            throw ResourceError(.invalidSite, "\(elementName): \(site.url) and \(path) are not a URL")
        }
        return url
    }

    private func suffix(_ query: FormValue) throws(ResourceError) -> String {
        try path(site.includesFormatInPath ? site.format.pathExtensions.first.map { "." + $0 } ?? "" : "", query: query)
    }

    private func idText(_ id: (any ResourceID)?, isLast: Bool) throws(ResourceError) -> String {
        guard let text = id?.pathText, !text.isEmpty else {
            let found = id?.pathText == nil ? "nil" : "an empty string"
            throw ResourceError(.invalidIdentifier, "\(elementName): expected an identifier, found \(found)")
        }
        guard text != ".", text != ".." || isLast && site.includesFormatInPath else {
            throw ResourceError(
                .invalidIdentifier, "\(elementName): the identifier '\(text)' would change the path")
        }
        return escaped(text)
    }

    private func prefixPath(_ options: [String: String]) throws(ResourceError) -> String {
        let template = PathTemplate(prefix)
        var path: String
        do throws(PathTemplate.FillError) {
            path = try template.path(keepsSlashes: true) { name in
                options[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
            }
        } catch {
            throw ResourceError(error, prefix: prefix, of: elementName)
        }
        let slash = UInt8(ascii: "/")
        if path.utf8.first != slash { path = site.path + path }
        // A path with two leading slashes is a URL of another server.
        guard !template.hasServer, !prefix.utf8.contains(where: "?#".utf8.contains), !path.utf8.starts(with: "//".utf8)
        else {
            throw ResourceError(
                .invalidSite,
                "\(elementName): expected a prefix that is a path without a server and a query, found \(prefix)")
        }
        return path.utf8.last == slash ? path : path + "/"
    }
}

extension ResourceError {
    fileprivate init(_ error: PathTemplate.FillError, prefix: String, of elementName: String) {
        switch error {
        case .missing(let name):
            self.init(
                .missingPrefixOption, "\(elementName): the prefix option '\(name)' is missing; the prefix is \(prefix)")
        case .dots(let name, let value):
            self.init(
                .invalidIdentifier,
                "\(elementName): expected a prefix option '\(name)' without '.' and '..', found '\(value)'")
        case .emptySegment(let name, let value):
            self.init(
                .invalidIdentifier,
                "\(elementName): expected a prefix option '\(name)' without empty segments, found '\(value)'")
        case .invalidTemplate(let defect):
            self.init(.invalidSite, "\(elementName): the prefix \(prefix) is invalid: \(defect)")
        case .wildcard:
            self.init(.invalidSite, "\(elementName): expected a prefix without a trailing '*', found \(prefix)")
        }
    }
}
