/// All that changes in a running server.
struct ServerState {
    struct Connection {
        let socket: Int32
        /// Wakes its thread.
        let signal: Signal
        /// What it waits for, if it does.
        var hold: Hold?
    }

    /// A request that is not answered for now.
    struct Hold {
        let request: Int
        /// The names by which it can be released.
        let keys: [String]
        var hasPeerLeft = false
    }

    struct Waiter {
        let condition: @Sendable (Statistics, [RequestRecord]) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
        let deadline: ContinuousClock.Instant
    }

    var isStopped = false
    /// Whether the acceptor's descriptors are open.
    var isAccepting = false
    /// Threads not yet at their end, the acceptor's too.
    var threads = 0
    var statistics = Statistics()
    var connections: [Int: Connection] = [:]
    var waiters: [Waiter] = []
    /// By path.
    var rawAnswers: [String: Answer] = [:]
    /// The number of the last request that a release by this name is good for; the empty name is everyone's.
    var released: [String: Int] = [:]

    /// The last requests; between one and two times the limit, so that the oldest go many at once.
    private(set) var records: [RequestRecord] = []
    let recordLimit: Int

    init(recordLimit: Int) { self.recordLimit = recordLimit }

    mutating func append(_ record: RequestRecord) {
        guard recordLimit > 0 else { return }
        if records.count == 2 * recordLimit { records.removeFirst(recordLimit) }
        records.append(record)
    }

    /// Changes the record of a request, if it is still there.
    mutating func update(_ number: Int, _ change: (inout RequestRecord) -> Void) {
        guard let first = records.first?.number, number >= first else { return }
        change(&records[number - first])
    }

    func isReleased(_ hold: Hold) -> Bool {
        (hold.keys + [""]).contains { (released[$0] ?? 0) >= hold.request }
    }

    /// Takes out the waiters whose condition holds.
    mutating func takeSatisfiedWaiters() -> [Waiter] {
        guard !waiters.isEmpty else { return [] }
        let middle = waiters.partition { $0.condition(statistics, records) }
        defer { waiters.removeSubrange(middle...) }
        return Array(waiters[middle...])
    }
}
