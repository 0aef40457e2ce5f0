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

    /// The connections and the thread of a transport for one set of TLS options.
    final class CurlConnections: Sendable {
        let inbox: CurlInbox

        init(options: CurlTransport.Options, tls: TLSOptions) {
            inbox = CurlInbox(options: options, tls: tls)
        }

        deinit { inbox.close() }
    }

    /// Assigns the limited connections of each host to requests; further requests wait in order.
    struct ConnectionLimit {
        private let limit: Int
        private var active: [ObjectIdentifier: CurlTransfer] = [:]
        /// The waiting lines by origin; they are not empty.
        private var lines: [String: FIFOQueue<CurlTransfer>] = [:]

        /// - Parameter limit: The maximum number of connections to a host; 0 for no limit.
        init(_ limit: Int) { self.limit = max(limit, 0) }

        /// Whether no request has a connection or waits for one.
        var isIdle: Bool { active.isEmpty && lines.isEmpty }

        /// Assigns a connection to a request, or adds the request to a line.
        ///
        /// - Returns: Whether it has a connection.
        mutating func admit(_ transfer: CurlTransfer) -> Bool {
            let id = ObjectIdentifier(transfer)
            guard active[id] == nil else { return true }
            // Below the limit in total, the hosts do not matter.
            if limit > 0, active.count >= limit {
                let origin = transfer.origin
                let isFull = lines[origin] != nil || active.values.count { $0.origin == origin } >= limit
                guard !isFull else {
                    lines[origin, default: FIFOQueue()].append(transfer)
                    return false
                }
            }
            active[id] = transfer
            return true
        }

        /// Removes a request.
        ///
        /// - Returns: The request that receives its connection.
        mutating func remove(_ transfer: CurlTransfer) -> CurlTransfer? {
            guard active.removeValue(forKey: ObjectIdentifier(transfer)) != nil else {
                if !lines.isEmpty { change(transfer.origin) { $0.removeAll { $0 === transfer } } }
                return nil
            }
            guard !lines.isEmpty, let next = change(transfer.origin, { $0.takeFirst() }) else { return nil }
            active[ObjectIdentifier(next)] = next
            return next
        }

        @discardableResult
        private mutating func change<Result>(
            _ origin: String, _ body: (inout FIFOQueue<CurlTransfer>) -> Result?
        ) -> Result? {
            guard var line = lines.removeValue(forKey: origin) else { return nil }
            let result = body(&line)
            if line.count > 0 { lines[origin] = line }
            return result
        }
    }
#endif
