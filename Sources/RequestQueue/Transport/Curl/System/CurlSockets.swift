#if CURL
    import CCurl

    /// The sockets of a transport's connections, for its thread: libcurl names a connection by its two ends.
    final class CurlSockets {
        struct Connection: Hashable {
            let localPort: Int32
            let host: String
            let port: Int32
        }

        private var sockets: [Connection: Int32] = [:]
        /// Those whose connection was not named yet.
        private var fresh: Set<Int32> = []

        /// Makes the socket of a new connection, which child processes do not inherit: they would keep it open.
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

        /// Forgets a connection that must not be used again, so that its socket is not found.
        func forget(_ connection: Connection) { sockets[connection] = nil }

        /// The socket of a connection that was named and goes on.
        func knownSocket(of connection: Connection) -> Int32? { sockets[connection] }

        /// The socket of a connection; nil if it ended before it was named, or was forgotten.
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
