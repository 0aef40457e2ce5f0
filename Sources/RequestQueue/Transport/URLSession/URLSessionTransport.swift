#if URLSESSION
    /// A transport that uses Foundation's URLSession, the default on Apple platforms.
    ///
    /// It stores no cookies, caches or credentials, and follows no redirects. `Timeouts.connect` has no effect, because
    /// URLSession does not report when a connection is established. Responses are delivered decompressed.
    ///
    /// On Apple platforms it supports all `TLSOptions`, with client certificates in PKCS #12 only. A GET request with a body
    /// fails with `invalidBody`.
    ///
    /// On Linux, it is in the separate module `URLSessionTransport`; prefer `CurlTransport` there. Requests with other than
    /// the default `TLSOptions` fail with `unsupportedTLSOptions`. Bodies of more than 1 MiB or of unknown length are sent
    /// in chunks, and a body that waits for bytes blocks all sessions of the process.
    /// Foundation on Linux can deliver bytes twice after a pause, and can end the process.
    public final class URLSessionTransport: Transport {
        /// The default transport of clients.
        public static let shared = URLSessionTransport()

        private let connections = TLSPartitions { URLSessionConnections(tls: $0) }

        /// Creates a transport with separate connections.
        public init() {}

        /// The size up to which a body is sent from memory; only such bodies have a declared length on all platforms.
        private static let dataLimit: Int64 = 1 << 20

        /// Starts sending a request; a small body is read before.
        public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
            let transfer = URLSessionTransfer(request, handler: handler)
            guard request.proxy == .system else {
                transfer.end(TransportFailure(.proxyFailed, "URLSession supports the proxy of the system only"))
                return transfer
            }
            let connections = connections[request.tls]
            var message = URLRequest(url: request.url, timeoutInterval: URLSessionConnections.longTime)
            message.httpMethod = request.method.rawValue
            for field in request.headers { message.addValue(field.value, forHTTPHeaderField: field.name) }
            guard let body = request.body else {
                // RFC 9110 §8.6: these methods have a meaning for a body.
                let hasBody = [.post, .put, .patch].contains(request.method)
                connections.begin(transfer) { session in
                    hasBody ? session.uploadTask(with: message, from: Data()) : session.dataTask(with: message)
                }
                return transfer
            }
            if request.method == .head {
                transfer.end(TransportFailure(.invalidBody, "a HEAD request has no body"))
            } else if let length = body.length, length <= Self.dataLimit {
                // A separate queue has its own thread while it reads, even if other threads are blocked.
                DispatchQueue(label: "mappingkit.urlsession.body").async { [message] in
                    guard let data = transfer.openBody()?.readAll() else { return }
                    connections.begin(transfer) { $0.uploadTask(with: message, from: data) }
                }
            } else {
                if let length = body.length, declaresStreams {
                    message.setValue("\(length)", forHTTPHeaderField: "Content-Length")
                }
                connections.begin(transfer) { $0.uploadTask(withStreamedRequest: message) }
            }
            return transfer
        }

        /// Closes the connections that no request uses, and others when their requests have ended.
        public func closeIdleConnections() { connections.removeAll() }
    }

    /// A session for requests with the same TLS options; it is invalidated after its last use.
    final class URLSessionConnections: Sendable {
        private struct Open: Sendable {
            let session: URLSession
            let transfers: URLSessionTransfers
        }

        /// The session, or the reason why it cannot be created with the options.
        private let open: Result<Open, TransportFailure>

        init(tls options: TLSOptions) {
            open = Result { () throws(TransportFailure) in
                let tls = try SessionTLS(options)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpCookieStorage = nil
                configuration.httpShouldSetCookies = false
                configuration.httpCookieAcceptPolicy = .never
                configuration.urlCache = nil
                configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
                configuration.urlCredentialStorage = nil
                configuration.httpMaximumConnectionsPerHost = 64
                // Timeouts are implemented above the transport.
                configuration.timeoutIntervalForRequest = Self.longTime
                configuration.timeoutIntervalForResource = Self.longTime
                tls.configure(configuration)
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                let transfers = URLSessionTransfers(tls)
                return Open(
                    session: URLSession(configuration: configuration, delegate: transfers, delegateQueue: queue),
                    transfers: transfers)
            }
        }

        deinit { if case .success(let open) = open { open.session.finishTasksAndInvalidate() } }

        /// A week, in seconds.
        static let longTime = 604_800.0

        /// Starts a transfer with a task of the session, or fails it immediately.
        func begin(_ transfer: URLSessionTransfer, _ makeTask: (URLSession) -> URLSessionTask) {
            switch open {
            case .success(let open): open.transfers.begin(transfer, makeTask(open.session))
            case .failure(let failure): transfer.end(failure)
            }
        }
    }
#endif
