#if os(Linux)
    import Synchronization

    /// The name lookups of all observers in the process, on separate threads, because a lookup cannot be cancelled.
    ///
    /// Concurrent lookups of a name share one thread. Names that hang occupy a thread each: up to ``threadLimit``
    /// threads, plus three times as many for names that are no longer needed. Other names wait in a queue.
    final class NameLookups: Sendable {
        static let shared = NameLookups { lookUpAddresses(of: $0, isAddress: false) }
        static let threadLimit = 16

        /// A waiting caller.
        private struct Wish {
            /// Called when the lookup starts, unless it was called before.
            let begin: (@Sendable () -> Void)?
            let complete: @Sendable (NameAnswer) -> Void
        }

        private struct State {
            /// The callers whose lookups have not started; the last request of each.
            var wishes: [String: [ObjectIdentifier: Wish]] = [:]
            /// The queue of names that are not being looked up, in order.
            var line: [String] = []
            /// The callers that wait for the lookups in progress.
            var running: [String: Set<ObjectIdentifier>] = [:]
            var threads = 0

            /// The number of threads whose lookups are still needed.
            var wantedThreads: Int { threads - running.values.count { $0.isEmpty } }

            var mayStart: Bool {
                !line.isEmpty && wantedThreads < threadLimit && threads < 4 * threadLimit
            }
        }

        private let state = Mutex(State())
        private let lookUp: @Sendable (String) -> NameAnswer

        init(lookUp: @escaping @Sendable (String) -> NameAnswer) {
            self.lookUp = lookUp
        }

        /// Looks a name up, and passes the answer to the last closure of this caller, on no particular thread.
        ///
        /// - Parameter begin: Called when the lookup starts; immediately, if it is already in progress.
        func lookUp(
            _ host: String, for asker: AnyObject, begin: @escaping @Sendable () -> Void = {},
            completion: @escaping @Sendable (NameAnswer) -> Void
        ) {
            let isRunning = state.withLock { state -> Bool in
                let isNew = state.wishes[host] == nil
                let isRunning = state.running[host] != nil
                let wish = Wish(begin: isRunning ? nil : begin, complete: completion)
                state.wishes[host, default: [:]][ObjectIdentifier(asker)] = wish
                if isNew, !isRunning { state.line.append(host) }
                return isRunning
            }
            if isRunning { begin() }
            startThread()
        }

        /// Cancels the request of a caller; names without callers are removed from the queue.
        func withdraw(_ host: String, of asker: ObjectIdentifier) {
            // Outside the lock: releasing closures may run other code.
            let wish = state.withLock { state -> Wish? in
                state.running[host]?.remove(asker)
                let wish = state.wishes[host]?.removeValue(forKey: asker)
                if state.wishes[host]?.isEmpty == true {
                    state.wishes[host] = nil
                    state.line.removeAll { $0 == host }
                }
                return wish
            }
            withExtendedLifetime(wish) {}
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
                    state.wishes[host] = state.wishes[host]?.mapValues { wish in
                        begins += wish.begin.map { [$0] } ?? []
                        return Wish(begin: nil, complete: wish.complete)
                    }
                }
                return begins
            }
            for begin in begins { begin() }
        }

        /// Looks names up until the queue is empty.
        private func work() {
            while let (host, wishes) = next() {
                for wish in wishes { wish.begin?() }
                let answer = lookUp(host)
                for wish in wishes { wish.complete(answer) }
                state.withLock { state in
                    state.running[host] = nil
                    if state.wishes[host] != nil { state.line.append(host) }
                }
            }
        }

        private func next() -> (host: String, wishes: [Wish])? {
            state.withLock { state in
                guard !state.line.isEmpty, state.wantedThreads <= Self.threadLimit else {
                    state.threads -= 1
                    return nil
                }
                let host = state.line.removeFirst()
                let wishes = state.wishes.removeValue(forKey: host) ?? [:]
                state.running[host] = Set(wishes.keys)
                return (host, Array(wishes.values))
            }
        }
    }
#endif
