/// A moment between the commits of a store, such as the start of a request.
package final class CommitMark: Sendable {
    private let log: CommitLog
    /// The number in the log, which retains the later commits as for a context.
    private let number: Int

    init(_ log: CommitLog) {
        self.log = log
        number = log.addContext(isMark: true).context
    }

    deinit { log.removeContext(number) }

    /// What was committed later, except for responses; `nil` if nothing was, or if the rows are unknown.
    ///
    /// Responses are not newer than another response. The rows of other processes are unknown.
    var changes: CommitChanges? {
        let changes = changes(withResponses: false)
        return changes?.isEverything == true ? nil : changes
    }

    /// Whether nothing was committed later.
    package var isLatest: Bool { changes(withResponses: true) == nil }

    /// Returns what was committed later; `nil` if nothing was.
    ///
    /// - Parameter authors: Contexts whose commits are left out. Defaults to none.
    func changes(withResponses: Bool, except authors: Set<Int> = []) -> CommitChanges? {
        log.changes(for: number, includingLoaded: withResponses, except: authors).changes
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
