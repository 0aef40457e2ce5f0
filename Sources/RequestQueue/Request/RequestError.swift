/// Why a request has no response: what happened, where, after how many bytes, and why.
public struct RequestError: Error, Sendable {
    /// What happened.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing was sent: path and base URL make no HTTP URL, or lead out of the base URL.
        case invalidURL
        /// Nothing was sent: the method is no token of HTTP.
        case invalidMethod
        /// Nothing was sent: the name or the value of a header field could inject another one.
        case invalidHeader
        /// Nothing was sent: the body cannot be encoded, or a part of it cannot be sent safely.
        case invalidBody
        /// The body cannot be read: its file is not there or may not be read, or its stream failed.
        case bodyUnreadable
        /// The body has more or fewer bytes than were declared, as a file that changed while it was sent.
        case bodyChanged
        /// The body has to be sent again, after a redirect or on a new connection, and can be read only once.
        case bodyNotRepeatable
        /// The server answered before it had the whole body, and called that a success.
        case bodyNotSent
        /// Nothing was sent: the host cannot be reached by the networks that are there.
        case offline
        /// Nobody knows an address of the host.
        case hostNotFound
        /// The host is there, and nobody listens at its port.
        case connectionRefused
        /// No connection was made for another reason, as without a network.
        case connectionFailed
        /// TLS failed for another reason than the following.
        case secureConnectionFailed
        /// Server and client speak no version of TLS in common; see ``TLSOptions/minimumVersion``.
        case tlsVersionUnsupported
        /// The server's certificate has expired, or is not valid yet.
        case serverCertificateHasBadDate
        /// The server's certificate is signed by itself and not among those that are trusted.
        case serverCertificateSelfSigned
        /// The server's certificate does not lead to an authority that is trusted, or not by a sound way.
        case serverCertificateUntrusted
        /// The server's certificate is sound, and not of the host that was asked.
        case serverCertificateForOtherHost
        /// The server's public key is none of ``TLSOptions/pinnedPublicKeys``, or the URL is of `http`.
        case serverPublicKeyNotPinned
        /// The server wants a client certificate and got none, or does not accept the one it got.
        case clientCertificateRejected
        /// A certificate, a key, its password or a pin cannot be used.
        case invalidTLSOptions
        /// Nothing was sent: the transport cannot do what ``TLSOptions`` ask for.
        case unsupportedTLSOptions
        /// The connection ended before the response did.
        case connectionLost
        /// The connection was not made within ``Timeouts/connect``.
        case connectTimedOut
        /// No byte went or came for ``Timeouts/idle``.
        case idleTimedOut
        /// There was no outcome within ``Timeouts/total``.
        case timedOut
        /// The process was in the background for longer than the system allows it to work there.
        case backgroundTimedOut
        /// Fewer bytes came than were declared.
        case truncatedResponse
        /// What came is no HTTP.
        case malformedResponse
        /// The content coding of the response is damaged, truncated or unknown.
        case undecodableResponse
        /// The response exceeds a limit of ``ResponseLimits``.
        case responseTooLarge
        /// More redirects came than ``RESTRequest/redirectLimit`` allows.
        case tooManyRedirects
        /// A redirect that must not be followed, as one to another scheme than HTTP.
        case unsafeRedirect
        /// There are no credentials to send: the token could not be refreshed, or user or token cannot be sent.
        case authenticationFailed
        /// An adapter failed, or returned a request to another origin; see ``RequestAdapter``.
        case adaptationFailed
        /// The proxy refused to connect to the server, or the transport does not support a custom proxy.
        case proxyFailed
        /// The response has another status or content type than the caller accepts.
        case unacceptableResponse
        /// The download cannot be written.
        case fileNotWritable
        /// Nothing was sent: the request may only be answered by the cache, and nothing there may be used.
        case notCached
        /// The request was cancelled, or the task that waited for it.
        case cancelled
    }

    /// How far the request was.
    public enum Phase: String, Sendable, Hashable {
        /// The request is checked, or waits in a queue; nothing of it went anywhere.
        case preparing
        /// The name is looked up, and a connection made or taken.
        case connecting
        /// The header and the body go.
        case sending
        /// All of it went, and nothing came yet.
        case waiting
        /// The response comes.
        case receiving

        /// Whether there is no connection yet that a byte could have gone by.
        var isUnconnected: Bool { self == .preparing || self == .connecting }
    }

    /// What happened.
    public var kind: Kind
    /// The method that was asked last, after redirects.
    public var method: HTTPMethod?
    /// The URL that was asked last, after redirects; the client's base URL if no URL can be made.
    public var url: URL?
    /// How far it was.
    public var phase: Phase
    /// Bytes of the body that went.
    public var bytesSent: Int64
    /// Bytes of the body that came, before they were decompressed.
    public var bytesReceived: Int64
    /// How often the request was sent; more than once only by its ``RESTRequest/retryPolicy``.
    public var attempts: Int
    /// The cause, as a sentence without its full stop, and what to do about it.
    public var cause: String
    /// The error of an encoder, a decoder or a body that caused this one.
    public var underlying: (any Error)?
    /// The response that the caller does not accept, with its body; `nil` for other kinds than `unacceptableResponse`.
    ///
    /// ```swift
    /// let problem = try error.response?.json(Problem.self)
    /// ```
    public var response: RESTResponse? {
        get { received?.response }
        set { received = newValue.map { Received(response: $0) } }
    }

    // A reference, so that an error stays small to throw.
    private var received: Received?

    private final class Received: Sendable {
        let response: RESTResponse
        init(response: RESTResponse) { self.response = response }
    }

    /// An error of a kind, with its cause.
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

    /// Whether a time-out ended the request.
    public var isTimeout: Bool {
        switch kind {
        case .connectTimedOut, .idleTimedOut, .timedOut, .backgroundTimedOut: true
        default: false
        }
    }
}
