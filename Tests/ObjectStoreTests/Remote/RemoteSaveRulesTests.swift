import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `The rules of a save through a remote` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    private nonisolated(nonsending) func failure(_ context: ObjectContext) async -> StoreError? {
        do throws(StoreError) { try await context.save() } catch { return error }
        return nil
    }

    @Test(arguments: [nil, "{}", #"{"name": "Emily"}"#]) @MainActor
    func `an insertion whose answer has no identity is not written`(_ answer: String?) async throws {
        let (context, _) = try await remote.contextWithPoet()
        let poet = Poet(in: context)
        remote.onSave { _ in .saved(answer.map(RemoteObjects.poets)) }
        let error = await failure(context)
        #expect(error?.outcomes.map(\.kind) == [.notStored])
        #expect(error?.outcomes.first?.message.contains("identity (id)") == true)
        #expect(poet.managed.state == .inserted)
        #expect(try context.store.count(of: "Poet") == 1)
        // It is looked for, and not sent again.
        #expect(await failure(context)?.outcomes.map(\.kind) == [.unknown])
        #expect(remote.changes.count == 1)
        remote.onFind { _ in .found(RemoteObjects.poets(#"{"id": 7}"#)) }
        #expect(await failure(context) == nil)
        #expect(poet.id == 7 && remote.changes.count == 1)
    }

    @Test(arguments: [[:], ["id": StoredValue.null], ["id": .text("x")], ["identity": .integer(1)]]) @MainActor
    func `identities that are incomplete or invalid are refused before anything is sent`(
        _ identity: [String: StoredValue]
    ) async throws {
        let (context, _) = try await remote.contextWithPoet()
        Poet(in: context).name = "Emily"
        remote.onIdentities { objects in objects.map { _ in identity } }
        let error = await failure(context)
        #expect(error?.kind == .notSaved && error?.outcomes.map(\.kind) == [.notSent])
        #expect(error?.message.contains("'id'") == true && remote.changes.isEmpty)
        remote.onIdentities { objects in objects.map { _ in ["id": .integer(7)] } }
        remote.onSave { _ in .saved() }
        #expect(await failure(context) == nil)
        #expect(remote.changes.last?.object.identity == ["id": .integer(7)])
    }

    @Test @MainActor func `identities that are equal are refused before anything is sent`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        for name in ["Emily", "Anne"] { Poet(in: context).name = name }
        remote.onIdentities { objects in objects.map { _ in ["id": .integer(7)] } }
        #expect(await failure(context)?.kind == .identityTaken)
        #expect(remote.changes.isEmpty)
    }

    @Test @MainActor func `a save that waits for another one ends when it is cancelled`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        let gate = Gate()
        remote.onSave { _ in
            await gate.wait()
            return .saved()
        }
        let first = Task { @MainActor in await failure(context) }
        #expect(await eventually { gate.waiting == 1 })
        poet.name = "Anne"
        let second = Task { @MainActor in await failure(context) }
        let third = Task { @MainActor in await failure(context) }
        await Task.yield()
        second.cancel()
        let error = await second.value
        #expect(error?.kind == .notSaved && error?.outcomes.map(\.kind) == [.notSent])
        #expect(gate.waiting == 1)
        gate.open()
        #expect(await first.value == nil)
        #expect(await third.value == nil)
        #expect(remote.changes.map { $0.values["name"] } == [.text("Emily"), .text("Anne")])
        #expect(!context.hasChanges)
    }

    @Test @MainActor func `the advice follows from the outcomes`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        poet.name = "Emily"
        remote.onSave { _ in throw RemoteError(.unavailable, "offline") }
        #expect(await failure(context)?.advice == "save again when the remote can be reached")
        remote.onSave { _ in .refused(RemoteRefusal("invalid")) }
        #expect(await failure(context)?.advice == "correct the objects that were refused, and save again")
    }

    // MARK: Interrupted saves

    /// An interrupted save of three new poets and of a change of the poet 1.
    @MainActor private func interruptedSave(_ context: ObjectContext, _ poet: Poet) async throws -> InterruptedSave {
        remote.onSave { _ in throw RemoteError(.unavailable, "offline") }
        for name in ["A", "B", "C"] { Poet(in: context).name = name }
        poet.name = "D"
        _ = await failure(context)
        try releaseSaves(of: context.store)
        return try #require(try context.store.interruptedSaves.first)
    }

    @Test @MainActor func `an interrupted save is restored once and in order`() async throws {
        let (first, poet) = try await remote.contextWithPoet()
        let save = try await interruptedSave(first, poet)
        let context = ObjectContext(first.store)
        let names = try context.restore(save).compactMap { ($0 as? Poet)?.name }
        #expect(names == ["D", "A", "B", "C"])
        for other in [context, ObjectContext(first.store)] {
            let error = #expect(throws: StoreError.self) { try other.restore(save) }
            #expect(error?.kind == .misuse)
        }
        remote.onIdentities { objects in objects.indices.map { ["id": .integer(Int64($0) + 10)] } }
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(remote.changes.suffix(4).map { $0.values["name"]?.text } == ["A", "B", "C", "D"])
        // It has been saved.
        #expect(throws: StoreError.self) { try context.restore(save) }
        #expect(try context.store.count(of: "Poet") == 4 && !context.hasChanges)
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `an interrupted relationship to an object that is gone is reported, and not cleared`()
        async throws
    {
        let (first, poet) = try await remote.contextWithPoet()
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5, "writer_id": 1}]"#, with: Poem.mapping) }
        let poem = try #require(try await first.fetch(Poem.all, policy: .remote).first)
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 2, "name": "Emily"}]"#) }
        poem.writer = try await first.fetch(Poet.where { $0.id == 2 }, policy: .remote).first
        remote.onSave { _ in throw RemoteError(.unavailable, "offline") }
        _ = await failure(first)
        try releaseSaves(of: first.store)
        let save = try #require(try first.store.interruptedSaves.first)
        try first.store.write(sql: "DELETE FROM Poet WHERE id = 2")
        let context = ObjectContext(first.store)
        try context.restore(save)
        remote.onSave { _ in .saved() }
        #expect(await failure(context)?.outcomes.map(\.kind) == [.missing])
        #expect(try await context.fetch(Poem.all).first?.writer?.managed.id == poet.managed.id)
        #expect(remote.changes.allSatisfy { $0.targets["writer"]??.identity["id"] == .integer(2) })
    }

    @Test @MainActor func `an interrupted change of an object that is gone is reported by the next save`() async throws
    {
        let (first, poet) = try await remote.contextWithPoet()
        let save = try await interruptedSave(first, poet)
        let context = ObjectContext(first.store)
        try context.store.write(sql: "DELETE FROM Poet")
        #expect(try context.restore(save).count == 3)
        remote.onIdentities { objects in objects.indices.map { ["id": .integer(Int64($0) + 10)] } }
        remote.onSave { _ in .saved() }
        let error = await failure(context)
        #expect(error?.outcomes.map(\.kind) == [.missing, .saved, .saved, .saved])
        #expect(error?.outcomes.first?.object == poet.managed.id)
        #expect(try context.store.count(of: "Poet") == 3)
        #expect(await failure(context) == nil)
        #expect(try context.store.interruptedSaves.isEmpty)
    }
}
