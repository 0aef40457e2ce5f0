#if os(Linux) || os(macOS)
    @preconcurrency import Dispatch
    import Synchronization

    /// Makes a command line program's stop by Ctrl-Z its way into the background, and `fg` the way back.
    ///
    /// ```swift
    /// let signals = SignalLifecycle()
    /// defer { withExtendedLifetime(signals) {} }
    /// ```
    ///
    /// The terminal's stop (SIGTSTP) is taken by this instead of the system: ``ApplicationLifecycle/enterBackground()``
    /// comes first, requests whose policy is ``BackgroundPolicy/continue`` get their time, then the process stops. A
    /// second SIGTSTP stops it without waiting. SIGCONT after that is the return; after a stop that nobody told of before
    /// (SIGSTOP) it is not.
    ///
    /// Nothing of this happens unless a program makes one. When it is let go of, signals are handled as before.
    public final class SignalLifecycle: Sendable {
        private enum Place {
            case foreground
            /// In the background, and some requests go on.
            case leaving
            case stopped
        }

        private struct State {
            var place = Place.foreground
            /// Counts stops, so that the time of an earlier one means nothing.
            var stops = 0
            /// How many of the signals are listened to: it begins a moment after the making.
            var listening = 0
        }

        private let lifecycle: ApplicationLifecycle
        private let backgroundTime: Duration
        private let stopProcess: @Sendable () -> Void
        private let queue = DispatchQueue(label: "mappingkit.signals")
        private let state = Mutex(State())
        private let sources: [any DispatchSourceSignal]

        /// Takes over the signals of the terminal's job control.
        ///
        /// - Parameters:
        ///   - lifecycle: What is told; the process's own unless told.
        ///   - backgroundTime: How long requests may go on before the process stops; 5 s unless told. Where none goes on
        ///     it stops at once.
        public convenience init(
            driving lifecycle: ApplicationLifecycle = .shared, backgroundTime: Duration = .seconds(5)
        ) {
            self.init(driving: lifecycle, backgroundTime: backgroundTime) { kill(getpid(), SIGSTOP) }
        }

        /// - Parameter stopProcess: Stops the process until SIGCONT.
        package init(
            driving lifecycle: ApplicationLifecycle, backgroundTime: Duration,
            stopProcess: @escaping @Sendable () -> Void
        ) {
            self.lifecycle = lifecycle
            self.backgroundTime = min(max(backgroundTime, .zero), .seconds(86_400))
            self.stopProcess = stopProcess
            let signals = [SIGTSTP, SIGCONT]
            signals.forEach(SignalActions.take)
            sources = signals.map { [queue] in DispatchSource.makeSignalSource(signal: $0, queue: queue) }
            sources[0].setEventHandler { [weak self] in self?.leave() }
            sources[1].setEventHandler { [weak self] in self?.comeBack() }
            for (signal, source) in zip(signals, sources) {
                source.setCancelHandler { SignalActions.giveBack(signal) }
                source.setRegistrationHandler { [weak self] in self?.state.withLock { $0.listening += 1 } }
                source.activate()
            }
        }

        var isListening: Bool { state.withLock { $0.listening == sources.count } }

        deinit {
            sources.forEach { $0.cancel() }
            // Nobody else would tell.
            if state.withLock({ $0.place != .foreground }) { lifecycle.enterForeground() }
        }

        /// SIGTSTP came.
        private func leave() {
            let (place, stop) = state.withLock { state in
                let place = state.place
                if place == .foreground {
                    state.place = .leaving
                    state.stops += 1
                }
                return (place, state.stops)
            }
            switch place {
            case .foreground:
                lifecycle.enterBackground()
                let goesOn = lifecycle.whenIdle { [weak self, queue] in queue.async { [weak self] in self?.stop(stop) }
                }
                guard goesOn else { return }
                let delay = DispatchTimeInterval.nanoseconds(Int(backgroundTime / .nanoseconds(1)))
                queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.expire(stop) }
            case .leaving: expire(stop)
            case .stopped: break
            }
        }

        private func expire(_ stop: Int) {
            guard state.withLock({ $0.place == .leaving && $0.stops == stop }) else { return }
            lifecycle.expireBackgroundTime()
            self.stop(stop)
        }

        private func stop(_ stop: Int) {
            let isDue = state.withLock { state in
                guard state.place == .leaving, state.stops == stop else { return false }
                state.place = .stopped
                return true
            }
            if isDue { stopProcess() }
        }

        /// SIGCONT came.
        private func comeBack() {
            state.withLock { $0.place = .foreground }
            lifecycle.enterForeground()
        }
    }

    private func ignore(_ number: Int32) { signal(number, SIG_IGN) }

    /// What the process did on signals before somebody listened to them.
    private enum SignalActions {
        private static let taken = Mutex<[Int32: (users: Int, former: sigaction)]>([:])

        /// The source of a signal sees it all the same; SIGTSTP does not stop the process any more.
        static func take(_ signal: Int32) {
            taken.withLock { taken in
                guard taken[signal] == nil else {
                    taken[signal]?.users += 1
                    return
                }
                var former = sigaction()
                sigaction(signal, nil, &former)
                taken[signal] = (1, former)
                if signal == SIGTSTP { ignore(signal) }
            }
        }

        /// The last one leaves everything as it was.
        static func giveBack(_ signal: Int32) {
            taken.withLock { taken in
                taken[signal]?.users -= 1
                guard let (users, action) = taken[signal], users == 0 else { return }
                var former = action
                sigaction(signal, &former, nil)
                taken[signal] = nil
            }
        }
    }
#endif
