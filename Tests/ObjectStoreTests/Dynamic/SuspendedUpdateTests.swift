import ObjectMapping
import Testing

@testable import ObjectStore

/// A class with asynchronous statements by hand.
private final class Sailor: Persistable {
    let oid = "1"
    private(set) var name = "Roy"
    private(set) var persistenceState = PersistenceState.new
    private(set) var rows: [String] = []
    /// Called while a statement is suspended.
    var whileSuspended: () throws -> Void = {}

    func rename(_ name: String) throws {
        try persistenceState.noteAssignment(isChange: name != self.name)
        self.name = name
    }

    func setDeleted() { persistenceState.noteDeletion() }

    static func find(oid: String, in database: Void) -> Sailor? { nil }

    nonisolated(nonsending) func insert() async throws { try await run(.insert) }
    nonisolated(nonsending) func update() async throws { try await run(.update) }
    nonisolated(nonsending) func delete() async throws { try await run(.delete) }

    nonisolated(nonsending) private func run(_ operation: PersistenceState.Operation) async throws {
        _ = try persistenceState.after(operation)
        let written = name
        rows.append(written)
        await Task.yield()
        try whileSuspended()
        try persistenceState.finish(operation, changedRows: 1, isChanged: name != written)
    }
}

@Suite struct SuspendedUpdateTests {
    @Test(arguments: [PersistenceState.Operation.insert, .update])
    func `a change during an asynchronous statement is written by the next one`(
        _ operation: PersistenceState.Operation
    ) async throws {
        let sailor = Sailor()
        if operation == .update {
            try await sailor.persist()
            try sailor.rename("Ray")
        }
        sailor.whileSuspended = { try sailor.rename("Rex") }
        try await sailor.persist()
        #expect(sailor.persistenceState == .changed)
        sailor.whileSuspended = {}
        try await sailor.persist()
        #expect(sailor.persistenceState == .existing && sailor.rows.last == "Rex")
        try await sailor.delete()
        #expect(sailor.persistenceState == .detached)
    }
}
