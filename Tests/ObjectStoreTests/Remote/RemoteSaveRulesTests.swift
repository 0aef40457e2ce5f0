import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `The rules of a save through a remote` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    private static func poets(_ json: String) -> RemoteObjects {
        RemoteObjects(json, with: Poet.mapping, isComplete: true)
    }

    /// A context with the poet 1.
    @MainActor private func context() async throws -> (ObjectContext, Poet) {
        let store = try await remote.store(URL(filePath: ":memory:"), FolderRemote.model())
        remote.onFetch { _ in Self.poets(#"[{"id": 1, "name": "Jane"}]"#) }
        return (
            store.mainContext, try #require(try await store.mainContext.fetch(Poet.all, policy: .remote).first)
        )
    }

    private nonisolated(nonsending) func failure(_ context: ObjectContext) async -> StoreError? {
        do throws(StoreError) { try await context.save() } catch { return error }
        return nil
    }

    @Test @MainActor func `a save that waits for another one ends when it is cancelled`() async throws {
        let (context, poet) = try await context()
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
        let (first, poet) = try await context()
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
        let (first, poet) = try await context()
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5, "writer_id": 1}]"#, with: Poem.mapping) }
        let poem = try #require(try await first.fetch(Poem.all, policy: .remote).first)
        remote.onFetch { _ in Self.poets(#"[{"id": 2, "name": "Emily"}]"#) }
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
        let (first, poet) = try await context()
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
