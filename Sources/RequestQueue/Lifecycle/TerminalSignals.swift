#if os(Linux) || os(macOS)
    import Dispatch
    import Synchronization

    /// The signals of the terminal's job control, taken over when they are asked for first and never given back: a signal
    /// that is taken over a second time may be lost.
    ///
    /// While nobody listens, a stop by the terminal stops the process as ever.
    final class TerminalSignals: Sendable {
        static let shared = TerminalSignals()
        static let queue = DispatchQueue(label: "mappingkit.signals")

        private let sources: SharedSource<[any DispatchSourceSignal]>
        private let listeners = Mutex(WeakList<SignalLifecycle>())
        private let readyCount = Atomic(0)
        /// When a SIGCONT came last that brought nobody back.
        private let idleReturn = Mutex<ContinuousClock.Instant?>(nil)

        /// How long the system may take to tell of a SIGCONT that came right behind a SIGTSTP: it tells of the two in any
        /// order, and what has been taken back must not stop the process.
        static let closeness = Duration.milliseconds(5)

        private init() {
            // The source sees it all the same, and the system does not stop the process. Child processes have the default
            // again; a signal that is ignored would be ignored by them, too.
            let former = signal(SIGTSTP) { _ in }
            let stopsByDefault = former == nil
            if !stopsByDefault { signal(SIGTSTP, former) }
            let sources = [SIGTSTP, SIGCONT].map { DispatchSource.makeSignalSource(signal: $0, queue: Self.queue) }
            self.sources = SharedSource(sources)
            sources[0].setEventHandler { [self] in
                if let idleReturn = idleReturn.withLock({ $0 }), .now - idleReturn < Self.closeness { return }
                let current = current
                current.forEach { $0.leave() }
                guard current.isEmpty, stopsByDefault else { return }
                let came = ContinuousClock.now
                Self.perform(after: Self.closeness) { [self] in
                    if idleReturn.withLock({ $0 ?? came }) <= came { kill(getpid(), SIGSTOP) }
                }
            }
            sources[1].setEventHandler { [self] in
                let current = current
                if !current.contains(where: \.isAway) { idleReturn.withLock { $0 = .now } }
                current.forEach { $0.comeBack() }
            }
            for source in sources {
                source.setRegistrationHandler { [self] in readyCount.wrappingAdd(1, ordering: .relaxed) }
                source.activate()
            }
        }

        /// Whether signals are seen: that begins a moment after the making.
        var isReady: Bool { readyCount.load(ordering: .relaxed) == sources.source.count }

        /// Tells signals to one who is not kept alive by that.
        func add(_ listener: SignalLifecycle) {
            _ = listeners.withLock { $0.add(listener) }
        }

        /// Runs a block where signals are told, later.
        static func perform(after delay: Duration, _ block: @escaping @Sendable () -> Void) {
            let delay = DispatchTimeInterval.nanoseconds(Int(delay / .nanoseconds(1)))
            queue.asyncAfter(deadline: .now() + delay, execute: block)
        }

        private var current: [SignalLifecycle] { listeners.withLock { $0.living() } }
    }
#endif
