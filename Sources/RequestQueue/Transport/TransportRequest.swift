/// A checked, complete request with an absolute URL, for a transport.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// A URL with the scheme `http` or `https` and a host.
    public var url: URL
    /// All header fields except for those that frame the message (`Content-Length`, `Transfer-Encoding`, `Host`,
    /// `Connection`).
    public var headers: HTTPHeaders
    /// The body; `nil` for none.
    public var body: Body?
    /// The maximum number of bytes in the header fields of the response.
    public var headerLimit: Int
    /// The trusted certificate authorities and the client certificate.
    ///
    /// A transport that does not support the options fails with `unsupportedTLSOptions`.
    public var tls: TLSOptions
    /// The proxy.
    ///
    /// Defaults to ``RequestProxy/system``.
    public var proxy = RequestProxy.system
    /// Whether the server may request credentials before the body: the transport may send `Expect` first.
    package var mayBeRefused = false
    /// Whether it must not be sent on an idle connection, because other idle connections may be closed, too.
    package var usesNewConnection = false

    /// A body, which the transport opens each time it sends the request.
    public struct Body: Sendable {
        /// The number of bytes, sent as `Content-Length`; `nil` for a body in chunks.
        public var length: Int64?
        /// Opens the body at its beginning; throws if it is unreadable, or can be read only once.
        public var open: @Sendable () throws -> any BodyStream

        /// Creates a body with its number of bytes, if it is known.
        public init(length: Int64?, open: @escaping @Sendable () throws -> any BodyStream) {
            self.length = length
            self.open = open
        }
    }

    /// Creates a request.
    ///
    /// The limit of the header defaults to 256 KiB, and TLS to the authorities of the system.
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

    /// Whether it may be sent twice: because of its method, or because the server recognizes repetitions by a key.
    var isIdempotent: Bool { method.isIdempotent || headers["Idempotency-Key"]?.isEmpty == false }
}

extension TransportRequest.Body {
    /// Opens the body at its beginning; the stream verifies the declared length.
    package func opened() throws(TransportFailure) -> CheckedStream {
        do { return CheckedStream(try open(), length: length, subject: "the body") } catch {
            throw TransportFailure(bodyError: error)
        }
    }

    /// Returns the request with its body already opened at the beginning; `nil` if it can be read only once.
    func reopened() -> Self? {
        guard let stream = try? open() else { return nil }
        let first = SingleUse(stream)
        return Self(length: length) { [open] in try (try? first.take()) ?? open() }
    }
}
