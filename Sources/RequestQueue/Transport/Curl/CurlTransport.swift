#if CURL
    /// A transport that uses the system's libcurl.
    ///
    /// One thread sends all requests of a transport that have the same ``TLSOptions``. It starts with the first request, and
    /// ends after ``Options/idleTimeout`` without requests, or after the last request when the transport is released.
    /// Requests are sent as HTTP/1.1. A proxy is taken from the environment as `curl` takes it (`http_proxy`, `https_proxy`,
    /// `all_proxy`, `no_proxy`), but never to the loopback interface.
    public final class CurlTransport: Transport {
        /// The use of connections.
        public struct Options: Sendable, Hashable {
            /// The maximum number of concurrent connections to one host for requests with the same ``TLSOptions``.
            ///
            /// Defaults to 64; 0 disables the limit.
            ///
            /// Further requests wait for a free connection.
            public var connectionsPerHost: Int
            /// The maximum number of connections that stay open for later requests with the same ``TLSOptions``.
            ///
            /// Defaults to 256. While requests run, their connections count, too. With 0, each connection is closed after
            /// its request.
            public var idleConnections: Int
            /// The time for which a connection without a request stays open for later requests.
            ///
            /// Defaults to 60 seconds. After this time without any request, all connections are closed.
            public var idleTimeout: Duration

            /// Creates options with default values.
            public init(
                connectionsPerHost: Int = 64, idleConnections: Int = 256, idleTimeout: Duration = .seconds(60)
            ) {
                self.connectionsPerHost = connectionsPerHost
                self.idleConnections = idleConnections
                self.idleTimeout = idleTimeout
            }
        }

        /// The default transport of clients.
        public static let shared = CurlTransport()

        private let connections: TLSPartitions<CurlConnections>

        /// Creates a transport with separate connections and a separate thread.
        public init(options: Options = Options()) {
            connections = TLSPartitions { CurlConnections(options: options, tls: $0) }
        }

        /// Starts sending a request.
        public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
            let inbox = connections[request.tls].inbox
            let transfer = CurlTransfer(request, handler: handler, inbox: inbox)
            if let failure = inbox.post(.start(transfer)) { transfer.finish(failure) }
            return transfer
        }

        /// Closes the connections that no request uses, and others when their requests have ended.
        public func closeIdleConnections() { connections.removeAll() }
    }
#endif
