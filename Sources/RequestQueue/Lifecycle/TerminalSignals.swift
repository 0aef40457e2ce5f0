#if os(Linux) || os(macOS)
    @preconcurrency import Dispatch
    import Synchronization

    /// The signals of the terminal's job control, taken over when they are asked for first and never given back: a signal
    /// that is taken over a second time may be lost.
    ///
    /// While nobody listens, a stop by the terminal stops the process as ever.
    final class TerminalSignals: Sendable {
        private struct WeakListener {
            weak var listener: SignalLifecycle?
        }

        static let shared = TerminalSignals()
        static let queue = DispatchQueue(label: "mappingkit.signals")

        private let sources: [any DispatchSourceSignal]
        private let listeners = Mutex<[WeakListener]>([])
        private let readyCount = Atomic(0)

        private init() {
            // The source sees it all the same, and the system does not stop the process.
            let stopsByDefault = signal(SIGTSTP, SIG_IGN) == nil
            sources = [SIGTSTP, SIGCONT].map { DispatchSource.makeSignalSource(signal: $0, queue: Self.queue) }
            sources[0].setEventHandler { [self] in
                let current = current
                current.forEach { $0.leave() }
                if current.isEmpty, stopsByDefault { kill(getpid(), SIGSTOP) }
            }
            sources[1].setEventHandler { [self] in current.forEach { $0.comeBack() } }
            for source in sources {
                source.setRegistrationHandler { [self] in readyCount.wrappingAdd(1, ordering: .relaxed) }
                source.activate()
            }
        }

        /// Whether signals are seen: that begins a moment after the making.
        var isReady: Bool { readyCount.load(ordering: .relaxed) == sources.count }

        /// Tells signals to one who is not kept alive by that.
        func add(_ listener: SignalLifecycle) {
            // Held until the lock is not: the end of a listener may run code of others.
            _ = listeners.withLock { listeners in
                let living = listeners.compactMap(\.listener)
                listeners = (living + [listener]).map(WeakListener.init)
                return living
            }
        }

        private var current: [SignalLifecycle] { listeners.withLock { $0.compactMap(\.listener) } }
    }
#endif
