#if canImport(Network)
    @preconcurrency import Network

    /// Reports the network state of the device, from the Network framework, to an observer.
    ///
    /// It covers the device and not individual hosts; only the device itself is reachable without a network.
    final class HostWatch: Sendable {
        private static let queue = DispatchQueue(label: "mappingkit.reachability", qos: .userInitiated)

        private let isThisDevice: Bool
        private let report: @Sendable (ReachabilityState) -> [ReachabilityListener]
        private let monitor = Mutex<NWPathMonitor?>(nil)

        /// - Parameter report: Receives a state; returns the listeners to be notified.
        init(host: String, report: @escaping @Sendable (ReachabilityState) -> [ReachabilityListener]) {
            isThisDevice = host == "localhost" || host == "::1" || host.hasPrefix("127.")
            self.report = report
        }

        deinit { monitor.withLock { $0?.cancel() } }

        /// Starts to watch; the first state is received shortly afterwards.
        func start() {
            guard !isThisDevice else { return report(.reachable(via: NetworkInterface(.loopback, name: "lo0"))) }
            monitor.withLock { monitor in
                // A cancelled monitor cannot be started again.
                monitor?.cancel()
                let fresh = NWPathMonitor()
                fresh.pathUpdateHandler = { [weak self] path in self?.report(ReachabilityState(path)) }
                fresh.start(queue: Self.queue)
                monitor = fresh
            }
        }

        func determineAgain() {
            if !isThisDevice { report(.indeterminate) }
            start()
        }

        private func report(_ state: ReachabilityState) {
            for listener in report(state) { listener.drain() }
        }
    }

    extension ReachabilityState {
        fileprivate init(_ path: NWPath) {
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
