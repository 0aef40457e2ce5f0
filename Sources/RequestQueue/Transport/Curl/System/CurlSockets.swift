#if CURL
    import CMappingCurl

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
        /// The connections whose unread bytes are kept when libcurl closes them, and these bytes.
        private var unread: [Connection: [UInt8]] = [:]

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
                if unread[connection] != nil { unread[connection] = receivedBytes(of: socket) }
                sockets[connection] = nil
            }
            return mk_curl_close_socket(socket)
        }

        /// Keeps the bytes that a connection has received, but libcurl has not read, when it is closed.
        func keepUnread(of connection: Connection) { unread[connection] = [] }

        /// Returns these bytes, and no longer keeps them.
        func takeUnread(of connection: Connection) -> [UInt8] { unread.removeValue(forKey: connection) ?? [] }

        /// Reads a limited number of bytes without waiting; a reset does not discard them.
        private func receivedBytes(of socket: Int32) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 256 << 10)
            // The sockets of libcurl do not block.
            let count = bytes.withMutableRawSpan { FileSystem.read(socket, into: &$0) }
            bytes.removeLast(bytes.count - max(count, 0))
            return bytes
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
