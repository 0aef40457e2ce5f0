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

    /// Looks up the addresses of a host; blocks until the system answers.
    ///
    /// - Parameter isAddress: Whether the host is an IP address, which is only parsed.
    func lookUpAddresses(of host: String, isAddress: Bool) -> NameLookupResult {
        var hints = unsafe addrinfo(
            ai_flags: AI_NUMERICSERV | (isAddress ? AI_NUMERICHOST : 0), ai_family: 0,
            ai_socktype: SocketNumbers.datagram, ai_protocol: 0, ai_addrlen: 0, ai_addr: nil, ai_canonname: nil,
            ai_next: nil)
        var list: UnsafeMutablePointer<addrinfo>?
        // The discard service: nothing is sent to it, but connecting to an address requires a port.
        let code = unsafe getaddrinfo(host, "9", &hints, &list)
        guard code == 0 else {
            // Unknown name, name without address, name without an address of these families; the numbers are the same
            // on every Linux.
            return [-2, -5, -9].contains(code) ? .notFound : .none
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let info = unsafe next, addresses.count < 16 {
            if let address = unsafe info.pointee.ai_addr.flatMap({ unsafe SocketAddress($0) }) {
                addresses.append(address)
            }
            unsafe next = info.pointee.ai_next
        }
        return addresses.isEmpty ? .notFound : .addresses(addresses)
    }

    /// Whether a host is an IP address in any form that the system accepts, such as `::1`, `fe80::1%eth0` or `127.1`.
    func isIPAddress(_ host: String) -> Bool {
        // An address whose scope names a missing interface cannot be parsed.
        if host.contains(":") { return true }
        if case .addresses = lookUpAddresses(of: host, isAddress: true) { return true }
        return false
    }
#endif
