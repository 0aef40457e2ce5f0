/// The mutable state of a running server.
struct ServerState {
    struct Connection {
        let socket: Int32
        /// Wakes its thread.
        let signal: Signal
        /// What the thread waits for, if it waits.
        var hold: Hold?
    }

    /// A held request.
    struct Hold {
        let request: Int
        /// The keys that release it.
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
    /// The number of running threads, including the acceptor.
    var threads = 0
    var statistics = Statistics()
    var connections: [Int: Connection] = [:]
    var waiters: [Waiter] = []
    /// The verbatim responses by path.
    var rawAnswers: [String: Answer] = [:]
    /// The number of the last request that this key has released; the empty key is that of all requests.
    var released: [String: Int] = [:]

    /// The last requests; between one and two times the limit, so that the oldest are removed in bulk.
    private(set) var records: [RequestRecord] = []
    let recordLimit: Int

    init(recordLimit: Int) { self.recordLimit = recordLimit }

    mutating func append(_ record: RequestRecord) {
        guard recordLimit > 0 else { return }
        if records.count == 2 * recordLimit { records.removeFirst(recordLimit) }
        records.append(record)
    }

    /// Changes the record of a request, if it still exists.
    mutating func update(_ number: Int, _ change: (inout RequestRecord) -> Void) {
        guard let first = records.first?.number, number >= first else { return }
        change(&records[number - first])
    }

    func isReleased(_ hold: Hold) -> Bool {
        (hold.keys + [""]).contains { (released[$0] ?? 0) >= hold.request }
    }

    /// Removes and returns the waiters whose condition is true.
    mutating func takeSatisfiedWaiters() -> [Waiter] {
        guard !waiters.isEmpty else { return [] }
        let middle = waiters.partition { $0.condition(statistics, records) }
        defer { waiters.removeSubrange(middle...) }
        return Array(waiters[middle...])
    }
}
