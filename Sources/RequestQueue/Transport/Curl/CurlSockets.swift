#if CURL
    import CCurl

    /// The sockets of a transport's connections, for its thread: libcurl names a connection by its local port only.
    final class CurlSockets {
        private var sockets: [Int: Int32] = [:]
        /// Those whose connection was not named yet.
        private var fresh: Set<Int32> = []

        /// Makes the socket of a new connection, which child processes do not inherit: they would keep it open.
        func open(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
            let socket = mk_curl_open_socket(address)
            if socket >= 0 { fresh.insert(socket) }
            return socket
        }

        func close(_ socket: Int32) -> Int32 {
            if fresh.remove(socket) == nil, let port = sockets.first(where: { $0.value == socket })?.key {
                sockets[port] = nil
            }
            return mk_curl_close_socket(socket)
        }

        /// The socket of a connection.
        func socket(port: Int) -> Int32? {
            if let socket = fresh.first(where: { mk_curl_local_port($0) == port }) {
                fresh.remove(socket)
                sockets[port] = socket
            }
            return sockets[port]
        }
    }
#endif
