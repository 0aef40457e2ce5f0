#if os(Linux)
    /// Asks the system for the addresses of a host, as long as that takes.
    ///
    /// - Parameter isAddress: The host is an IP address, for which nobody has to be asked.
    func lookUpAddresses(of host: String, isAddress: Bool) -> NameAnswer {
        var hints = unsafe addrinfo(
            ai_flags: AI_NUMERICSERV | (isAddress ? AI_NUMERICHOST : 0), ai_family: 0,
            ai_socktype: SocketNumbers.datagram, ai_protocol: 0, ai_addrlen: 0, ai_addr: nil, ai_canonname: nil,
            ai_next: nil)
        var list: UnsafeMutablePointer<addrinfo>?
        // The discard service: nothing is sent to it, but an address without a port cannot be connected to.
        let code = unsafe getaddrinfo(host, "9", &hints, &list)
        guard code == 0 else {
            // Unknown, known without an address, and known without one of these families: numbers of every Linux.
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

    /// Whether a host is an IP address in any form that the system takes, as `::1`, `fe80::1%eth0` or `127.1`.
    func isIPAddress(_ host: String) -> Bool {
        // An address of a link that is not there yet is not understood.
        if host.contains(":") { return true }
        if case .addresses = lookUpAddresses(of: host, isAddress: true) { return true }
        return false
    }
#endif
