#if os(Linux)
    import Synchronization

    /// The look-ups of names for all observers of the process, on threads of their own, since nothing ends one before its
    /// time.
    ///
    /// A name is looked up once at a time, however many ask and however long it takes. So names that hang take a thread
    /// each, at most ``threadLimit`` of them, and as many again three times for names that nobody asks for any more;
    /// others wait in line meanwhile.
    final class NameLookups: Sendable {
        static let shared = NameLookups { lookUpAddresses(of: $0, isAddress: false) }
        static let threadLimit = 16

        /// Who wants to know an answer.
        private struct Wish {
            /// Called when its look-up begins, unless it was called before.
            let begin: (@Sendable () -> Void)?
            let complete: @Sendable (NameAnswer) -> Void
        }

        private struct State {
            /// Who wants to be told of a look-up that is not begun; the last wish of each.
            var wishes: [String: [ObjectIdentifier: Wish]] = [:]
            /// The names with wishes that are not being looked up, in their order.
            var line: [String] = []
            /// Who waits for those that are.
            var running: [String: Set<ObjectIdentifier>] = [:]
            var threads = 0

            /// Threads but for those whose look-ups nobody wants any more.
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

        /// Looks a name up, and tells the answer on a thread of no one, to the last closure that this asker gave.
        ///
        /// - Parameter begin: Called when its look-up begins; at once, if the name is being looked up already.
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

        /// Tells an asker nothing more; what nobody wants to know and is not begun is not looked up.
        func withdraw(_ host: String, of asker: ObjectIdentifier) {
            // What wishes hold goes outside the lock.
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

        /// Starts a thread, if one is needed and may be.
        private func startThread() {
            let mayStart = state.withLock { state in
                guard state.mayStart else { return false }
                state.threads += 1
                return true
            }
            guard mayStart, startDetachedThread(named: "name-lookup", { self.work() }) != 0 else { return }
            // Without a thread nobody answers: the limit of time tells, and it is tried again.
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

        /// Looks up what stands in line, until there is nothing.
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
