import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Answers of a remote in another order than their requests` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    /// Starts a call of the remote whose answer waits.
    @MainActor private func late(
        _ call: @escaping @MainActor @Sendable () async throws -> Void, _ answer: RemoteObjects?
    ) async -> (Gate, Task<Void, any Error>) {
        let gate = Gate()
        remote.onFetch { _ in
            await gate.wait()
            return answer ?? .none()
        }
        remote.onRead { _ in
            await gate.wait()
            return answer
        }
        let task = Task { @MainActor in try await call() }
        #expect(await eventually { gate.waiting == 1 })
        return (gate, task)
    }

    @Test(arguments: ["fetch", "refresh"], ["fetch", "refresh", "nothing"]) @MainActor
    func `do not overwrite those of later requests`(_ first: String, _ second: String) async throws {
        let (context, poet) = try await remote.contextWithPoet()
        @MainActor func call(_ name: String, _ query: ObjectQuery<Poet>) async throws {
            switch name {
            case "fetch": _ = try await context.fetch(query, policy: .remote)
            case "refresh": try await poet.managed.refresh()
            default: break
            }
        }
        let (gate, task) = await late(
            { try await call(first, Poet.where { $0.id == 1 }) }, RemoteObjects.poets(#"[{"id": 1, "name": "old"}]"#))
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "new"}]"#) }
        remote.onRead { _ in RemoteObjects.poets(#"[{"id": 1, "name": "new"}]"#) }
        // Identical fetches would be one request.
        try await call(second, Poet.all)
        gate.open()
        try await task.value
        #expect(poet.name == (second == "nothing" ? "old" : "new"))
    }

    @Test @MainActor func `overwrite those of earlier requests`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let (first, older) = await late(
            { _ = try await context.fetch(Poet.all, policy: .remote) },
            RemoteObjects.poets(#"[{"id": 1, "name": "old"}]"#))
        let (second, newer) = await late(
            { _ = try await context.fetch(Poet.where { $0.id == 1 }, policy: .remote) },
            RemoteObjects.poets(#"[{"id": 1, "name": "new"}]"#))
        first.open()
        try await older.value
        #expect(poet.name == "old")
        second.open()
        try await newer.value
        #expect(poet.name == "new")
    }

    @Test @MainActor func `do not delete or bring back objects`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        // A refresh that began earlier did not find the object.
        let (gate, task) = await late({ try await poet.managed.refresh() }, nil)
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "new"}]"#) }
        _ = try await context.fetch(Poet.all, policy: .remote)
        gate.open()
        try await task.value
        #expect(try await context.fetch(Poet.all).map(\.name) == ["new"])
        // A list that began earlier has an object that a later refresh did not find.
        let (list, fetch) = await late(
            { _ = try await context.fetch(Poet.all, policy: .remote) },
            RemoteObjects.poets(#"[{"id": 1, "name": "old"}]"#))
        remote.onRead { _ in nil }
        try await poet.managed.refresh()
        list.open()
        try await fetch.value
        #expect(try context.store.count(of: "Poet") == 0)
    }

    @Test @MainActor func `take over what later ones do not have`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5}]"#, with: Poem.mapping) }
        let poem = try #require(try await context.fetch(Poem.all, policy: .remote).first)
        let (gate, task) = await late(
            { _ = try await context.fetch(Poem.where { $0.id == 5 }, policy: .remote) },
            RemoteObjects(#"[{"id": 5, "title": "old", "writer_id": 1}]"#, with: Poem.mapping))
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5, "title": "new"}]"#, with: Poem.mapping) }
        _ = try await context.fetch(Poem.all, policy: .remote)
        gate.open()
        try await task.value
        #expect(poem.title == "new" && poem.writerID == 1 && poem.writer === poet)
    }

    @Test @MainActor func `keep other attributes of a later answer, and take over their own`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let (gate, task) = await late(
            { try await poet.managed.refresh() }, RemoteObjects.poets(#"[{"id": 1, "name": "old"}]"#))
        try context.store.write(sql: "UPDATE Poet SET name = 'new' WHERE id = 1")
        gate.open()
        try await task.value
        #expect(poet.name == "new")
    }

    @Test @MainActor func `of relationships do not undo later changes, and connect what has no owner`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        let poems = RemoteObjects(#"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#, with: Poem.mapping)
        let (gate, task) = await late({ try await poet.managed.load(\.novels) }, poems)
        remote.onFetch { _ in
            RemoteObjects(#"[{"id": 1, "title": "A"}, {"id": 2, "title": "B", "writer_id": 9}]"#, with: Poem.mapping)
        }
        _ = try await context.fetch(Poem.all, policy: .remote)
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 9, "name": "Anne"}]"#) }
        _ = try await context.fetch(Poet.where { $0.id == 9 }, policy: .remote)
        gate.open()
        try await task.value
        #expect(poet.novels.map(\.id) == [1])
        #expect(try await context.fetch(Poem.where { $0.id == 2 }).first?.writer?.id == 9)
    }

    // MARK: Answers with other objects

    @Test @MainActor func `that have objects of other classes only remove nothing`() async throws {
        let (context, poet) = try await remote.contextWithPoet()
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5}]"#, with: Poem.mapping, isComplete: true) }
        _ = try await context.fetch(Poet.all, policy: .remote.pruning(.scope(upTo: 1)))
        #expect(try context.store.count(of: "Poet") == 1)
        remote.onRead { _ in RemoteObjects.poets(#"[{"id": 1, "name": "Jane"}]"#) }
        let error = await #expect(throws: RemoteError.self) { try await poet.managed.load(\.novels) }
        #expect(error?.kind == .invalidResult)
        // An empty answer is complete.
        remote.onFetch { _ in .none() }
        _ = try await context.fetch(Poet.all, policy: .remote.pruning(.scope(upTo: 1)))
        #expect(try context.store.count(of: "Poet") == 0)
    }

    @Test @MainActor func `that have several objects of a to-one relationship are errors`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5}]"#, with: Poem.mapping) }
        let poem = try #require(try await context.fetch(Poem.all, policy: .remote).first)
        remote.onRead { _ in RemoteObjects.poets(#"[{"id": 1, "name": "Jane"}, {"id": 2, "name": "Emily"}]"#) }
        let error = await #expect(throws: RemoteError.self) { try await poem.managed.load(\.writer) }
        #expect(error?.kind == .invalidResult && poem.writer == nil)
        #expect(try context.store.count(of: "Poet") == 1)
    }

    @Test @MainActor func `that have more objects than their limit are cut`() async throws {
        let (context, _) = try await remote.contextWithPoet()
        remote.onFetch { _ in
            RemoteObjects.poets(#"[{"id": 3}, {"id": 2}, {"id": 1}, {"id": 4}]"#).evaluates([.range])
        }
        let query = Poet.all.limit(2)
        for policy in [FetchPolicy.remote, .remote.maximumAge(.seconds(60))] {
            #expect(try await context.fetch(query, policy: policy).map(\.id) == [3, 2])
            #expect(try await context.count(query, policy: policy) == 2)
        }
    }
}
