#if os(Linux)
    /// A socket by which the kernel tells, to any user, that links, addresses, routes or rules have changed.
    final class NetlinkSocket: Sendable {
        let descriptor: Int32

        /// Opens it; nil where that is forbidden, or descriptors are used up.
        init?() {
            let type = SocketNumbers.raw | SocketNumbers.closeOnExec | SocketNumbers.nonBlocking
            descriptor = socket(AF_NETLINK, type, Self.routeFamily)
            guard descriptor >= 0 else { return nil }
            // A `sockaddr_nl`: the family, the port that the kernel chooses, the groups.
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

        /// Takes all that the kernel has told.
        ///
        /// What it told is not read: there is too much to it that decides whether a way is there, so the kernel is asked
        /// for the way instead. News that were too many to be kept are news like others.
        ///
        /// - Returns: Whether it can be listened to any longer.
        func drain() -> Bool {
            unsafe withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { buffer in
                // A kernel that never stops must not keep others from the queue; it wakes us again.
                for _ in 0..<1000 {
                    let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
                    if count > 0 || count < 0 && [EINTR, ENOBUFS].contains(errno) { continue }
                    return count < 0 && errno == EAGAIN
                }
                return true
            }
        }

        private static let routeFamily: Int32 = 0
        /// Links, and addresses, routes and rules of IPv4 and IPv6.
        private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x80 | 0x100 | 0x400 | 0x4_0000
    }
#endif
