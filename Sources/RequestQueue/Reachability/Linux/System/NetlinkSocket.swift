#if os(Linux)
    /// A socket that receives changes of links, addresses, routes and rules from the kernel, without privileges.
    final class NetlinkSocket: Sendable {
        let descriptor: Int32

        /// Opens the socket; `nil` if that is forbidden, or if no descriptor is free.
        init?() {
            let type = SocketNumbers.raw | SocketNumbers.closeOnExec | SocketNumbers.nonBlocking
            descriptor = socket(AF_NETLINK, type, Self.routeFamily)
            guard descriptor >= 0 else { return nil }
            // A `sockaddr_nl`: the family, the port assigned by the kernel, the groups.
            var address: [UInt32] = [UInt32(AF_NETLINK), 0, Self.groups]
            let isBound = unsafe address.withUnsafeMutableBytes { bytes in
                unsafe bytes.storeBytes(of: sa_family_t(AF_NETLINK), as: sa_family_t.self)
                return unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe bind(descriptor, $0.baseAddress, 12) }
                    == 0
            }
            guard isBound else { return nil }
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }

        /// Reads and discards all pending messages.
        ///
        /// The messages are not parsed: routes depend on too many of them, so the kernel is queried for the route
        /// instead. Lost messages after an overflow count as a change as well.
        ///
        /// - Returns: Whether the socket can still be used.
        func drain() -> Bool {
            unsafe withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { buffer in
                // The limit keeps a busy kernel from blocking the queue; the socket wakes it again.
                for _ in 0..<1000 {
                    let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
                    if count > 0 || count < 0 && [EINTR, ENOBUFS].contains(errno) { continue }
                    return count < 0 && errno == EAGAIN
                }
                return true
            }
        }

        private static let routeFamily: Int32 = 0
        /// Links, and addresses, routes and rules for IPv4 and IPv6.
        private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x80 | 0x100 | 0x400 | 0x4_0000
    }
#endif
