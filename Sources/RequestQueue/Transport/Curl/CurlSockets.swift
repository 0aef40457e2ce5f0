#if CURL
    /// The sockets of connections that wait for their next request, by their ports; for one thread.
    ///
    /// libcurl 7.88 uses such a connection also when bytes came on it that nobody asked for, and takes them for the next
    /// answer. It names a connection only by its port before it sends.
    final class CurlSockets {
        private var sockets: [Int: Int32] = [:]

        /// Notes that a connection waits.
        func keep(_ socket: Int32, port: Int) {
            // Those that libcurl closes are not told; forgetting is only less careful.
            if sockets.count > 4096 { sockets.removeAll() }
            sockets[port] = socket
        }

        /// Whether nothing came on a connection while it waited, not even its end.
        func isSilent(port: Int) -> Bool {
            guard let socket = sockets[port] else { return true }
            var byte: UInt8 = 0
            return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0
        }
    }
#endif
