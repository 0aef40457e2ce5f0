#if os(Linux)
    /// Reports the state of a host to an observer, by performing the steps of a ``HostDetermination``.
    final class HostWatch: Sendable {
        private let host: String
        private let changes: NetworkChanges
        private let lookups: NameLookups
        private let determination: Mutex<HostDetermination>
        private let report: @Sendable (ReachabilityState) -> [ReachabilityListener]

        /// - Parameter report: Receives a state while a lock is held; returns the listeners to be notified after its
        ///   release.
        init(
            host: String, changes: NetworkChanges = .shared, lookups: NameLookups = .shared,
            report: @escaping @Sendable (ReachabilityState) -> [ReachabilityListener]
        ) {
            self.host = host
            self.changes = changes
            self.lookups = lookups
            self.report = report
            determination = Mutex(HostDetermination(isAddress: isIPAddress(host)))
        }

        deinit {
            changes.removeReleased()
            lookups.cancel(host, of: ObjectIdentifier(self))
        }

        /// Starts to watch; for an IP address, the state is determined on return.
        func start() {
            // Listening starts first, so that no change is missed.
            changes.add(self)
            perform { $0.start() }
        }

        func networkChanged(_ interfaces: InterfaceTable?) { perform(interfaces) { $0.networkChanged() } }

        func determineAgain() { perform { $0.determineAgain() } }

        private func perform(
            _ interfaces: InterfaceTable? = nil, _ event: (inout HostDetermination) -> [HostDetermination.Step]
        ) {
            var interfaces = interfaces
            // The system is queried while the lock is held, so that results stay in order.
            let listeners = determination.withLock { determination in
                var listeners: [ReachabilityListener] = []
                var steps = ArraySlice(event(&determination))
                while let step = steps.popFirst() {
                    switch step {
                    case .check(let addresses):
                        interfaces = interfaces ?? InterfaceTable()
                        let addresses = determination.isAddress ? addressesOfAddress : addresses
                        steps += determination.checked(route(to: addresses, by: interfaces))
                    case .lookUp(let number): lookUp(number)
                    case .lookAgain(let number, let pause): after(pause) { $0.lookAgain(number) }
                    case .report(let state): listeners += report(state)
                    }
                }
                return listeners
            }
            for listener in listeners { listener.drain() }
        }

        /// The addresses of an IP address; read each time, because the interface in its scope can appear and disappear.
        private var addressesOfAddress: [SocketAddress] {
            if case .addresses(let addresses) = lookUpAddresses(of: host, isAddress: true) { addresses } else { [] }
        }

        private func lookUp(_ number: Int) {
            lookups.lookUp(host, for: self) { [weak self] in
                self?.after(HostDetermination.lookupLimit) { $0.waitedForLookup(number) }
            } completion: { [weak self] answer in
                self?.perform { $0.lookedUp(number, answer) }
            }
        }

        private func after(
            _ pause: Duration, _ event: @escaping @Sendable (inout HostDetermination) -> [HostDetermination.Step]
        ) {
            let milliseconds = Int(pause / .milliseconds(1))
            changes.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
                self?.perform(nil, event)
            }
        }
    }
#endif
