#if canImport(Network)
    import Network

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
            guard !isThisDevice else { return deliver(.reachable(via: NetworkInterface(.loopback, name: "lo0"))) }
            monitor.withLock { monitor in
                // A cancelled monitor cannot be started again.
                monitor?.cancel()
                let fresh = NWPathMonitor()
                fresh.pathUpdateHandler = { [weak self] path in self?.deliver(ReachabilityState(path)) }
                fresh.start(queue: Self.queue)
                monitor = fresh
            }
        }

        func determineAgain() {
            if !isThisDevice { deliver(.indeterminate) }
            start()
        }

        /// Reports a state, and notifies its listeners.
        private func deliver(_ state: ReachabilityState) {
            for listener in report(state) { listener.drain() }
        }
    }
#endif
