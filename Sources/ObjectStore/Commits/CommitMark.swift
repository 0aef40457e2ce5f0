/// A moment between the commits of a store, such as the start of a request.
package final class CommitMark: Sendable {
    private let log: CommitLog
    /// The number in the log, which retains the later commits as for a context; later moments have greater numbers.
    let number: Int

    init(_ log: CommitLog) {
        self.log = log
        number = log.addContext(isMark: true).context
    }

    deinit { log.removeContext(number) }

    /// What was committed later, except for the responses of loads that began earlier; `nil` if nothing was, or if the rows
    /// are unknown.
    ///
    /// The rows of other processes are unknown.
    var changes: CommitChanges? {
        known(.newer)
    }

    /// What was committed later, except for loads; `nil` if nothing was, or if the rows are unknown.
    var saves: CommitChanges? { known(.saves) }

    /// What the loads have committed whose requests began later; `nil` for nothing.
    var laterLoads: CommitChanges? { known(.laterLoads) }

    private func known(_ kind: CommitLog.Kind) -> CommitChanges? {
        let changes = log.changes(for: number, kind).changes
        return changes?.isEverything == true ? nil : changes
    }

    /// Whether a row was written later, except by loads; also if the rows are unknown.
    func isSaved(_ row: Int64, _ entity: Int) -> Bool {
        guard let saves = log.changes(for: number, .saves).changes else { return false }
        return saves.isEverything || saves.isAll(entity) || saves.isWritten(entity)(row)
    }

    /// Whether nothing was committed later.
    package var isLatest: Bool { allChanges() == nil }

    /// Returns what was committed later; `nil` if nothing was.
    ///
    /// - Parameter authors: Contexts whose commits are left out. Defaults to none.
    func allChanges(except authors: Set<Int> = []) -> CommitChanges? {
        log.changes(for: number, except: authors).changes
    }
}

extension CommitChanges {
    /// Returns a function that tests whether a row of an entity was inserted or updated.
    func isWritten(_ entity: Int) -> (Int64) -> Bool {
        // Of all rows, those that were written are unknown.
        guard !isAll(entity), let rows = rows[entity] else { return { _ in false } }
        let updated = Set(rows.updated)
        return { row in updated.contains(row) || rows.inserted.contains { $0.contains(row) } }
    }
}
