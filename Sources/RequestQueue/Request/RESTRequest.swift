/// A request as it will be sent: a value that carries all it needs, its client's headers and transport included.
///
/// A client makes it (``RESTClient/request(_:query:headers:)``); it is sent at once, or added to a queue.
public struct RESTRequest: Sendable {
    /// The method, as `.get`.
    public var method: HTTPMethod
    /// Where it goes; nil if what it was made of is no URL, which is told when it is sent.
    public var url: URL?
    /// The header fields, but for those that the transport sets, as `Host` and `Content-Length`.
    public var headers: HTTPHeaders
    /// How long it waits.
    public var timeouts: Timeouts
    /// How much of the response is taken.
    public var limits: ResponseLimits
    /// Where responses are kept and looked for; nil keeps none.
    public var cache: RequestCache?
    /// What stored responses are used for; ``CachePolicy/standard`` unless told.
    public var cachePolicy: CachePolicy
    /// How long after it came a stored response is loaded without asking, with ``CachePolicy/timeout``; zero unless told.
    public var cacheTimeout: Duration
    /// How many redirects are followed; 20 unless told.
    ///
    /// With 0 a redirection is the response.
    public var redirectLimit: Int
    /// Decides which redirects are followed, and what is sent to another origin.
    ///
    /// Defaults to `nil`, for ``RedirectPolicy/Decision/standard``.
    public var redirectPolicy: RedirectPolicy?
    /// Whose certificates are trusted, and which one is shown.
    public var tls: TLSOptions
    /// When it is sent again instead of being over; never unless told.
    public var retryPolicy: RetryPolicy
    /// Whether a GET waits for an identical one of its client that is under way, instead of being sent; not unless told.
    ///
    /// Both have the same response then. Identical are requests with the same URL, header fields and settings, and whose
    /// bodies go to memory; requests of no client are always sent. See <doc:Retries>.
    public var coalescesIdenticalRequests: Bool
    /// What becomes of it if the process leaves the foreground while it is loading; nothing unless told.
    public var backgroundPolicy: BackgroundPolicy
    /// What tells whether the process is in the foreground, where no queue does: the process's own unless told.
    public var lifecycle: ApplicationLifecycle
    /// Who knows whether the host can be reached; nil unless told.
    ///
    /// While it cannot be, the request ends with an error of kind ``RequestError/Kind/offline`` without touching the
    /// network; while that is not known, the request is sent.
    public var reachabilityObserver: ReachabilityObserver?
    /// How it says who sends it, to the origin of its URL and no other; nil for not at all.
    public var authentication: Authentication?
    /// Change the request before it is sent, in their order.
    ///
    /// Defaults to none.
    public var adapters: [any RequestAdapter]
    /// The proxy of the request.
    ///
    /// Defaults to ``RequestProxy/system``.
    public var proxy: RequestProxy
    /// A name of its kind, by which a queue cancels it.
    public var tag: String?
    /// Anything of the caller's that goes along, and comes back to delegates and in events; it is not sent.
    public var userData: (any Sendable)?
    /// Receives what happens to the request; held weakly.
    public weak var delegate: (any RequestDelegate)?
    /// The file that receives the body of a success (2xx), decompressed and of any size; `nil` for a body in memory.
    ///
    /// The file is written under another name in the same folder, and moved to this URL, replacing an existing file, when
    /// the body is complete and on disk. After a failure nothing has changed. A response with another status has its body
    /// in memory and writes no file.
    public var destination: URL?
    /// Where completion, progress closure and delegate are called, one after the other.
    ///
    /// Defaults to ``CallbackExecutor/separateThreads``.
    public var callbackExecutor: CallbackExecutor

    /// Receives the progress; see ``onProgress(_:)``.
    package var progressHandler: (@Sendable (RequestProgress) -> Void)?
    package var body: RequestBody?
    package var transport: any Transport
    package var cookies: CookieStore?
    /// Where its client's requests find identical ones.
    package var coalescer: Coalescer?
    /// What was wrong when it was made.
    package var mistake: RequestError?

    /// A request of no client: without default fields and cookies, and by the platform's transport unless told.
    public init(_ method: HTTPMethod = .get, url: URL?, transport: (any Transport)? = nil) {
        self.method = method
        self.url = url
        self.transport = transport ?? defaultTransport
        headers = [:]
        timeouts = Timeouts()
        limits = ResponseLimits()
        cachePolicy = .standard
        cacheTimeout = .zero
        redirectLimit = 20
        tls = TLSOptions()
        adapters = []
        proxy = .system
        retryPolicy = .none
        coalescesIdenticalRequests = false
        backgroundPolicy = .none
        lifecycle = .shared
        callbackExecutor = .separateThreads
    }

    /// Lets sending the request fail.
    package mutating func refuse(_ error: RequestError) {
        if mistake == nil { mistake = error }
    }

    /// Gives it a body, as it is now, and the body's content type.
    ///
    /// GET and HEAD have none (RFC 9110 §9.3.1): with one they are not sent, instead of being sent without it.
    public mutating func setBody(_ body: some RequestSerializable) {
        do throws(RequestError) {
            let body = try RequestBody(body)
            headers["Content-Type"] = body.contentType
            self.body = body
        } catch { refuse(error) }
    }
}
