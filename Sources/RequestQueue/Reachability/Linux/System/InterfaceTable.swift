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
                unsafe next = unsafe item.pointee.ifa_next
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
#endif
