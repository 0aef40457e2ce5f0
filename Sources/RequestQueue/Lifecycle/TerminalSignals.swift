#if os(Linux) || os(macOS)
    /// The signals of the terminal's job control.
    ///
    /// Its handlers are installed at the first use and never removed, because a signal during a second installation could
    /// be lost. Without listeners, SIGTSTP stops the process as by default.
    final class TerminalSignals: Sendable {
        static let shared = TerminalSignals()
        static let queue = DispatchQueue(label: "mappingkit.signals")

        private let sources: SharedSource<[any DispatchSourceSignal]>
        private let listeners = Mutex(WeakList<SignalLifecycle>())
        private let readyCount = Atomic(0)
        /// When the last SIGCONT was received while all listeners were in the foreground.
        private let lastIgnoredContinue = Mutex<ContinuousClock.Instant?>(nil)

        /// The maximum time between a SIGTSTP and an immediately following SIGCONT, which the system can deliver in any order:
        /// a stop that was already continued must not stop the process.
        static let reorderingTolerance = Duration.milliseconds(5)

        private init() {
            // With a handler the system does not stop the process, and the dispatch source still receives the signal. A
            // handler is reset to the default in child processes; `SIG_IGN` would be inherited.
            let former = signal(SIGTSTP) { _ in }
            let stopsByDefault = former == nil
            if !stopsByDefault { signal(SIGTSTP, former) }
            let sources = [SIGTSTP, SIGCONT].map { DispatchSource.makeSignalSource(signal: $0, queue: Self.queue) }
            self.sources = SharedSource(sources)
            sources[0].setEventHandler { [self] in
                if let lastIgnoredContinue = lastIgnoredContinue.withLock({ $0 }),
                    .now - lastIgnoredContinue < Self.reorderingTolerance
                {
                    return
                }
                let current = current
                current.forEach { $0.handleStop() }
                guard current.isEmpty, stopsByDefault else { return }
                let received = ContinuousClock.now
                Self.perform(after: Self.reorderingTolerance) { [self] in
                    if lastIgnoredContinue.withLock({ $0 ?? received }) <= received { kill(getpid(), SIGSTOP) }
                }
            }
            sources[1].setEventHandler { [self] in
                let current = current
                if !current.contains(where: \.isInBackground) { lastIgnoredContinue.withLock { $0 = .now } }
                current.forEach { $0.handleContinue() }
            }
            for source in sources {
                source.setRegistrationHandler { [self] in readyCount.wrappingAdd(1, ordering: .relaxed) }
                source.activate()
            }
        }

        /// Whether signals are received; that begins shortly after the initialization.
        var isReady: Bool { readyCount.load(ordering: .relaxed) == sources.source.count }

        /// Adds a listener, which is held weakly.
        func add(_ listener: SignalLifecycle) {
            _ = listeners.withLock { $0.add(listener) }
        }

        /// Runs a block on the queue of the signal handlers after a delay.
        static func perform(after delay: Duration, _ block: @escaping @Sendable () -> Void) {
            let delay = DispatchTimeInterval.nanoseconds(Int(delay / .nanoseconds(1)))
            queue.asyncAfter(deadline: .now() + delay, execute: block)
        }

        private var current: [SignalLifecycle] { listeners.withLock { $0.living() } }
    }
#endif
