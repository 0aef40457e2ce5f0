/// A client for the server at a base URL, with the settings of its requests.
///
/// ```swift
/// let client = RESTClient(baseURL: url)
/// client.headers["Accept"] = "application/json"
/// let response = try await client.get("/accounts/1", query: ["expand": "owner"])
/// ```
///
/// A request copies the settings when it is created. Responses of any status are returned; an error is thrown only if no
/// response was received.
@dynamicMemberLookup
public final class RESTClient: Sendable {
    /// The URL to which paths are appended, with the scheme `http` or `https`; with another scheme, each request fails.
    public let baseURL: URL
    let base: BaseURL
    /// The settings of new requests.
    private let template: Mutex<RESTRequest>

    private static let sharedClient = Mutex<RESTClient?>(nil)

    /// A client that is shared by the whole process; `nil` until it is set.
    public static var shared: RESTClient? {
        get { sharedClient.withLock { $0 } }
        // The previous client is released outside the lock: deinitializers may run code of the user.
        set {
            var client = newValue
            sharedClient.withLock { swap(&$0, &client) }
        }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which paths are appended.
    ///   - transport: The transport. Defaults to libcurl on Linux, and to URLSession on Apple platforms.
    public init(baseURL: URL, transport: (any Transport)? = nil) {
        self.baseURL = baseURL
        base = BaseURL(baseURL)
        var template = RESTRequest(url: nil, transport: transport)
        template.settings.cookies = CookieStore()
        template.coalescer = Coalescer()
        template.activeRequests = ActiveRequests()
        self.template = Mutex(template)
    }

    private init(_ original: RESTClient, template: RESTRequest) {
        baseURL = original.baseURL
        base = original.base
        self.template = Mutex(template)
    }

    /// Returns a client with changed settings, and with the base URL, header fields, transport and cookies of this one.
    ///
    /// ```swift
    /// let slow = client.with { $0.timeouts.idle = .seconds(300) }
    /// ```
    ///
    /// Later changes of one client do not affect the other one. Shutting down one of them ends the requests of both.
    public func with(_ change: (inout RequestSettings) -> Void) -> RESTClient {
        var template = currentTemplate
        change(&template.settings)
        return RESTClient(self, template: template)
    }

    /// The header fields of each request.
    ///
    /// Several tasks can change different fields concurrently, such as `client.headers["Accept"] = "text/html"`.
    public var headers: HTTPHeaders {
        get { template.withLock { $0.headers } }
        set { template.withLock { $0.headers = newValue } }
        _modify {
            // The lock is not held during the change, which may be code of the user.
            let old = headers
            var changed = old
            defer { template.withLock { $0.headers.merge(changed, since: old) } }
            yield &changed
        }
    }

    /// Sets a header field of each request; `nil` removes it.
    public func setHeader(_ value: String?, for name: String) {
        template.withLock { $0.headers[name] = value }
    }

    /// The settings of each request, which are properties of the client, too, such as `timeouts`.
    ///
    /// Each setting is replaced as a whole: if several tasks change parts of one setting concurrently, such as
    /// `timeouts.idle` and `timeouts.total`, or register `formats`, a change can be lost.
    public var settings: RequestSettings {
        get { template.withLock { $0.settings } }
        set { replace(\.self, with: newValue) }
    }

    /// One of the settings.
    public subscript<Value: Sendable>(
        dynamicMember setting: any WritableKeyPath<RequestSettings, Value> & Sendable
    ) -> Value {
        get { template.withLock { $0.settings[keyPath: setting] } }
        set { replace(setting, with: newValue) }
    }

    /// A request with the current settings and without a URL.
    var currentTemplate: RESTRequest { template.withLock { $0 } }

    /// Replaces a setting; the previous value is released outside the lock, since deinitializers may run code of the user.
    private func replace<Value: Sendable>(
        _ setting: any WritableKeyPath<RequestSettings, Value> & Sendable, with value: Value
    ) {
        var value = value
        template.withLock { swap(&$0.settings[keyPath: setting], &value) }
    }

    /// A request to a URL with the current settings.
    func request(_ method: HTTPMethod, _ url: URL?, buildError: RequestError?) -> RESTRequest {
        var request = currentTemplate
        request.method = method
        request.url = url
        request.buildError = buildError
        return request
    }
}
