#if os(Linux)
    /// The state machine that determines whether a host can be reached: events in, steps out, without sockets and
    /// clocks.
    ///
    /// The state depends on the host's addresses, whose lookup can take long, and on the route to them, which the
    /// system returns immediately. After a change of the network, the route to the known addresses is checked first;
    /// the addresses are looked up again only if the route changed. Therefore a lost carrier is reported without
    /// waiting for an unreachable name server, and frequent network changes do not cause frequent lookups.
    struct HostDetermination {
        /// An action for the caller.
        enum Step: Equatable {
            /// Check the route to the addresses, and pass the result to ``checked(_:)``.
            case check([SocketAddress])
            /// Look the name up and pass the result to ``lookedUp(_:_:)``; after ``lookupLimit``, pass the number to
            /// ``waitedForLookup(_:)``.
            case lookUp(Int)
            /// Pass the number to ``lookAgain(_:)`` after a delay.
            case lookAgain(Int, after: Duration)
            /// Report the state, if it changed.
            case report(ReachabilityState)
        }

        static let lookupLimit = Duration.seconds(5)

        /// Whether the host is an IP address, which is not looked up, and whose steps have no addresses.
        let isAddress: Bool
        private var state = ReachabilityState.indeterminate
        /// The addresses found by the last lookup.
        private var addresses: [SocketAddress] = []
        /// Whether the network changed since the last lookup.
        private var isOutdated = false
        /// The number of the last lookup that was started, and of the last one with an answer.
        private var asked = 0
        private var answered = 0
        /// The number of the last scheduled lookup; earlier ones are ignored.
        private var again = 0
        private var pause = Duration.seconds(1)

        init(isAddress: Bool) {
            self.isAddress = isAddress
        }

        mutating func start() -> [Step] { isAddress ? [.check([])] : lookUp() }

        /// Links, addresses or routes of this machine changed.
        mutating func networkChanged() -> [Step] {
            pause = .seconds(1)
            if isAddress { return [.check([])] }
            if addresses.isEmpty { return lookUp() }
            isOutdated = true
            return [.check(addresses)]
        }

        /// Discards the known state and determines it again.
        mutating func determineAgain() -> [Step] {
            if isAddress { return [.check([])] }
            return report(.indeterminate) + lookUp()
        }

        mutating func checked(_ route: Route) -> [Step] {
            let former = state
            switch route {
            case .begins(let interface): state = .reachable(via: interface)
            case .missing(let cause): state = .notReachable(cause)
            case .unknown: return [lookAgain(after: .seconds(1))]
            }
            let mayBeElsewhere = isOutdated && (state != former || !state.isReachable)
            return [.report(state)] + (mayBeElsewhere ? lookUp() : [])
        }

        mutating func lookedUp(_ number: Int, _ answer: NameLookupResult) -> [Step] {
            if case .addresses(let found) = answer {
                answered = max(answered, number)
                isOutdated = false
                addresses = found
                pause = .seconds(1)
                return [.check(found)]
            }
            // A later lookup may succeed: it was started in another network.
            guard number == asked else { return [] }
            answered = number
            guard answer == .notFound else { return lookupTimedOut() }
            addresses = []
            return report(.notReachable(.hostNotFound)) + [retryLater()]
        }

        /// The time limit of a lookup expired; it may still be answered later.
        mutating func waitedForLookup(_ number: Int) -> [Step] { answered < number ? lookupTimedOut() : [] }

        mutating func lookAgain(_ number: Int) -> [Step] {
            guard number == again else { return [] }
            return isAddress || !addresses.isEmpty ? [.check(addresses)] : lookUp()
        }

        private mutating func lookupTimedOut() -> [Step] {
            isOutdated = false
            // Keep the earlier addresses: the name server may only be slow.
            guard addresses.isEmpty else { return [.check(addresses)] }
            return report(.notReachable(.noNameService)) + [retryLater()]
        }

        private mutating func report(_ state: ReachabilityState) -> [Step] {
            self.state = state
            return [.report(state)]
        }

        private mutating func lookUp() -> [Step] {
            isOutdated = false
            again += 1
            asked += 1
            return [.lookUp(asked)]
        }

        private mutating func retryLater() -> Step {
            defer { pause = min(pause * 2, .seconds(30)) }
            return lookAgain(after: pause)
        }

        private mutating func lookAgain(after pause: Duration) -> Step {
            again += 1
            return .lookAgain(again, after: pause)
        }
    }

    /// The route of packets to a set of addresses.
    enum Route: Equatable {
        case begins(NetworkInterface)
        case missing(ReachabilityState.Cause)
        /// The system cannot provide it, for example because the process has no free descriptors.
        case unknown
    }

    /// The result of a name lookup.
    enum NameLookupResult: Equatable, Sendable {
        case addresses([SocketAddress])
        /// The name does not exist.
        case notFound
        /// No name server responded.
        case none
    }
#endif
