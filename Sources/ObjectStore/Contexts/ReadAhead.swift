import Dispatch

/// A statement that reads, and its arguments.
struct ReadStatement: Hashable, Sendable {
    let sql: String
    let arguments: [StoredValue]
}

/// The rows of a read whose statements run on another thread.
struct ReadAhead {
    /// Distinguishes newer rows from older ones.
    fileprivate(set) var number: Int
    /// The last commit before the first rows were read: all rows include it.
    fileprivate(set) var commit = 0
    /// The last commit of the merge whose rows were read.
    fileprivate var merge: Int?
    /// The number of merges of this read: commits that follow each other quickly do not delay it.
    var mergeCount = 0
    /// The number of times that a save or another read of the context was faster.
    fileprivate var delays = 0
    /// The turn of the read, once it was delayed too often.
    fileprivate var turn: ReadTurn?
    fileprivate var rows: [ReadStatement: ReadTable] = [:]
    /// The statement whose rows are missing, at which the read stopped.
    fileprivate(set) var missing: ReadStatement?

    fileprivate init(number: Int) { self.number = number }

    /// Whether the read can merge.
    ///
    /// The second time is for commits that were found when its first rows were read.
    var canMerge: Bool { mergeCount < 2 }

    /// The number of delays after which the other reads and saves of the context wait.
    static let maximumOfDelays = 4
    /// The number of delays after which the statements run on the thread of the context: its synchronous calls cannot
    /// wait, and are faster each time.
    static let maximumOfDelaysBySynchronousCalls = 16

    /// Discards all rows, which may be older than the objects.
    fileprivate mutating func restart(number: Int) { (self.number, rows) = (number, [:]) }

    /// Returns the rows of a statement.
    ///
    /// - Throws: An error if they are missing; it is not visible to the caller of the read.
    mutating func rows(of statement: ReadStatement) throws(StoreError) -> BufferedRows {
        if missing == nil, let rows = rows[statement] { return BufferedRows(rows) }
        missing = missing ?? statement
        try check()
        return BufferedRows(.empty)
    }

    /// Throws if a statement was met whose rows are missing: the caller does not see the error, and reads again.
    func check() throws(StoreError) {
        guard let missing else { return }
        throw StoreError(
            .interrupted, "the rows of the statement are read on another thread first",
            advice: "rethrow the error: the asynchronous call that calls this code is repeated with the rows",
            sql: missing.sql)
    }
}

/// The turn of a read: the other reads of its context, and the saves, wait for its end.
final class ReadTurn: Sendable {
    private let group = DispatchGroup()

    fileprivate init() { group.enter() }

    fileprivate func end() { group.leave() }

    /// Suspends until the end.
    nonisolated(nonsending) fileprivate func wait() async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// The reads of a context, and the objects that they return.
struct ReadState {
    /// The rows that another thread has read for the current read.
    var ahead: ReadAhead?
    /// The turn of a read that was delayed too often; `nil` while all reads run concurrently.
    fileprivate var turn: ReadTurn?
    /// The serial queue of statements that do not block the thread of the context.
    private(set) lazy var queue = DispatchQueue(label: "MappingKit.ObjectContext.reading")
    /// The number of the last read or save whose values the objects have.
    fileprivate(set) var last = 0
    /// The number of the last read that was started.
    private(set) var number = 0
    /// Objects that were created for rows, and whose hook was not called yet.
    var fetched: [ManagedObject] = []
    /// Targets that were read for several objects together, retained until the next fetch or save.
    var recentTargets: [[ManagedObject]] = []
    /// Whether objects currently have their saved values.
    var areOfSavedValues = false

    /// Returns a number for a new read; later reads have greater numbers.
    mutating func nextNumber() -> Int {
        number += 1
        return number
    }

    /// Records that the objects have newer values than those of all reads that were started.
    mutating func didRead() { last = nextNumber() }

    /// Retains targets that were read for several objects together.
    mutating func retain(_ targets: [ManagedObject]) {
        recentTargets.append(targets)
        if recentTargets.count > 8 { recentTargets.removeFirst() }
    }

