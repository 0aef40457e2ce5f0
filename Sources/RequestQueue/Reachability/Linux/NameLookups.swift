#if os(Linux)
    import Synchronization

    /// The look-ups of names for all observers of the process, on threads of their own, since nothing ends one before its
    /// time.
    ///
    /// A name is looked up once at a time, however many ask and however long it takes. So names that hang take a thread
    /// each, at most ``threadLimit`` of them; others wait in line meanwhile.
    final class NameLookups: Sendable {
        typealias Completion = @Sendable (NameAnswer) -> Void

        static let shared = NameLookups { lookUpAddresses(of: $0, isAddress: false) }
        static let threadLimit = 16

        private struct State {
            /// Who wants to be told of a look-up that is not begun; the last wish of each.
            var wishes: [String: [ObjectIdentifier: Completion]] = [:]
            /// The names with wishes that are not being looked up, in their order.
            var line: [String] = []
            var running: Set<String> = []
            var threads = 0
        }

        private let state = Mutex(State())
        private let lookUp: @Sendable (String) -> NameAnswer

        init(lookUp: @escaping @Sendable (String) -> NameAnswer) {
            self.lookUp = lookUp
        }

        /// Looks a name up, and tells the answer on a thread of no one, to the last closure that this asker gave.
        func lookUp(_ host: String, for asker: AnyObject, completion: @escaping Completion) {
            let needsThread = state.withLock { state in
                let isNew = state.wishes[host] == nil
                state.wishes[host, default: [:]][ObjectIdentifier(asker)] = completion
                if isNew, !state.running.contains(host) { state.line.append(host) }
                guard !state.line.isEmpty, state.threads < Self.threadLimit else { return false }
                state.threads += 1
                return true
            }
            guard needsThread, startDetachedThread(named: "name-lookup", { self.work() }) != 0 else { return }
            // Without a thread nobody answers: the limit of time tells, and it is tried again.
            state.withLock { $0.threads -= 1 }
        }

        /// Looks up what stands in line, until there is nothing.
        private func work() {
            while let (host, completions) = next() {
                let answer = lookUp(host)
                for completion in completions { completion(answer) }
                state.withLock { state in
                    state.running.remove(host)
                    if state.wishes[host] != nil { state.line.append(host) }
                }
            }
        }

        private func next() -> (host: String, completions: [Completion])? {
            state.withLock { state in
                guard !state.line.isEmpty else {
                    state.threads -= 1
                    return nil
                }
                let host = state.line.removeFirst()
                state.running.insert(host)
                return (host, Array((state.wishes.removeValue(forKey: host) ?? [:]).values))
            }
        }
    }
#endif
