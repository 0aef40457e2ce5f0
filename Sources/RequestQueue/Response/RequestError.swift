/// The reason why a request has no response.
///
/// It can be logged: however it is printed, it does not contain the values of secret fields, the query, bodies or the
/// underlying error. ``details`` contains the last two.
public struct RequestError: Error, Sendable {
    /// The kind of a failure, by which programs can react to it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The path and the base URL are not a URL with HTTP, or the path is outside of the base URL; nothing was sent.
        case invalidURL
        /// The method is not a token of HTTP; nothing was sent.
        case invalidMethod
        /// The name or value of a header field could inject another field; nothing was sent.
        case invalidHeader
        /// The body cannot be encoded, or a part of it cannot be sent safely; nothing was sent.
        case invalidBody
        /// The body cannot be read: its file is missing or not readable, or its stream failed.
        case bodyUnreadable
        /// The body has more or fewer bytes than declared, for example because a file changed while it was sent.
        case bodyChanged
        /// The body must be sent again, after a redirect or on a new connection, but can be read only once.
        case bodyNotRepeatable
        /// The server answered with a success before the body was sent completely.
        case bodyNotSent
        /// No available network reaches the host; nothing was sent.
        case offline
        /// The name of the host has no address.
        case hostNotFound
        /// The host does not accept connections at the port.
        case connectionRefused
        /// No connection could be established for another reason.
        case connectionFailed
        /// TLS failed for a reason that has no kind below.
        case secureConnectionFailed
        /// Server and client have no common TLS version; see ``TLSOptions/minimumVersion``.
        case tlsVersionUnsupported
        /// The server's certificate has expired, or is not valid yet.
        case serverCertificateHasBadDate
        /// The server's certificate is self-signed and not trusted.
        case serverCertificateSelfSigned
        /// The server's certificate has no valid chain to a trusted authority.
        case serverCertificateUntrusted
        /// The server's certificate is valid for another host.
        case serverCertificateForOtherHost
        /// The server's public key is not one of ``TLSOptions/pinnedPublicKeys``, or the scheme is `http`.
        case serverPublicKeyNotPinned
        /// The server requires a client certificate, or rejected the one that was sent.
        case clientCertificateRejected
        /// A certificate, a key, its password or a pin cannot be used.
        case invalidTLSOptions
        /// The transport does not support the ``TLSOptions``; nothing was sent.
        case unsupportedTLSOptions
        /// The connection ended before the response was complete.
        case connectionLost
        /// No connection was established within ``Timeouts/connect``.
        case connectTimedOut
        /// No byte was sent or received for ``Timeouts/idle``.
        case idleTimedOut
        /// There was no outcome within ``Timeouts/total``.
        case timedOut
        /// The process was in the background for longer than the system allows it to work there.
        case backgroundTimedOut
        /// Fewer bytes were received than declared.
        case truncatedResponse
        /// The response is not valid HTTP.
        case malformedResponse
        /// The content coding of the response is damaged, truncated or unknown.
        case undecodableResponse
        /// The response exceeds a limit of ``ResponseLimits``.
        case responseTooLarge
        /// The number of redirects exceeds ``RequestSettings/redirectLimit``.
        case tooManyRedirects
        /// A redirect that is not followed, for example to a scheme other than HTTP; see ``RedirectPolicy``.
        case unsafeRedirect
        /// No credentials are available: the token could not be refreshed, or user or token cannot be sent.
        case authenticationFailed
        /// An adapter failed, or returned a request to another origin; see ``RequestAdapter``.
        case adaptationFailed
        /// The proxy refused to connect to the server, or the transport does not support a custom proxy.
        case proxyFailed
        /// The caller does not accept the status or the content type of the response.
        case unacceptableResponse
        /// The file of the download cannot be written.
        case fileNotWritable
        /// The request requires a cached response, and no cached response can be used; nothing was sent.
        case notCached
        /// The client was shut down before the request was sent; see ``RESTClient/shutdown(cancelsRequests:)``.
        case clientShutDown
        /// The request, or the task that waited for it, was cancelled.
        case cancelled
    }

    /// The phase of a request.
    public enum Phase: String, Sendable, Hashable {
        /// The request is checked, or waits in a queue.
        case preparing
        /// The name is looked up, and a connection is established or reused.
        case connecting
        /// The header and the body are sent.
        case sending
        /// The request was sent completely, and no byte of the response was received.
        case waiting
        /// The response is received.
        case receiving

        /// Whether no byte can have been sent yet.
        var isUnconnected: Bool { self == .preparing || self == .connecting }
    }

    /// The kind of the failure.
    public var kind: Kind
    /// The method of the last request, after redirects.
    public var method: HTTPMethod?
    /// The URL of the last request, after redirects; the base URL of the client if the URL is invalid.
    public var url: URL?
    /// The phase in which the request failed.
    public var phase: Phase
    /// The bytes of the body that were sent.
    public var bytesSent: Int64
    /// The bytes of the body that were received, before they were decompressed.
    public var bytesReceived: Int64
    /// The number of attempts; more than one by a ``RequestSettings/retryPolicy``.
    public var attempts: Int
    /// The cause as a sentence without its period, and a remedy where one is known.
    public var cause: String
    /// The error of an encoder, a decoder or a body that caused this one.
    public var underlying: (any Error)?
    /// The response that the caller does not accept, with its body; `nil` unless `kind` is
    /// `unacceptableResponse`.
    ///
    /// ```swift
    /// let problem = try error.response?.json(Problem.self)
    /// ```
    public var response: RESTResponse? {
        get { received?.response }
        set { received = newValue.map { Received(response: $0) } }
    }

    // A reference keeps the size of the error small.
    private var received: Received?

    private final class Received: Sendable {
        let response: RESTResponse
        init(response: RESTResponse) { self.response = response }
    }

    /// Creates an error.
    public init(
        _ kind: Kind, _ cause: String, method: HTTPMethod? = nil, url: URL? = nil, phase: Phase = .preparing,
        bytesSent: Int64 = 0, bytesReceived: Int64 = 0, attempts: Int = 1, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.method = method
        self.url = url
        self.phase = phase
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.attempts = attempts
        self.cause = cause
        self.underlying = underlying
    }

    /// Whether a timeout ended the request.
    public var isTimeout: Bool {
        [.connectTimedOut, .idleTimedOut, .timedOut, .backgroundTimedOut].contains(kind)
    }
}
