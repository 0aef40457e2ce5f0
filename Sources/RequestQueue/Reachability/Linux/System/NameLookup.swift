#if os(Linux)
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
            unsafe next = unsafe info.pointee.ai_next
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
