#if os(Linux)
    /// What is known of the way to a host, and what has to be done to know it: events in, steps out, without sockets and
    /// clocks.
    ///
    /// Two things decide: the host's addresses, whose look-up may take long, and the way to them, which the system tells at
    /// once. A change of the network asks for the way to the addresses that are known; only if that is another one are the
    /// addresses looked up again. So a lost carrier is told without waiting for a name server that cannot be reached any
    /// more, and a machine whose networks change all day does not ask name servers all day.
    struct HostDetermination {
        /// What there is to do.
        enum Step: Equatable {
            /// Ask for the way to the addresses, of which the answer is handed to ``checked(_:)``.
            case check([SocketAddress])
            /// Look the name up, hand the answer to ``lookedUp(_:_:)``, and after ``lookupLimit`` the number to
            /// ``waitedForLookup(_:)``.
            case lookUp(Int)
            /// Hand the number to ``lookAgain(_:)`` after a while.
            case lookAgain(Int, after: Duration)
            /// Tell the state, if it is another one.
            case tell(ReachabilityState)
        }

        static let lookupLimit = Duration.seconds(5)

        /// Whether the host is an IP address, which need not be looked up and whose steps have no addresses.
        let isAddress: Bool
        private var state = ReachabilityState.indeterminate
        /// The addresses that the last look-up brought.
        private var addresses: [SocketAddress] = []
        /// Whether the network changed since the addresses were looked up.
        private var isOutdated = false
        /// The numbers of the last look-up that was begun, and of the last one with an answer.
        private var asked = 0
        private var answered = 0
        /// The number of the last wish to look again; earlier ones are void.
        private var again = 0
        private var pause = Duration.seconds(1)

        init(isAddress: Bool) {
            self.isAddress = isAddress
        }

        mutating func start() -> [Step] { isAddress ? [.check([])] : lookUp() }

        /// Links, addresses or routes of this machine are not what they were.
        mutating func networkChanged() -> [Step] {
            pause = .seconds(1)
            if isAddress { return [.check([])] }
            if addresses.isEmpty { return lookUp() }
            isOutdated = true
            return [.check(addresses)]
        }

        /// What is known does not count any more.
        mutating func determineAnew() -> [Step] {
            if isAddress { return [.check([])] }
            return tell(.indeterminate) + lookUp()
        }

        mutating func checked(_ way: Way) -> [Step] {
            let former = state
            switch way {
            case .begins(let interface): state = .reachable(via: interface)
            case .missing(let cause): state = .notReachable(cause)
            case .unknown: return [lookAgain(after: .seconds(1))]
            }
            let mayBeElsewhere = isOutdated && (state != former || !state.isReachable)
            return [.tell(state)] + (mayBeElsewhere ? lookUp() : [])
        }

        mutating func lookedUp(_ number: Int, _ answer: NameAnswer) -> [Step] {
            if case .addresses(let found) = answer {
                answered = max(answered, number)
                isOutdated = false
                addresses = found
                pause = .seconds(1)
                return [.check(found)]
            }
            // The next one may do better: it was begun in another network.
            guard number == asked else { return [] }
            answered = number
            guard answer == .notFound else { return withoutAnswer() }
            addresses = []
            return tell(.notReachable(.hostNotFound)) + [lookAgainLater()]
        }

        /// The time is over that a look-up may take; it may still be answered.
        mutating func waitedForLookup(_ number: Int) -> [Step] { answered < number ? withoutAnswer() : [] }

        mutating func lookAgain(_ number: Int) -> [Step] {
            guard number == again else { return [] }
            return isAddress || !addresses.isEmpty ? [.check(addresses)] : lookUp()
        }

        private mutating func withoutAnswer() -> [Step] {
            isOutdated = false
            // The addresses of before are more than nothing: the name server may only be slow.
            guard addresses.isEmpty else { return [.check(addresses)] }
            return tell(.notReachable(.noNameService)) + [lookAgainLater()]
        }

        private mutating func tell(_ state: ReachabilityState) -> [Step] {
            self.state = state
            return [.tell(state)]
        }

        private mutating func lookUp() -> [Step] {
            isOutdated = false
            again += 1
            asked += 1
            return [.lookUp(asked)]
        }

        private mutating func lookAgainLater() -> Step {
            defer { pause = min(pause * 2, .seconds(30)) }
            return lookAgain(after: pause)
        }

        private mutating func lookAgain(after pause: Duration) -> Step {
            again += 1
            return .lookAgain(again, after: pause)
        }
    }

    /// How packets for some addresses leave.
    enum Way: Equatable {
        case begins(NetworkInterface)
        case missing(ReachabilityState.Cause)
        /// The system does not tell, as to a process without descriptors.
        case unknown
    }

    /// What the look-up of a name brought.
    enum NameAnswer: Equatable, Sendable {
        case addresses([SocketAddress])
        /// The name is not known.
        case notFound
        /// Nobody could be asked, or nobody answered.
        case none
    }
#endif
