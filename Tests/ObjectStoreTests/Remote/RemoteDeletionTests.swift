import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `A deletion while a change is sent` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    /// Starts a save whose answer waits.
    @MainActor private func lateSave(_ context: ObjectContext, _ answer: RemoteObjects?) async -> (
        Gate, Task<Void, Never>
    ) {
        let gate = Gate()
        remote.onSave { _ in
            await gate.wait()
            return .saved(answer)
        }
        let saving = Task { @MainActor in
            do throws(StoreError) { try await context.save() } catch { Testing.Issue.record(error) }
        }
        #expect(await eventually { gate.waiting == 1 })
        return (gate, saving)
    }

    @Test @MainActor func `of a new object is sent with the identity that the remote assigned`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        poet.name = "Emily"
        let (gate, saving) = await lateSave(context, RemoteObjects.poets(#"{"id": 7, "name": "Emily"}"#))
        context.delete(poet)
        gate.open()
        await saving.value
        #expect(context.hasChanges && remote.journal == ["insert Poet"])
        #expect(try await context.fetch(Poet.all).map(\.id) == [1])
        try await context.save()
        #expect(remote.journal == ["insert Poet", "delete Poet"])
        #expect(remote.changes.last?.object.identity == ["id": .integer(7)])
        #expect(!context.hasChanges)
        #expect(try context.store.count(of: "Poet") == 1)
    }

    @Test @MainActor func `of a changed object is sent later, and the file has the answer until then`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        let (gate, saving) = await lateSave(context, RemoteObjects.poets(#"{"id": 1, "name": "EMILY"}"#))
        context.delete(poet)
        gate.open()
        await saving.value
        #expect(context.hasChanges && remote.journal == ["update Poet"])
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(Poet.all).map(\.name) == ["EMILY"])
        try await context.save()
        #expect(remote.journal == ["update Poet", "delete Poet"] && !context.hasChanges)
        #expect(try context.store.count(of: "Poet") == 0)
    }

    @Test @MainActor func `can be rolled back`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        let (gate, saving) = await lateSave(context, RemoteObjects.poets(#"{"id": 7, "name": "Emily"}"#))
        context.delete(poet)
        gate.open()
        await saving.value
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try await Set(context.fetch(Poet.all).map(\.id)) == [1, 7])
    }

    @Test @MainActor func `of an object whose change waits replaces the change by the next save`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let new = Poet(in: context)
        poet.name = "Emily"
        let (gate, saving) = await lateSave(context, RemoteObjects.poets(#"{"id": 7}"#))
        context.delete(poet)
        gate.open()
        await saving.value
        #expect(remote.journal == ["insert Poet"] && new.id == 7 && context.hasChanges)
        try await context.save()
        #expect(remote.journal == ["insert Poet", "delete Poet"])
        #expect(try context.store.count(of: "Poet") == 1 && !context.hasChanges)
    }

    @Test @MainActor func `of an insertion without answer leaves it in the journal`() async throws {
        let (context, other) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        poet.name = "Emily"
        remote.onSave { _ in throw RemoteError(.noAnswer, "lost") }
        _ = try? await context.save()
        context.delete(poet)
        other.name = "Anne"
        remote.onSave { _ in .saved() }
        try await context.save()
        let saves = try context.store.interruptedSaves
        #expect(saves.flatMap(\.changes).map(\.wasSent) == [true])
        #expect(saves.first?.changes.first?.values["name"] == .text("Emily"))
    }

    /// The poet 1 with the poem 5, and the poet 2.
    @MainActor private func poem(_ context: ObjectContext, _ poet: Poet) async throws -> (poem: Poem, other: Poet) {
        let (poem, other) = (Poem(in: context), Poet(in: context))
        (poem.id, poem.writer, other.id) = (5, poet, 2)
        remote.onSave { _ in .saved() }
        try await context.save()
        return (poem, other)
    }

    @Test(arguments: [true, false]) @MainActor
    func `with other objects is sent with them by the next save`(_ isNew: Bool) async throws {
        let (context, poet) = try await remote.contextWithPoet()
        if isNew {
            let poem = Poem(in: context)
            (poem.id, poem.writer) = (5, poet)
            poet.name = "Emily"
        } else {
            let (_, other) = try await poem(context, poet)
            (poet.name, other.name) = ("Emily", "Anne")
        }
        let count = remote.changes.count
        let (gate, saving) = await lateSave(context, nil)
        context.delete(poet)
        gate.open()
        await saving.value
        #expect(!remote.journal.contains("delete Poet") && remote.changes.count > count)
        #expect(try context.store.count(of: "Poem") == 1 && context.hasChanges)
        try await context.save()
        #expect(remote.journal.suffix(2) == ["delete Poem", "delete Poet"] && !context.hasChanges)
        #expect(try context.store.count(of: "Poem") == 0)
    }

    @Test(arguments: [ObjectOutcome.Kind.refused, .unknown, .unavailable]) @MainActor
    func `of an earlier owner is not sent before the move of its objects was saved`(_ kind: ObjectOutcome.Kind)
        async throws
    {
        let (context, poet) = try await remote.contextWithPoet()
        let (poem, other) = try await poem(context, poet)
        poem.writer = other
        context.delete(poet)
        remote.onSave { change in
            guard change.object.entity == "Poem" else { return .saved() }
            switch kind {
            case .refused: return .refused(RemoteRefusal("invalid"))
            case .unknown: throw RemoteError(.noAnswer, "lost")
            default: throw RemoteError(.unavailable, "offline")
            }
        }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [kind, .notSent])
        #expect(!remote.journal.contains("delete Poet") && poem.writer === other)
        #expect(try context.store.count(of: "Poem") == 1 && context.store.count(of: "Poet") == 2)
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(remote.journal.suffix(2) == ["update Poem", "delete Poet"] && !context.hasChanges)
        let file = ObjectContext(context.store)
        #expect(try await file.fetch(Poem.all).map { $0.writer?.id } == [2])
    }
}
