import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `A change that a remote may have` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    private nonisolated(nonsending) func outcomes(_ context: ObjectContext) async -> [ObjectOutcome.Kind] {
        do throws(StoreError) { try await context.save() } catch { return error.outcomes.map(\.kind) }
        return []
    }

    private func loseAnswers() { remote.onSave { _ in throw RemoteError(.noAnswer, "lost") } }

    private func sent(_ store: ManagedObjectStore) throws -> [Bool] {
        try store.interruptedSaves.flatMap(\.changes).map(\.wasSent)
    }

    @Test @MainActor func `is looked for by the next program after a save that was cancelled or offline`() async throws
    {
        for isCancelled in [true, false] {
            let (context, _) = try await remote.contextWithPoet()
            Poet(in: context).name = "Emily"
            loseAnswers()
            #expect(await outcomes(context) == [.unknown])
            remote.onFind { _ in throw RemoteError(.unavailable, "offline") }
            let saving = Task { @MainActor in await outcomes(context) }
            if isCancelled { saving.cancel() }
            #expect(await saving.value == [isCancelled ? .notSent : .unavailable])
            try releaseSaves(of: context.store)
            #expect(try sent(context.store) == [true])
            let other = ObjectContext(context.store)
            for save in try context.store.interruptedSaves { try other.restore(save) }
            remote.onFind { _ in .found(RemoteObjects.poets(#"{"id": 7, "name": "Emily"}"#)) }
            let count = remote.changes.count
            try await other.save()
            #expect(remote.changes.count == count)
            #expect(try await other.fetch(Poet.all).map(\.id) == [1, 7])
            #expect(try context.store.interruptedSaves.isEmpty)
        }
    }

    @Test @MainActor func `remains in the journal if the next save does not send it`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let poem = Poem(in: context)
        loseAnswers()
        poet.name = "Emily"
        #expect(await outcomes(context) == [.unknown, .unknown])
        // Its writer is refused first.
        poem.writer = Poet(in: context)
        poet.id = 9
        remote.onSave { _ in .refused(RemoteRefusal("invalid")) }
        #expect(await outcomes(context) == [.refused, .notSent, .notSent])
        try releaseSaves(of: context.store)
        #expect(try sent(context.store).filter { $0 }.count == 2)
    }

    @Test @MainActor func `is asked for after the object was deleted or rolled back`() async throws {
        for (isDeleted, isFound) in [(true, true), (true, false), (false, true), (false, false)] {
            let (context, _) = try await remote.contextWithPoet()
            let poet = Poet(in: context)
            poet.name = "Emily"
            loseAnswers()
            #expect(await outcomes(context) == [.unknown])
            if isDeleted { context.delete(poet) } else { context.rollback() }
            remote.onSave { _ in .saved() }
            remote.onFind { _ in isFound ? .found(RemoteObjects.poets(#"{"id": 7, "name": "Emily"}"#)) : .notFound }
            let count = remote.changes.count
            try await context.save()
            #expect(remote.journal.dropFirst(count) == (isDeleted && isFound ? ["delete Poet"] : []))
            #expect(try await context.fetch(Poet.all).map(\.id) == (!isDeleted && isFound ? [1, 7] : [1]))
            #expect(try context.store.interruptedSaves.isEmpty && !context.hasChanges)
        }
    }

    @Test @MainActor func `is offered until it is discarded if the remote cannot be asked`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        loseAnswers()
        #expect(await outcomes(context) == [.unknown])
        context.delete(poet)
        let count = remote.changes.count
        for _ in 0..<2 {
            #expect(await outcomes(context) == [])
            let save = try #require(try context.store.interruptedSaves.first)
            for object in try context.restore(save) { context.delete(object) }
        }
        #expect(await outcomes(context) == [])
        #expect(remote.changes.count == count)
        for save in try context.store.interruptedSaves { try context.store.discard(save) }
        #expect(await outcomes(context) == [])
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `is taken back by the earlier value`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        loseAnswers()
        #expect(await outcomes(context) == [.unknown])
        poet.name = "Jane"
        // A merge does not forget it.
        let other = ObjectContext(context.store)
        Scrap(in: other).text = "Once"
        try await other.save()
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(remote.changes.last?.values == ["name": .text("Jane")])
        #expect(!context.hasChanges && poet.name == "Jane")
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `is offered after a rollback, and made again by a restoration`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        loseAnswers()
        #expect(await outcomes(context) == [.unknown])
        context.rollback()
        try await context.save()
        #expect(poet.name == "Jane")
        let save = try #require(try context.store.interruptedSaves.first)
        #expect(save.changes.map(\.wasSent) == [true])
        try context.restore(save)
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(poet.name == "Emily" && remote.changes.last?.values == ["name": .text("Emily")])
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `keeps later edits of a new object as a change that follows`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        poet.name = "Emily"
        loseAnswers()
        #expect(await outcomes(context) == [.unknown])
        poet.name = "Anne"
        #expect(await outcomes(context) == [.unknown])
        try releaseSaves(of: context.store)
        let other = ObjectContext(context.store)
        let save = try #require(try context.store.interruptedSaves.first)
        #expect(save.changes.map(\.operation) == [.insert, .update] && save.changes.map(\.wasSent) == [true, false])
        let restored = try other.restore(save).compactMap { $0 as? Poet }
        #expect(restored.map(\.name) == ["Anne"])
        remote.onFind { _ in .found(RemoteObjects.poets(#"{"id": 7, "name": "Emily"}"#)) }
        remote.onSave { _ in .saved() }
        try await other.save()
        #expect(remote.journal.last == "update Poet" && remote.changes.last?.values["name"] == .text("Anne"))
        #expect(try await other.fetch(Poet.all).map(\.name) == ["Jane", "Anne"])
    }

    @Test @MainActor func `of an object that is gone is reported by the first save that can`() async throws {
        let (first, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        loseAnswers()
        #expect(await outcomes(first) == [.unknown])
        try releaseSaves(of: first.store)
        try first.store.write(sql: "DELETE FROM Poet")
        let context = ObjectContext(first.store)
        try context.restore(try #require(try first.store.interruptedSaves.first))
        let twins = [Poet(in: context), Poet(in: context)]
        for twin in twins { twin.id = 5 }
        // Refused before anything is sent.
        #expect(await #expect(throws: StoreError.self) { try await context.save() }?.kind == .identityTaken)
        twins[1].id = 6
        remote.onSave { _ in .saved() }
        #expect(await outcomes(context).contains(.missing))
        #expect(await outcomes(context) == [])
    }

    @Test(arguments: [true, false]) @MainActor
    func `is sent with its key until it is saved, also after the repetition was refused`(_ isConflict: Bool)
        async throws
    {
        let remote = ScriptedRemote(entities: ["Poet"], acceptsIdempotencyKeys: true)
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        remote.onSave { _ in throw RemoteError(.noAnswer, "lost") }
        #expect(await outcomes(context) == [.unknown])
        let refusal = RemoteRefusal("in progress", errors: ["name": ["is taken"]])
        remote.onSave { _ in isConflict ? .conflict(refusal) : .refused(refusal) }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.unknown] && error?.outcomes.first?.errors == refusal.errors)
        remote.onSave { _ in .saved(RemoteObjects.poets(#"{"id": 7}"#)) }
        try await context.save()
        #expect(remote.changes.count == 3 && Set(remote.changes.map(\.idempotencyKey)).count == 1)
        #expect(poet.id == 7 && !context.hasChanges)
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `is refused if the remote does not find the first attempt`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        loseAnswers()
        #expect(await outcomes(context) == [.unknown])
        poet.name = "Emily"
        remote.onFind { _ in .notFound }
        remote.onSave { _ in .refused(RemoteRefusal("invalid")) }
        #expect(await outcomes(context) == [.refused])
        // The correction is sent.
        remote.onSave { _ in .saved(RemoteObjects.poets(#"{"id": 7, "name": "Emily"}"#)) }
        try await context.save()
        #expect(remote.journal == ["insert Poet", "insert Poet", "insert Poet"])
        #expect(remote.changes.last?.values["name"] == .text("Emily"))
    }
}
