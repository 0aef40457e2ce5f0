#if os(Linux)
    /// The name lookups of all observers in the process, on separate threads, because a lookup cannot be cancelled.
    ///
    /// Concurrent lookups of a name share one thread. Names that hang occupy a thread each: up to ``threadLimit``
    /// threads, plus three times as many for names that are no longer needed. Other names wait in a queue.
    final class NameLookups: Sendable {
        static let shared = NameLookups { lookUpAddresses(of: $0, isAddress: false) }
        static let threadLimit = 16

        /// A waiting caller.
        private struct Caller {
            /// Called when the lookup starts, unless it was called before.
            let begin: (@Sendable () -> Void)?
            let complete: @Sendable (NameLookupResult) -> Void
        }

        private struct State {
            /// The callers whose lookups have not started; the last request of each.
            var callers: [String: [ObjectIdentifier: Caller]] = [:]
            /// The queue of names that are not being looked up, in order.
            var line: [String] = []
            /// The callers that wait for the lookups in progress.
            var running: [String: Set<ObjectIdentifier>] = [:]
            var threads = 0

            /// The number of threads whose lookups are still needed.
            var neededThreads: Int { threads - running.values.count { $0.isEmpty } }

            var mayStart: Bool {
                !line.isEmpty && neededThreads < threadLimit && threads < 4 * threadLimit
            }
        }

        private let state = Mutex(State())
        private let lookUp: @Sendable (String) -> NameLookupResult

        init(lookUp: @escaping @Sendable (String) -> NameLookupResult) {
            self.lookUp = lookUp
        }

        /// Looks a name up, and passes the answer to the last closure of this caller, on no particular thread.
        ///
        /// - Parameter begin: Called when the lookup starts; immediately, if it is already in progress.
        func lookUp(
            _ host: String, for owner: AnyObject, begin: @escaping @Sendable () -> Void = {},
            completion: @escaping @Sendable (NameLookupResult) -> Void
        ) {
            let isRunning = state.withLock { state -> Bool in
                let isNew = state.callers[host] == nil
                let isRunning = state.running[host] != nil
                let caller = Caller(begin: isRunning ? nil : begin, complete: completion)
                state.callers[host, default: [:]][ObjectIdentifier(owner)] = caller
                if isNew, !isRunning { state.line.append(host) }
                return isRunning
            }
            if isRunning { begin() }
            startThread()
        }

        /// Cancels the request of a caller; names without callers are removed from the queue.
        func cancel(_ host: String, of owner: ObjectIdentifier) {
            // Outside the lock: releasing closures may run other code.
            let caller = state.withLock { state -> Caller? in
                state.running[host]?.remove(owner)
                let caller = state.callers[host]?.removeValue(forKey: owner)
                if state.callers[host]?.isEmpty == true {
                    state.callers[host] = nil
                    state.line.removeAll { $0 == host }
                }
                return caller
            }
            withExtendedLifetime(caller) {}
            startThread()
        }

        /// Starts a thread, if one is needed and the limit allows it.
        private func startThread() {
            let mayStart = state.withLock { state in
                guard state.mayStart else { return false }
                state.threads += 1
                return true
            }
            guard mayStart, startDetachedThread(named: "name-lookup", { self.work() }) != 0 else { return }
            // Without a thread, the time limit expires and the lookup is repeated.
            let begins = state.withLock { state in
                state.threads -= 1
                var begins: [@Sendable () -> Void] = []
                for host in state.line {
                    state.callers[host] = state.callers[host]?.mapValues { caller in
                        begins += caller.begin.map { [$0] } ?? []
                        return Caller(begin: nil, complete: caller.complete)
                    }
                }
                return begins
            }
            for begin in begins { begin() }
        }

        /// Looks names up until the queue is empty.
        private func work() {
            while let (host, callers) = next() {
                for caller in callers { caller.begin?() }
                let answer = lookUp(host)
                for caller in callers { caller.complete(answer) }
                state.withLock { state in
                    state.running[host] = nil
                    if state.callers[host] != nil { state.line.append(host) }
                }
            }
        }

        private func next() -> (host: String, callers: [Caller])? {
            state.withLock { state in
                guard !state.line.isEmpty, state.neededThreads <= Self.threadLimit else {
                    state.threads -= 1
                    return nil
                }
                let host = state.line.removeFirst()
                let callers = state.callers.removeValue(forKey: host) ?? [:]
                state.running[host] = Set(callers.keys)
                return (host, Array(callers.values))
            }
        }
    }
#endif
