import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `A save through a remote of what others have changed` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    /// Sends a change of the poet 1 in another context.
    private func rename(_ store: ManagedObjectStore, _ name: String) async throws {
        let other = ObjectContext(store)
        try #require(try await other.fetch(Poet.where { $0.id == 1 }).first).name = name
        try await other.save()
    }

    private func storedName(_ store: ManagedObjectStore) throws -> String? {
        try store.read { (connection) throws(StoreError) in
            try connection.database.value("SELECT name FROM Poet WHERE id = 1", [])?.text
        }
    }

    @Test(arguments: [MergePolicy.throwConflict, .storeWins, .objectWins]) @MainActor
    func `merges them by the policy before it sends anything`(_ policy: MergePolicy) async throws {
        let (context, poet) = try await remote.contextWithPoet()
        context.mergePolicy = policy
        poet.name = "mine"
        try await rename(context.store, "theirs")
        let sent = remote.changes.count
        switch policy {
        case .throwConflict:
            let error = await #expect(throws: StoreError.self) { try await context.save() }
            #expect(error?.kind == .conflict && error?.conflicts.first?.base == .text("Jane"))
            #expect(error?.conflicts.first?.mine == .text("mine") && error?.conflicts.first?.theirs == .text("theirs"))
            #expect(remote.changes.count == sent && poet.name == "mine" && context.hasChanges)
            #expect(try storedName(context.store) == "theirs")
        case .storeWins:
            try await context.save()
            #expect(remote.changes.count == sent && poet.name == "theirs" && !context.hasChanges)
            #expect(try storedName(context.store) == "theirs")
        case .objectWins:
            try await context.save()
            #expect(remote.changes.last?.values["name"] == .text("mine") && remote.changes.count == sent + 1)
            #expect(try storedName(context.store) == "mine")
            #expect(poet.name == "mine" && !context.hasChanges)
        }
    }

    @Test @MainActor func `merges targets of relationships`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        remote.onSave { change in
            .saved(change.operation == .insert ? RemoteObjects(#"{"id": 7}"#, with: Poem.mapping) : nil)
        }
        let poem = Poem(in: context)
        try await context.save()
        context.mergePolicy = .objectWins
        poem.writer = poet
        let (store, id) = (context.store, poem.managed.id)
        remote.onSave { change in .saved(change.operation == .insert ? RemoteObjects.poets(#"{"id": 2}"#) : nil) }
        let other = ObjectContext(store)
        let second = Poet(in: other)
        try await other.save()
        try await other.object(with: id, as: Poem.self).writer = second
        try await other.save()
        try await context.save()
        #expect(remote.changes.last?.targets["writer"]??.identity["id"] == .integer(1))
        #expect(poem.writer === poet && !context.hasChanges)
        let third = ObjectContext(store)
        #expect(try await third.fetch(Poem.all).first?.writer?.id == 1)
    }

    @Test @MainActor func `compares each object when its change is sent`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let store = context.store
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 2, "name": "Emily"}]"#) }
        let emily = try #require(try await context.fetch(Poet.where { $0.id == 2 }, policy: .remote).first)
        (poet.name, emily.name) = ("A", "B")
        // Others change the second object while the first one is sent.
        let gate = Gate()
        let remote = remote
        remote.onSave { _ in
            await gate.wait()
            return .saved()
        }
        let saving = Task { @MainActor in
            do throws(StoreError) { try await context.save() } catch { return error.outcomes.map(\.kind) }
            return []
        }
        #expect(await eventually { gate.waiting == 1 })
        try store.write(sql: "UPDATE Poet SET name = 'theirs' WHERE name IN ('Jane', 'Emily')")
        gate.open()
        #expect(await saving.value == [.saved, .conflict])
        #expect(remote.changes.count == 1 && poet.name == "theirs" && emily.name == "B")
    }

    @Test @MainActor func `sends a change again whose answer was lost, although a fetch has its values`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        remote.onSave { _ in throw RemoteError(.noAnswer, "lost") }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.unknown])
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "Emily"}]"#) }
        _ = try await context.fetch(Poet.all, policy: .remote)
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(poet.name == "Emily" && !context.hasChanges)
        #expect(try context.store.interruptedSaves.isEmpty)
        // Without a lost answer, two equal changes are a conflict.
        poet.name = "Anne"
        try await rename(context.store, "Anne")
        #expect(await #expect(throws: StoreError.self) { try await context.save() }?.kind == .conflict)
    }

    @Test @MainActor func `never sends a changed identity, nor writes it`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        (poet.id, poet.name) = (5, "Emily")
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.notSent] && remote.changes.isEmpty)
        #expect(error?.outcomes.first?.message.contains("identity") == true)
        #expect(try storedName(context.store) == "Jane" && poet.id == 5)
        poet.id = 1
        try await context.save()
        #expect(remote.journal == ["update Poet"] && !context.hasChanges)
    }

    @Test @MainActor func `refuses two new objects with one identity before it sends anything`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let new = [Poet(in: context), Poet(in: context)]
        for object in new { object.id = 8 }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.kind == .identityTaken && remote.changes.isEmpty)
        // Nor that of an object that the same save deletes.
        context.delete(poet)
        (new[0].id, new[1].id) = (1, 9)
        let second = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(second?.kind == .identityTaken && remote.changes.isEmpty)
        new[0].id = 8
        try await context.save()
        #expect(remote.journal == ["insert Poet", "insert Poet", "delete Poet"] && !context.hasChanges)
    }

    @Test @MainActor func `reports objects that others have deleted`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        try context.store.write(sql: "DELETE FROM Poet")
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.missing] && remote.changes.isEmpty)
    }
}
