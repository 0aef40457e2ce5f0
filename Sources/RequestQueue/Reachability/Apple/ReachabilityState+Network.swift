#if canImport(Network)
    import Network

    extension ReachabilityState {
        /// Converts the state of the device's network.
        init(_ path: NWPath) {
            let interface = path.availableInterfaces.first { path.usesInterfaceType($0.type) }
            let isConnectionRequired = path.status == .requiresConnection
            if path.status == .satisfied || isConnectionRequired {
                self = .reachable(
                    via: NetworkInterface(
                        interface.map { NetworkInterface.Kind($0.type) } ?? .other, name: interface?.name ?? "",
                        isConnectionRequired: isConnectionRequired))
            } else {
                self = .notReachable(path.unsatisfiedReason == .notAvailable ? .noRoute : .notPermitted)
            }
        }
    }

    extension NetworkInterface.Kind {
        fileprivate init(_ type: NWInterface.InterfaceType) {
            switch type {
            case .wifi: self = .wifi
            case .cellular: self = .cellular
            case .wiredEthernet: self = .wired
            case .loopback: self = .loopback
            default: self = .other
            }
        }
    }
#endif
