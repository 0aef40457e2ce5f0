#if os(Linux) || os(macOS)
    /// Treats Ctrl-Z in a command line tool as entering the background, and `fg` as entering the foreground.
    ///
    /// ```swift
    /// let signals = SignalLifecycle()
    /// defer { withExtendedLifetime(signals) {} }
    /// ```
    ///
    /// It handles SIGTSTP: it calls ``ApplicationLifecycle/enterBackground()``, waits for requests with
    /// ``BackgroundPolicy/continue``, and then stops the process. A second SIGTSTP stops it immediately. The following
    /// SIGCONT enters the foreground; a SIGCONT after SIGSTOP does not.
    ///
    /// After it is released, SIGTSTP again stops the process immediately. A program should have only one at a time.
    public final class SignalLifecycle: Sendable {
        private enum Phase {
            case foreground
            /// In the background, while requests continue.
            case leaving
            case stopped
        }

        private struct State {
            var phase = Phase.foreground
            /// The number of stops, by which the timer of an earlier stop is ignored.
            var stops = 0
        }

        private let lifecycle: ApplicationLifecycle
        private let backgroundTime: Duration
        private let stopProcess: @Sendable () -> Void
        private let state = Mutex(State())

        /// Handles the signals of the terminal's job control.
        ///
        /// - Parameters:
        ///   - lifecycle: The life cycle to drive. Defaults to that of the process.
        ///   - backgroundTime: The maximum time for requests that continue before the process stops. Defaults to 5 seconds.
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
            TerminalSignals.shared.add(self)
        }

        deinit {
            // Otherwise the life cycle would stay in the background.
            if isInBackground { lifecycle.enterForeground() }
        }

        /// Whether it moved the life cycle to the background.
        var isInBackground: Bool { state.withLock { $0.phase != .foreground } }

        /// Handles SIGTSTP.
        func handleStop() {
            let (phase, stop) = state.withLock { state in
                let phase = state.phase
                if phase == .foreground {
                    state.phase = .leaving
                    state.stops += 1
                }
                return (phase, state.stops)
            }
            switch phase {
            case .foreground:
                lifecycle.enterBackground()
                let isBusy = lifecycle.whenIdle { [weak self] in
                    TerminalSignals.perform(after: TerminalSignals.reorderingTolerance) { [weak self] in
                        self?.stop(stop)
                    }
                }
                guard isBusy else { return }
                TerminalSignals.perform(after: backgroundTime) { [weak self] in self?.expire(stop) }
            case .leaving: expire(stop)
            case .stopped: break
            }
        }

        private func expire(_ stop: Int) {
            guard state.withLock({ $0.phase == .leaving && $0.stops == stop }) else { return }
            lifecycle.expireBackgroundTime()
            self.stop(stop)
        }

        private func stop(_ stop: Int) {
            let isDue = state.withLock { state in
                guard state.phase == .leaving, state.stops == stop else { return false }
                state.phase = .stopped
                return true
            }
            if isDue { stopProcess() }
        }

        /// Handles SIGCONT.
        func handleContinue() {
            let wasInBackground = state.withLock { state in
                defer { state.phase = .foreground }
                return state.phase != .foreground
            }
            // A stop by SIGSTOP cannot be handled, so the life cycle did not leave the foreground.
            if wasInBackground { lifecycle.enterForeground() }
        }
    }
#endif
