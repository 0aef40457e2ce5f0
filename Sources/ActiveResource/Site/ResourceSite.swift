/// A web service with resources: its URL, the format of its bodies, and the settings of its requests.
///
/// ```swift
/// extension ResourceSite {
///     static let example = ResourceSite(URL(string: "https://api.example.com/v1")!, headers: ["X-Client": "App"])
/// }
///
/// struct Person: Resource { static let site = ResourceSite.example … }
/// struct Report: Resource {
///     static let site = ResourceSite.example.with { $0.headers["X-Report"] = "1" }   // all other settings are the same
///     …
/// }
/// ```
///
/// A site is a value: a changed copy does not change the resources that use the original. Copies share the connections.
@dynamicMemberLookup
public struct ResourceSite: Sendable {
    /// The method and body with which a persisted record is saved.
    public enum UpdateMethod: Sendable, Hashable {
        /// PUT with all attributes.
        case put
        /// PATCH with the attributes that changed since the record was loaded.
        case patch
    }

    /// The URL; its path precedes the paths of resources, and its query is a part of each request to its origin.
    public let url: URL
    /// The path of the URL with a trailing slash.
    let path: String
    /// The format of bodies.
    ///
    /// Defaults to JSON without a root.
    public var format: any PayloadFormat = .json
    /// Whether paths end with the extension of the format, such as `.json`.
    ///
    /// Defaults to `true`; otherwise only `Accept` contains the format.
    public var includesFormatInPath = true
    /// Header fields of each request.
    ///
    /// They override computed fields such as `Accept` and `Authorization`, and those of the ``client``, and are not sent to
    /// other origins.
    public var headers: HTTPHeaders
    /// The method with which persisted records are saved.
    ///
    /// Defaults to `.put`.
    public var updateMethod = UpdateMethod.put
    /// Converts the names in queries, for example to camel case.
    ///
    /// Defaults to `nil`.
    public var queryNaming: (@Sendable (String) -> String)?
    /// The queue that sends the requests.
    ///
    /// Defaults to `nil`: they are sent immediately. Calls that block the thread, such as `findSync`, do not use the queue.
    public var queue: RequestQueue?
    /// Receives the events of each request; held weakly.
    public weak var delegate: (any RequestDelegate)?
    /// Receives an event after each request, for logs and metrics.
    ///
    /// Defaults to `nil`.
    public var onRequest: (@Sendable (ResourceEvent) -> Void)?

    /// The client that sends the requests, whose base URL is the origin of the site.
    ///
    /// Its settings are properties of the site, too, such as `timeouts`, `authentication` and `cache`. Setting one there
    /// gives the site its own client, with the same connections.
    public private(set) var client: RESTClient

    /// Creates a site.
    ///
    /// - Parameters:
    ///   - url: The URL, with `http` or `https`. A user and a password in it are sent as basic authentication.
    ///   - format: The format of bodies. Defaults to JSON without a root.
    ///   - headers: Header fields of each request.
    ///   - authentication: The credentials of requests. Defaults to `nil`.
    ///   - transport: The transport of the requests. Defaults to that of the platform.
    public init(
        _ url: URL, format: any PayloadFormat = .json, headers: HTTPHeaders = [:],
        authentication: Authentication? = nil, transport: (any Transport)? = nil
    ) {
        self.url = url
        let path = url.path(percentEncoded: true)
        self.path = path.hasSuffix("/") ? path : path + "/"
        self.format = format
        self.headers = headers
        var origin = URLComponents(url: url, resolvingAgainstBaseURL: true)
        origin?.percentEncodedPath = ""
        origin?.query = nil
        origin?.fragment = nil
        client = RESTClient(baseURL: origin?.url ?? url, transport: transport)
        // As in Active Resource, redirects are not followed and cookies are not stored.
        client.redirectLimit = 0
        client.cookies = nil
        client.authentication = authentication
    }

    /// One of the settings of the requests; see ``client``.
    public subscript<Value: Sendable>(
        dynamicMember setting: any WritableKeyPath<RequestSettings, Value> & Sendable
    ) -> Value {
        get { client[dynamicMember: setting] }
        set { client = client.with { $0[keyPath: setting] = newValue } }
    }

    /// Returns a changed copy, for a resource with other settings.
    public func with(_ change: (inout ResourceSite) -> Void) -> ResourceSite {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns a path with the query of the site, unless the path has parameters with the same names.
    func addingQuery(to path: String) -> String {
        guard let query = url.query(percentEncoded: true), !query.isEmpty else { return path }
        func names(_ text: some StringProtocol) -> [(name: Substring, text: Substring)] {
            text.split(separator: "&").map { part in
                let text = Substring(part)
                return (text.prefix { $0 != "=" }, text)
            }
        }
        let start = path.firstIndex(of: "?")
        let known = Set(start.map { names(path[$0...].dropFirst()).map(\.name) } ?? [])
        let missing = names(query).filter { !known.contains($0.name) }.map(\.text)
        if missing.isEmpty { return path }
        let added = missing.joined(separator: "&")
        guard let start else { return path + "?" + added }
        return path[...start] + added + (path[start...].count > 1 ? "&" : "") + path[start...].dropFirst()
    }

    /// Whether a URL has the scheme, host and port of the site.
    func hasOrigin(of url: URL) -> Bool { url.isSameOrigin(as: self.url) }

    /// The transport of requests in the current task; `nil` for that of the site.
    @TaskLocal static var transport: (any Transport)?

    /// Runs an operation in which all requests of resources use another transport, such as a stub in a test.
    ///
    /// ```swift
    /// let stub = StubTransport()
    /// stub.on(.get, "/people/1.json", StubResponse(json: #"{"id": 1, "name": "Ann"}"#))
    /// let ann = try await ResourceSite.withTransport(stub) { try await Person.find(1) }
    /// ```
    public nonisolated(nonsending) static func withTransport<Result>(
        _ transport: any Transport, operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await $transport.withValue(transport, operation: operation)
    }
}

extension ResourceSite: CustomStringConvertible, CustomReflectable {
    /// The URL, without user, password and query.
    public var description: String { "site \(url.shown)" }

    /// The URL and the header fields, without secrets.
    public var customMirror: Mirror { Mirror(self, children: ["url": url.shown, "headers": headers]) }
}
