#if URLSESSION
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
