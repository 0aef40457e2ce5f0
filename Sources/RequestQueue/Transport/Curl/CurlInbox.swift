#if CURL
    /// The commands from other threads to a transport's thread, and the start and end of the thread.
    final class CurlInbox: Sendable {
        enum Command: Sendable {
            case start(CurlTransfer)
            case cancel(CurlTransfer)
            /// The response may be resumed.
            case receive(CurlTransfer)
            /// The body may have more bytes.
            case send(CurlTransfer)
        }

        private struct State {
            var commands: [Command] = []
            var hasThread = false
            var isClosed = false
            /// Wakes the thread; `nil` while it is awake, because it checks for commands before it sleeps.
            var alarm: CurlAlarm?
        }

        let options: CurlTransport.Options
        let tls: TLSOptions
        private let state = Mutex(State())

        init(options: CurlTransport.Options, tls: TLSOptions) {
            self.options = options
            self.tls = tls
        }

        /// Adds a command, and starts the thread if it is not running.
        ///
        /// - Returns: The failure if the thread cannot be started.
        @discardableResult
        func post(_ command: Command) -> TransportFailure? {
            let (alarm, failure) = state.withLock { state -> (CurlAlarm?, TransportFailure?) in
                if !state.hasThread {
                    // Without a thread, no request is active that other commands could refer to.
                    guard case .start = command else { return (nil, nil) }
                    let code = startDetachedThread(named: "curl-transport") { CurlLoop.run(self) }
                    guard code == 0 else {
                        let failure = "a thread could not be started (error \(code))"
                        return (nil, TransportFailure(.connectionFailed, failure))
                    }
                    state.hasThread = true
                }
                state.commands.append(command)
                return (state.alarm.take(), nil)
            }
            // Not under the lock, for which the thread would wait as soon as it wakes.
            alarm?.ring()
            return failure
        }

        /// Makes the thread end when it is idle.
        func close() {
            let alarm = state.withLock { state in
                state.isClosed = true
                return state.alarm.take()
            }
            alarm?.ring()
        }

        /// Removes and returns the pending commands; called by the thread.
        func take(leaving isLeaving: Bool = false) -> [Command] {
            state.withLock { state in
                if isLeaving { state.hasThread = false }
                state.alarm = nil
                guard !state.commands.isEmpty else { return [] }
                defer { state.commands.removeAll() }
                return state.commands
            }
        }

        enum Rest { case none, sleep, end }

        /// What the thread does when it has no commands; after `end`, the next request starts another thread.
        ///
        /// - Parameters:
        ///   - alarm: Ends the thread's sleep.
        ///   - isIdle: Whether there are no requests.
        ///   - isExpired: Whether there have been none for the idle timeout.
        func rest(_ alarm: CurlAlarm, isIdle: Bool, isExpired: Bool) -> Rest {
            state.withLock { state in
                guard state.commands.isEmpty else { return .none }
                if isIdle, state.isClosed || isExpired {
                    state.hasThread = false
                    return .end
                }
                state.alarm = alarm
                return .sleep
            }
        }
    }
#endif
