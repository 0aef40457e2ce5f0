import Synchronization

/// The commits of a store, numbered, for the contexts that have not merged them yet.
///
/// A commit is appended by the thread that has the writer, after it ended: a context that reads afterwards finds its rows.
final class CommitLog: Sendable {
    private struct Entry: Sendable {
        let number: Int
        /// The context that saved; `nil` for other writers.
        let author: Int?
        /// The moment at which the request of a load began whose objects it has; `nil` for others.
        let load: Int?
        let changes: CommitChanges
    }

    /// Commits after the request of a load began.
    enum Kind {
        case all
        /// Without the loads whose request began earlier.
        case newer
        /// Without loads.
        case saves
        /// The loads whose request began later.
        case laterLoads

        fileprivate func contains(_ load: Int?, _ mark: Int) -> Bool {
            switch self {
            case .all: true
            case .newer: load.map { $0 > mark } ?? true
            case .saves: load == nil
            case .laterLoads: load.map { $0 > mark } ?? false
            }
        }
    }

    private struct State {
        var entries: [Entry] = []
        /// The commits up to this number are not in the log.
        var dropped = 0
        /// The number of the last merged commit, for each context.
        var positions: [Int: Int] = [:]
        var lastContext = 0
        /// The moments among the contexts at which requests began.
        var marks: Set<Int> = []
        /// The moments at which the requests of loads began, by the contexts that save them.
        var loads: [Int: Int] = [:]
        /// The number of rows in the entries.
        var rows = 0
        /// SQLite's number for commits of other connections; `nil` until it was read.
        var version: Int64?

        /// Whether a context has to merge the commits so far, or the next one.
        func isAwaited(by author: Int?, after last: Int) -> Bool {
            positions.contains { $0.key != author || $0.value < last }
        }

        /// Returns the commits after a number.
        func entries(after number: Int) -> [Entry] {
            let count = entries.lastIndex { $0.number <= number }.map { $0 + 1 } ?? 0
            return Array(entries[count...])
        }

        /// Records that a context has merged all commits up to a number.
        mutating func didMerge(_ number: Int, _ context: Int, last: Int) -> [Entry] {
            guard positions[context] != nil else { return [] }
            positions[context] = number
            return dropMerged(last: last)
        }

        /// - Returns: The entries, to be released outside of the lock.
        mutating func dropMerged(last: Int) -> [Entry] {
            guard !entries.isEmpty else { return [] }
            let first = positions.values.min() ?? last
            return drop(entries.firstIndex { $0.number > first } ?? entries.count)
        }

        mutating func drop(_ count: Int) -> [Entry] {
            guard count > 0 else { return [] }
            dropped = entries[count - 1].number
            let old = Array(entries[..<count])
            for entry in old { rows -= entry.changes.count }
            entries.removeFirst(count)
            return old
        }
    }

    private let state = Mutex(State())
    private let last = Atomic<Int>(0)
    /// A context that is behind by more commits or rows merges all rows.
    private static let maximumOfEntries = 10_000
    private static let maximumOfRows = 200_000

    /// The number of the last commit.
    var lastNumber: Int { last.load(ordering: .acquiring) }

    /// Whether there are requests whose responses have to be compared with later commits.
    var hasMarks: Bool { state.withLock { !$0.marks.isEmpty } }

    /// The number of rows that are retained for contexts; for tests of memory.
    var retainedRows: Int { state.withLock { $0.rows } }

    // MARK: Contexts

    /// Adds a context, which has merged all commits so far.
    ///
    /// - Parameter isMark: Whether it is the moment at which a request began. Defaults to `false`.
    /// - Returns: Its number, and that of the last commit.
    func addContext(isMark: Bool = false) -> (context: Int, last: Int) {
        state.withLock { state in
            let number = lastNumber
            state.lastContext += 1
            if isMark { state.marks.insert(state.lastContext) }
            state.positions[state.lastContext] = number
            return (state.lastContext, number)
        }
    }

    func removeContext(_ context: Int) {
        // Released after the lock: the changes of many commits are large.
        let merged = state.withLock { state in
            state.positions[context] = nil
            state.loads[context] = nil
            state.marks.remove(context)
            return state.dropMerged(last: lastNumber)
        }
        withExtendedLifetime(merged) {}
    }

