/// A request as a transport sends it: checked, complete, with an absolute URL.
public struct TransportRequest: Sendable {
    /// The method as it is sent.
    public var method: HTTPMethod
    /// A URL of scheme `http` or `https` with a host.
    public var url: URL
    /// All fields but those that frame the message (`Content-Length`, `Transfer-Encoding`, `Host`, `Connection`).
    public var headers: HTTPHeaders
    /// The body; nil for none.
    public var body: Body?
    /// Bytes of header fields of a response above which it is refused as too large.
    public var headerLimit: Int
    /// How both sides prove who they are.
    ///
    /// A transport that cannot do all of it does not send, and fails with `unsupportedTLSOptions`.
    public var tls: TLSOptions
    /// The proxy.
    ///
    /// Defaults to ``RequestProxy/system``.
    public var proxy = RequestProxy.system
    /// Whether the server may want credentials before the body: the transport may ask it first.
    package var mayBeRefused = false

    /// A body that a transport opens when it sends it, and again if it has to send it again.
    public struct Body: Sendable {
        /// Bytes, sent as `Content-Length`; nil: sent in chunks.
        public var length: Int64?
        /// Opens it at its beginning; throws what makes it unreadable, or that it can be read only once.
        public var open: @Sendable () throws -> any BodyStream

        /// A body of so many bytes, if that is known.
        public init(length: Int64?, open: @escaping @Sendable () throws -> any BodyStream) {
            self.length = length
            self.open = open
        }
    }

    /// A request with the limit of its response's header, 256 KiB unless told, and the system's TLS.
    public init(
        method: HTTPMethod, url: URL, headers: HTTPHeaders = [:], body: Body? = nil, headerLimit: Int = 256 << 10,
        tls: TLSOptions = TLSOptions()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.headerLimit = headerLimit
        self.tls = tls
    }

    /// Whether it may be sent twice with the effect of one: by its method, or since the server knows a repetition by its
    /// key.
    var isIdempotent: Bool { method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false }
}

extension TransportRequest.Body {
    /// The same, opened at its beginning once more already; nil if it can be read only once.
    func reopened() -> Self? {
        guard let stream = try? open() else { return nil }
        let first = OneShot(stream)
        return Self(length: length) { [open] in try (try? first.take()) ?? open() }
    }
}
