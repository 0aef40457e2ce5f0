#if os(Linux)
    /// Notifies all observers of the process of network changes; it listens only while there are observers.
    ///
    /// All observers share one socket and one queue. Changes within 50 ms are reported once.
    final class NetworkChanges: Sendable {
        static let shared = NetworkChanges()

        private struct State {
            var watches: [ObjectIdentifier: WeakReference<HostWatch>] = [:]
            var source: (any DispatchSourceProtocol)?
            /// Whether a notification is scheduled.
            var isPending = false
        }

        /// The serial queue of determinations, which never block.
        let queue = DispatchQueue(label: "mappingkit.reachability", qos: .userInitiated)
        private let state = Mutex(State())
        private let open: @Sendable () -> NetlinkSocket?
        private let pollInterval: Duration

        private static let coalescingInterval = DispatchTimeInterval.milliseconds(50)

        /// - Parameters:
        ///   - pollInterval: The interval of checks if netlink is not available.
        ///   - open: Opens the socket.
        init(pollInterval: Duration = .seconds(5), open: @escaping @Sendable () -> NetlinkSocket? = { NetlinkSocket() })
        {
            self.pollInterval = pollInterval
            self.open = open
        }

        deinit { state.withLock { $0.source }?.cancel() }

        /// Adds an observer.
        func add(_ watch: HostWatch) {
            state.withLock { state in
                state.watches[ObjectIdentifier(watch)] = WeakReference(watch)
                if state.source == nil { state.source = listen() }
            }
        }

        /// Removes an observer.
        func remove(_ id: ObjectIdentifier) {
            let source = state.withLock { state -> (any DispatchSourceProtocol)? in
                state.watches[id] = nil
                guard state.watches.isEmpty else { return nil }
                defer { state.source = nil }
                return state.source
            }
            source?.cancel()
        }

        private func listen() -> any DispatchSourceProtocol {
            guard let socket = open() else { return poll() }
            let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
            source.setEventHandler { [weak self] in
                let isIntact = socket.drain()
                self?.changed()
                if !isIntact { self?.reopenSocket() }
            }
            // The descriptor is closed with the last reference, after the source has stopped using it.
            source.setCancelHandler { withExtendedLifetime(socket) {} }
            source.activate()
            return source
        }

        /// Checks periodically, and tries to open the socket each time.
        private func poll() -> any DispatchSourceProtocol {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in
                self?.changed()
                self?.reopenSocket()
            }
            timer.schedule(deadline: .now() + .milliseconds(Int(pollInterval / .milliseconds(1))))
            timer.activate()
            return timer
        }

        private func reopenSocket() {
            let former = state.withLock { state -> (any DispatchSourceProtocol)? in
                guard !state.watches.isEmpty else { return nil }
                defer { state.source = listen() }
                return state.source
            }
            former?.cancel()
        }

        private func changed() {
            let isFirst = state.withLock { state in
                defer { state.isPending = true }
                return !state.isPending
            }
            if isFirst {
                queue.asyncAfter(deadline: .now() + Self.coalescingInterval) { [weak self] in self?.notify() }
            }
        }

        private func notify() {
            let watches = state.withLock { state in
                state.isPending = false
                return state.watches.values.compactMap(\.object)
            }
            let interfaces = InterfaceTable()
            for watch in watches { watch.networkChanged(interfaces) }
        }
    }
#endif
