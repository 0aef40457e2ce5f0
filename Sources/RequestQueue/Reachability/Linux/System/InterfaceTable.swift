#if os(Linux)
    /// A snapshot of the interfaces of this machine and their addresses.
    struct InterfaceTable {
        private struct Entry {
            let name: String
            let isUp: Bool
            let hasCarrier: Bool
            let address: SocketAddress
        }

        private var entries: [Entry] = []
        /// The link types, as numbers in `if_arp.h`.
        private var hardware: [String: UInt16] = [:]

        /// Reads the current table; `nil` if the system does not provide it.
        init?() {
            var list: UnsafeMutablePointer<ifaddrs>?
            guard unsafe getifaddrs(&list) == 0 else { return nil }
            defer { unsafe freeifaddrs(list) }
            var next = unsafe list
            while let item = unsafe next {
                unsafe next = item.pointee.ifa_next
                guard let address = unsafe item.pointee.ifa_addr, let label = unsafe item.pointee.ifa_name else {
                    continue
                }
                // The label of a second address can be `eth0:1`.
                let name = unsafe String(cString: label).prefix { $0 != ":" }
                if unsafe Int32(address.pointee.sa_family) == AF_PACKET {
                    hardware[String(name)] = unsafe UnsafeRawPointer(address).loadUnaligned(
                        fromByteOffset: 8, as: UInt16.self)
                } else if let address = unsafe SocketAddress(address) {
                    let flags = unsafe Int32(bitPattern: item.pointee.ifa_flags)
                    entries.append(
                        Entry(
                            name: String(name), isUp: flags & Self.up != 0, hasCarrier: flags & Self.running != 0,
                            address: address))
                }
            }
        }

        /// Returns the route of packets from a source address to a destination.
        func route(from source: SocketAddress, to destination: SocketAddress) -> Route {
            // Packets to this machine do not pass the interface that has the address.
            let isLocal = source.hostBytes == destination.hostBytes
            let owners = entries.filter {
                isLocal ? hardware[$0.name] == Self.loopback : $0.address.hostBytes == source.hostBytes
            }
            if let owner = owners.first(where: { $0.isUp && $0.hasCarrier }) {
                return .begins(NetworkInterface(kind(of: owner.name), name: owner.name))
            }
            return .missing(owners.first.map { .noCarrier(interface: $0.name) } ?? .noRoute)
        }

        private func kind(of name: String) -> NetworkInterface.Kind {
            let hardware = hardware[name]
            if hardware == Self.loopback { return .loopback }
            let facts = (try? String(contentsOfFile: "/sys/class/net/\(name)/uevent", encoding: .utf8)) ?? ""
            if facts.contains("DEVTYPE=wlan") { return .wifi }
            if facts.contains("DEVTYPE=wwan") { return .cellular }
            return hardware == Self.ethernet ? .wired : .other
        }

        private static let up: Int32 = 0x1
        private static let running: Int32 = 0x40
        private static let ethernet: UInt16 = 1
        private static let loopback: UInt16 = 772
    }

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
