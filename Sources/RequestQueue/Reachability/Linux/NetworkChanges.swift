#if os(Linux)
    /// Notifies all observers of the process of network changes; it listens only while there are observers.
    ///
    /// All observers share one socket and one queue. Changes within 50 ms are reported once.
    final class NetworkChanges: Sendable {
        static let shared = NetworkChanges()

        private struct State {
            var watches = WeakList<HostWatch>()
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

        /// Adds an observer, which is held weakly.
        func add(_ watch: HostWatch) {
            _ = state.withLock { state in
                if state.source == nil { state.source = listen() }
                return state.watches.add(watch)
            }
        }

        /// Stops listening if all observers are released; each calls this when it is.
        func removeReleased() {
            // The other observers are released outside the lock.
            let (source, _) = state.withLock { state -> ((any DispatchSourceProtocol)?, [HostWatch]) in
                let watches = state.watches.living()
                guard watches.isEmpty else { return (nil, watches) }
                defer { state.source = nil }
                return (state.source, watches)
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
            let (former, _) = state.withLock { state -> ((any DispatchSourceProtocol)?, [HostWatch]) in
                let watches = state.watches.living()
                // Without observers the next one listens again; this source is used up.
                defer { state.source = watches.isEmpty ? nil : listen() }
                return (state.source, watches)
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
                return state.watches.living()
            }
            let interfaces = InterfaceTable()
            for watch in watches { watch.networkChanged(interfaces) }
        }
    }
#endif
