#if os(Linux)
    import Dispatch
    import Synchronization

    /// Keeps an observer told of the way to its host: carries out the steps of a ``HostDetermination``.
    final class HostWatch: Sendable {
        private let host: String
        private let changes: NetworkChanges
        private let lookups: NameLookups
        private let determination: Mutex<HostDetermination>
        private let tell: @Sendable (ReachabilityState) -> [ReachabilityListener]

        /// - Parameter tell: Takes a state, behind a lock; returns who has to be told when it is free.
        init(
            host: String, changes: NetworkChanges = .shared, lookups: NameLookups = .shared,
            tell: @escaping @Sendable (ReachabilityState) -> [ReachabilityListener]
        ) {
            self.host = host
            self.changes = changes
            self.lookups = lookups
            self.tell = tell
            determination = Mutex(HostDetermination(isAddress: isIPAddress(host)))
        }

        deinit {
            changes.remove(ObjectIdentifier(self))
            lookups.withdraw(host, of: ObjectIdentifier(self))
        }

        /// Begins to watch; an IP address is determined when this returns.
        func start() {
            // Listening comes first: what changes between the two is not missed.
            changes.add(self)
            perform { $0.start() }
        }

        func networkChanged(_ interfaces: InterfaceTable?) { perform(interfaces) { $0.networkChanged() } }

        func determineAnew() { perform { $0.determineAnew() } }

        private func perform(
            _ interfaces: InterfaceTable? = nil, _ event: (inout HostDetermination) -> [HostDetermination.Step]
        ) {
            var interfaces = interfaces
            // The system is asked behind the lock, so that an older answer cannot come after a newer one.
            let listeners = determination.withLock { determination in
                var listeners: [ReachabilityListener] = []
                var steps = ArraySlice(event(&determination))
                while let step = steps.popFirst() {
                    switch step {
                    case .check(let addresses):
                        interfaces = interfaces ?? InterfaceTable()
                        let addresses = determination.isAddress ? addressesOfAddress : addresses
                        steps += determination.checked(way(to: addresses, by: interfaces))
                    case .lookUp(let number): lookUp(number)
                    case .lookAgain(let number, let pause): after(pause) { $0.lookAgain(number) }
                    case .tell(let state): listeners += tell(state)
                    }
                }
                return listeners
            }
            for listener in listeners { listener.deliver() }
        }

        /// The host's own address; read each time, since an interface that it may name can come and go.
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
