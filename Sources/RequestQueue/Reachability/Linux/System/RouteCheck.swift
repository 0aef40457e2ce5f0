#if os(Linux)
    /// Returns the route of packets to any of the addresses, as the system would send them; no packet is sent.
    func route(to addresses: [SocketAddress], by interfaces: InterfaceTable?) -> Route {
        guard let interfaces else { return .unknown }
        var best = Route.missing(.noRoute)
        for address in addresses {
            switch route(to: address, by: interfaces) {
            case .begins(let interface): return .begins(interface)
            case .missing(.noCarrier(let name)) where best != .unknown: best = .missing(.noCarrier(interface: name))
            case .missing: continue
            case .unknown: best = .unknown
            }
        }
        return best
    }

    private func route(to address: SocketAddress, by interfaces: InterfaceTable) -> Route {
        let descriptor = socket(address.family, SocketNumbers.datagram | SocketNumbers.closeOnExec, 0)
        // Without IPv6, such a socket cannot be created: its addresses have no route. Other errors concern this
        // process.
        guard descriptor >= 0 else { return errno == EAFNOSUPPORT ? .missing(.noRoute) : .unknown }
        defer { close(descriptor) }
        // Connecting a datagram socket only looks up a route; it succeeds even if the link has no carrier.
        guard unsafe address.withPointer({ unsafe connect(descriptor, $0, $1) }) == 0 else {
            return [ENOMEM, ENOBUFS].contains(errno) ? .unknown : .missing(.noRoute)
        }
        guard let source = localAddress(of: descriptor) else { return .unknown }
        return interfaces.route(from: source, to: address)
    }

    private func localAddress(of descriptor: Int32) -> SocketAddress? {
        unsafe withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
            var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
            guard
                let address = unsafe UnsafeMutableRawPointer(storage.baseAddress)?.assumingMemoryBound(
                    to: sockaddr.self),
                unsafe getsockname(descriptor, address, &count) == 0
            else { return nil }
            return unsafe SocketAddress(address)
        }
    }
#endif
