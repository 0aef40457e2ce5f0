#if CURL
    import Synchronization

    /// What other threads want of a transport's thread, and the thread's beginning and end.
    final class CurlInbox: Sendable {
        enum Command: Sendable {
            case start(CurlTransfer)
            case cancel(CurlTransfer)
            /// Bytes of the response may come again.
            case receive(CurlTransfer)
            /// The body may have bytes again.
            case send(CurlTransfer)
        }

        private struct State {
            var commands: [Command] = []
            var hasThread = false
            var isClosed = false
            /// Ends the thread's sleep; nil while it is awake, and looks here before it sleeps.
            var alarm: CurlAlarm?
        }

        let options: CurlTransport.Options
        let tls: TLSOptions
        private let state = Mutex(State())

        init(options: CurlTransport.Options, tls: TLSOptions) {
            self.options = options
            self.tls = tls
        }

        /// Hands a command to the thread, and starts the thread if there is none.
        ///
        /// - Returns: Why there can be no thread.
        @discardableResult
        func post(_ command: Command) -> TransportFailure? {
            state.withLock { state in
                guard state.hasThread else {
                    // Without a thread nothing is under way that other commands could be meant for.
                    guard case .start = command else { return nil }
                    let code = startDetachedThread(named: "curl-transport") { CurlLoop.run(self) }
                    guard code == 0 else {
                        return TransportFailure(.connectionFailed, "no thread can be started (error \(code))")
                    }
                    state.hasThread = true
                    state.commands.append(command)
                    return nil
                }
                state.commands.append(command)
                state.alarm.take()?.ring()
                return nil
            }
        }

        /// Lets the thread end when it has nothing to do.
        func close() {
            state.withLock { state in
                state.isClosed = true
                state.alarm.take()?.ring()
            }
        }

        /// The commands that came; for the thread.
        func take() -> [Command] {
            state.withLock { state in
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

        /// Forgets a thread that cannot work.
        func abandon() -> [Command] {
            state.withLock { state in
                state.hasThread = false
                defer { state.commands.removeAll() }
                return state.commands
            }
        }
    }
#endif
