#if os(Linux)
    /// The address of a host in the form of system calls.
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

        /// The address without its port, including the scope of a link-local IPv6 address.
        var hostBytes: ArraySlice<UInt8> {
            if family == AF_INET { return bytes[4..<8] }
            // For interfaces, an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is an IPv4 address.
            return bytes[8..<20].elementsEqual(Self.mappedPrefix) ? bytes[20..<24] : bytes[8..<28]
        }

        private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

        /// Calls a system function with a pointer to the address.
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

    /// Constants of the kernel interface that C libraries declare differently or not at all.
    enum SocketNumbers {
        static let datagram: Int32 = 2
        static let raw: Int32 = 3
        static let closeOnExec: Int32 = 0o2_000_000
        static let nonBlocking: Int32 = 0o4000
    }
#endif