    /// Releases the targets that were read for several objects together.
    mutating func releaseTargets() { recentTargets = [] }
}

/// Reads whose statements run on another thread.
extension ContextCore {
    /// Repeats a function that reads until the rows of all its statements are available.
    ///
    /// Each call stops at the first statement whose rows are missing; another thread then reads them. The last call
    /// does not suspend, so its result includes the changes that were made meanwhile. Observers are notified after a call,
    /// so that they can read.
    ///
    /// - Parameters:
    ///   - isLooking: Whether to look for commits of other processes even if no rows are read. Defaults to `false`.
    ///   - statements: Returns statements whose rows are read before the first call. Defaults to none.
    nonisolated(nonsending) func reading<Result>(
        isLooking: Bool = false, after statements: () -> [ReadStatement] = { [] },
        _ read: () throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        // Calls that ended early may have left objects.
        defer { awakeFetched() }
        var ahead = ReadAhead(number: reads.nextNumber())
        defer { if let turn = ahead.turn { end(turn) } }
        var looksForOthers = hasObjects && store.url != nil
        while true {
            await waitForTurn(of: &ahead)
            guard ahead.delays < ReadAhead.maximumOfDelaysBySynchronousCalls else { return try read() }
            // Others have read or saved since: the objects may have newer values.
            if ahead.number < reads.last || !ahead.rows.isEmpty && ahead.commit < merges.last {
                ahead.restart(number: reads.nextNumber())
                ahead.delays += 1
            }
            let merge = ahead.canMerge ? mergeStatements : []
            if !merge.isEmpty, ahead.merge != merges.pending?.last {
                ahead.restart(number: reads.nextNumber())
                ahead.merge = merges.pending?.last
            }
            if ahead.rows.isEmpty { ahead.commit = store.commits.lastNumber }
            // If the context changes while they are read, `read` stops at the statement that is missing then.
            let first = (merge + (ahead.rows.isEmpty ? statements() : [])).filter { ahead.rows[$0] == nil }
            guard first.isEmpty, !isLooking || !looksForOthers else {
                let read = try await rows(of: first, looksForOthers).get()
                for (statement, rows) in zip(first, read) { ahead.rows[statement] = rows }
                looksForOthers = false
                continue
            }
            let result = call(read, &ahead)
            guard let statement = ahead.missing else {
                // Without rows, it has read nothing that is newer than the rows of others.
                if !ahead.rows.isEmpty { reads.last = max(reads.last, ahead.number) }
                return try result.get()
            }
            ahead.missing = nil
            ahead.rows[statement] = try await rows(of: [statement], looksForOthers).get().first
            looksForOthers = false
        }
    }

    /// Calls a function that reads, with the rows that are available.
    private func call<Result>(
        _ read: () throws(StoreError) -> Result, _ ahead: inout ReadAhead
    ) -> Swift.Result<Result, StoreError> {
        // A hook can start a task that reads immediately.
        let outer = reads.ahead
        reads.ahead = ahead
        let result = Swift.Result { () throws(StoreError) in try read() }
        ahead = reads.ahead ?? ahead
        reads.ahead = outer
        // It lacks the objects that were just made of older rows.
        if let pending = merges.pending, pending.last > ahead.commit { merges.pending = nil }
        notifyObservers()
        return result
    }

    /// Suspends while a save is written, or while it is the turn of another read.
    nonisolated(nonsending) private func waitForTurn(of ahead: inout ReadAhead) async {
        while true {
            if saves.inFlight != nil {
                await waitForSave()
                ahead.delays += 1
            } else if let turn = reads.turn, turn !== ahead.turn {
                await turn.wait()
            } else {
                break
            }
        }
        guard ahead.turn == nil, ahead.delays >= ReadAhead.maximumOfDelays else { return }
        ahead.turn = ReadTurn()
        reads.turn = ahead.turn
    }

    private func end(_ turn: ReadTurn) {
        reads.turn = nil
        turn.end()
    }

    nonisolated(nonsending) private func rows(
        of statements: [ReadStatement], _ looksForOthers: Bool
    ) async -> Swift.Result<[ReadTable], StoreError> {
        let store = store
        return await withCheckedContinuation { continuation in
            reads.queue.async {
                // First: what is read may be newer.
                if looksForOthers { store.lookForOtherProcesses() }
                let rows = Swift.Result { () throws(StoreError) -> [ReadTable] in
                    guard !statements.isEmpty else { return [] }
                    return try store.read { (connection) throws(StoreError) in
                        var rows: [ReadTable] = []
                        for statement in statements {
                            let reading = try connection.cached(reading: statement.sql)
                            rows.append(try reading.table(statement.arguments))
                        }
                        return rows
                    }
                }
                continuation.resume(returning: rows)
            }
        }
    }

    /// Calls a closure with the rows of a statement.
    func read<Result>(
        _ sql: String, _ arguments: some Collection<StoredValue>, _ body: (StatementRows) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let outer = hooks.current
        if outer == nil { hooks.current = .reading }
        defer {
            readRenewedLists()
            leave(to: outer)
        }
        // A hook is called once: its statements run on the thread of the context.
        if !hooks.isOfObject, let rows = try reads.ahead?.rows(of: ReadStatement(sql: sql, arguments: Array(arguments)))
        {
            return try body(.buffered(rows))
        }
        reads.didRead()
        return try store.read(ifOpenIn: self) { (connection) throws(StoreError) in
            let statement = try connection.cached(reading: sql)
            try statement.bind(arguments)
            defer { statement.reset() }
            return try body(.statement(statement))
        }
    }
}
