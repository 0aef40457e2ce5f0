#if os(Linux)
    /// The address of a host as the system calls take it.
    struct SocketAddress: Hashable, Sendable {
        /// A `sockaddr_in` or a `sockaddr_in6`.
        let bytes: [UInt8]

        init?(_ address: UnsafePointer<sockaddr>) {
            let size: Int
            switch unsafe Int32(address.pointee.sa_family) {
            case AF_INET: size = MemoryLayout<sockaddr_in>.size
            case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
            default: return nil
            }
            bytes = unsafe Array(UnsafeRawBufferPointer(start: address, count: size))
        }

        var family: Int32 { unsafe bytes.withUnsafeBytes { unsafe Int32($0.loadUnaligned(as: sa_family_t.self)) } }

        /// The address without its port, with the scope that an IPv6 address of one link has.
        var hostBytes: ArraySlice<UInt8> {
            if family == AF_INET { return bytes[4..<8] }
            // An IPv4 address in the form of IPv6 (RFC 4291 §2.5.5.2) is one of IPv4 to interfaces.
            return bytes[8..<20].elementsEqual(Self.mappedPrefix) ? bytes[20..<24] : bytes[8..<28]
        }

        private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

        /// Calls a system function that takes an address.
        func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
            unsafe withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
                let raw = UnsafeMutableRawBufferPointer(storage)
                unsafe raw.copyBytes(from: bytes)
                let count = socklen_t(bytes.count)
                guard let address = unsafe raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
                    preconditionFailure("storage of one element has an address")
                }
                return unsafe body(address, count)
            }
        }
    }

    /// The numbers of the kernel's interface that C libraries declare in different ways or not at all.
    enum SocketNumbers {
        static let datagram: Int32 = 2
        static let raw: Int32 = 3
        static let closeOnExec: Int32 = 0o2_000_000
        static let nonBlocking: Int32 = 0o4000
    }
#endif