    /// Records that a context saves the response of a load whose request began at a moment.
    func noteLoad(by context: Int, since mark: Int) { state.withLock { $0.loads[context] = mark } }

    /// Whether the response of a load is awaited whose request began before that of the load that a context saves.
    func hasEarlierLoad(than context: Int) -> Bool {
        state.withLock { state in
            state.loads[context].map { load in state.marks.contains { $0 < load } } ?? false
        }
    }

    /// Returns the changes by others that a context has not merged, and the number of the last commit; `nil` without changes.
    ///
    /// - Parameters:
    ///   - kind: The commits, compared with the context, which is a moment then. Defaults to all.
    ///   - authors: Other contexts whose commits are left out. Defaults to none.
    func changes(
        for context: Int, _ kind: Kind = .all, except authors: Set<Int> = []
    ) -> (last: Int, changes: CommitChanges?) {
        let (last, entries, merged) = state.withLock { state -> (Int, [Entry]?, [Entry]) in
            let number = lastNumber
            let position = state.positions[context] ?? number
            guard position >= state.dropped else { return (number, nil, []) }
            let entries = state.entries(after: position)
            guard entries.allSatisfy({ $0.author == context }) else { return (number, entries, []) }
            return (number, [], state.didMerge(number, context, last: number))
        }
        withExtendedLifetime(merged) {}
        guard let entries else { return (last, .everything) }
        // United after the lock, so that others can commit meanwhile.
        let others = entries.filter { entry in
            let isOwn = entry.author.map { $0 == context || authors.contains($0) } ?? false
            return !isOwn && kind.contains(entry.load, context)
        }
        guard var changes = others.last?.changes else { return (last, nil) }
        for entry in others.dropLast().reversed() { changes.formUnion(entry.changes) }
        return (last, changes)
    }

    /// Records that a context has merged all commits up to a number.
    func didMerge(_ number: Int, by context: Int) {
        let merged = state.withLock { $0.didMerge(number, context, last: lastNumber) }
        withExtendedLifetime(merged) {}
    }

    // MARK: Commits

    /// Appends a commit.
    ///
    /// - Parameters:
    ///   - author: The context that saved, whose objects have the written values; `nil` for other writers.
    ///   - changes: Returns what was written; called only if another context has to merge it.
    /// - Returns: Whether another context has to merge it.
    @discardableResult func append(by author: Int?, _ changes: () -> CommitChanges) -> Bool {
        let isAwaited = state.withLock { state in
            let number = lastNumber
            if state.isAwaited(by: author, after: number) { return true }
            // Nobody else is there: the author has merged its own commit.
            state.dropped = number + 1
            if let author, state.positions[author] != nil { state.positions[author] = number + 1 }
            last.store(number + 1, ordering: .releasing)
            return false
        }
        guard isAwaited else { return false }
        let changes = changes()
        guard !changes.isEmpty else { return false }
        let dropped = state.withLock { append(changes, by: author, to: &$0) }
        withExtendedLifetime(dropped) {}
        return true
    }

    /// - Returns: The entries that were dropped, to be released outside of the lock.
    private func append(_ changes: CommitChanges, by author: Int?, to state: inout State) -> [Entry] {
        let number = lastNumber + 1
        let load = author.flatMap { state.loads[$0] }
        state.entries.append(Entry(number: number, author: author, load: load, changes: changes))
        state.rows += changes.count
        defer { last.store(number, ordering: .releasing) }
        guard state.entries.count > Self.maximumOfEntries || state.rows > Self.maximumOfRows else { return [] }
        return state.drop(max(1, state.entries.count / 2))
    }

    /// Compares SQLite's number for commits of other connections with the last one.
    ///
    /// - Returns: Whether others have written the file since.
    @discardableResult func note(version: Int64) -> Bool {
        let dropped = state.withLock { state -> [Entry]? in
            defer { state.version = version }
            guard let known = state.version, known != version else { return nil }
            return append(.everything, by: nil, to: &state)
        }
        return dropped != nil
    }
}
