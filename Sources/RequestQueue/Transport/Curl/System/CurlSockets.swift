#if CURL
    import CCurl

    /// The sockets of a transport's connections, identified by the endpoints that libcurl reports.
    final class CurlSockets {
        struct Connection: Hashable {
            let localPort: Int32
            let host: String
            let port: Int32
        }

        private var sockets: [Connection: Int32] = [:]
        /// The sockets whose connections were not reported yet.
        private var fresh: Set<Int32> = []

        /// Creates the socket of a new connection.
        ///
        /// Child processes do not inherit it, because they would keep it open.
        func open(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
            let socket = unsafe mk_curl_open_socket(address)
            if socket >= 0 { fresh.insert(socket) }
            return socket
        }

        func close(_ socket: Int32) -> Int32 {
            if fresh.remove(socket) == nil, let connection = sockets.first(where: { $0.value == socket })?.key {
                sockets[connection] = nil
            }
            return mk_curl_close_socket(socket)
        }

        /// Removes a connection that must not be used again.
        func forget(_ connection: Connection) { sockets[connection] = nil }

        /// Returns the socket of an open connection that was reported before.
        func knownSocket(of connection: Connection) -> Int32? { sockets[connection] }

        /// Returns the socket of a connection; `nil` if it closed before it was reported, or was removed.
        func socket(of connection: Connection) -> Int32? {
            let socket = fresh.first {
                unsafe mk_curl_is_connection($0, connection.localPort, connection.host, connection.port) != 0
            }
            if let socket {
                fresh.remove(socket)
                sockets[connection] = socket
            }
            return sockets[connection]
        }
    }
#endif
