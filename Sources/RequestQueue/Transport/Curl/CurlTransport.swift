#if CURL
    /// The transport over the system's libcurl.
    ///
    /// One thread carries all requests of a transport that have the same ``TLSOptions``; it starts with the first, and
    /// ends after the last when the transport is gone. Requests are sent as HTTP/1.1. A proxy is taken from the
    /// environment as `curl` takes it (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`), but never to the loopback
    /// interface.
    public final class CurlTransport: Transport {
        /// How a transport uses connections.
        public struct Options: Sendable, Hashable {
            /// Connections to one host at a time, of requests with the same ``TLSOptions``: 64 unless told; with 0 there is
            /// no limit.
            ///
            /// Requests beyond them wait for one that is free.
            public var connectionsPerHost: Int

            /// Options, each with the value it has unless told.
            public init(connectionsPerHost: Int = 64) {
                self.connectionsPerHost = connectionsPerHost
            }
        }

        /// The transport of clients that are given none.
        public static let shared = CurlTransport()

        private let connections: TLSPartitions<CurlConnections>

        /// A transport with connections and a thread of its own.
        public init(options: Options = Options()) {
            connections = TLSPartitions { CurlConnections(options: options, tls: $0) }
        }

        /// Begins to send.
        public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
            let inbox = connections[request.tls].inbox
            let transfer = CurlTransfer(request, handler: handler, inbox: inbox)
            if let failure = inbox.post(.start(transfer)) { transfer.finish(failure) }
            return transfer
        }
    }
#endif
