import Foundation
import ObjectMapping
@testable import ObjectStore
import TestSupport
import Testing

/// What is removed after a complete answer.
@Suite("Pruning") struct PruningRunTests {
    /// A store with poets 1 and 2, which a server has; each with the poem 10 times its identity.
    private func store() async throws -> ManagedObjectStore {
        let store = try ManagedObjectStore(inMemory: FolderRemote.model())
        store.keepUnsent()
        try await store.perform { context in
            for id in 1...2 {
                let (poet, poem) = (context.insert(Poet.self), context.insert(Poem.self))
                (poet.id, poem.id, poem.writer) = (id, id * 10, poet)
            }
            context.savesReply()
            try context.save()
        }
        return store
    }

    private func kept(_ rows: [String: Set<Int64>], in store: ManagedObjectStore) -> LoadedRows {
        let numbers = Dictionary(store.entities.map { ($0.name, $0.index) }) { first, _ in first }
        return LoadedRows(
            rows: Dictionary(rows.map { (numbers[$0.key] ?? 0, $0.value) }) { first, _ in first }, authors: [])
    }

    private func rows(_ store: ManagedObjectStore) async throws -> String {
        try await store.perform { context in
            let poems = try context.fetch(Poem.all.sorted(by: \.id)).map { "\($0.id) of \($0.writer?.id ?? 0)" }
            return "\(try context.fetch(Poet.all.sorted(by: \.id)).map(\.id)) \(poems.joined(separator: ", "))"
        }
    }

    private func prune(
        _ store: ManagedObjectStore, _ queries: [any AnyObjectQuery], _ pruning: Pruning = .scope,
        since mark: CommitMark? = nil, keeping rows: [String: Set<Int64>] = [:]
    ) async throws -> PruningReport {
        try await store.prune(queries, keeping: kept(rows, in: store), since: mark ?? store.commitMark(), pruning)
    }

    @Test func `deletes with delete rules, and keeps an object with which an unsent edit would be deleted`()
        async throws
    {
        let store = try await store()
        try await store.perform { context in
            try context.find(Poem.self, 10)?.title = "Mine"
            try context.save()
        }
        let report = try await prune(store, [Poet.all])
        #expect(report.deleted.map(\.description).sorted() == ["Poem/2", "Poet/2"])
        #expect(report.kept.map(\.description) == ["Poet/1"] && report.refusal == nil)
        #expect(try await rows(store) == "[1] 10 of 1")
    }

    @Test func `keeps what was committed since, and everything if that is unknown`() async throws {
        let store = try await store()
        var mark = store.commitMark()
        try await store.perform { context in
            try context.find(Poet.self, 1)?.name = "Newer"
            context.savesReply()
            try context.save()
        }
        #expect(try await prune(store, [Poet.all], since: mark).deleted.count == 2)
        #expect(try await rows(store) == "[1] 10 of 1")
        mark = store.commitMark()
        try store.write(sql: #"UPDATE "Poem" SET "title" = 'x'"#)
        #expect(try await prune(store, [Poet.all], since: mark).refusal == .concurrentChanges)
        #expect(try await rows(store) == "[1] 10 of 1")
    }

    @Test func `does not delete objects that may be in another scope`() async throws {
        let store = try await store()
        let nested = Poem.where { $0.writer.id == 1 }
        #expect(try await prune(store, [nested], .dryRun).disconnected.count == 1)
        #expect(try await rows(store) == "[1, 2] 10 of 1, 20 of 2")
        let filters: [any AnyObjectQuery] = [
            Poem.where { $0.id > 5 }, Poem.where { $0.writer.id == 1 && $0.title == "" }, Poem.all.limit(5),
            Poem.where { $0.writer == nil || $0.writer.id == 1 },
            Poem.where { $0.writer.name == "" && $0.sequel == nil },
            Poem.where { $0.writer.id > 0 },
        ]
        for filter in filters {
            let report = try await prune(store, [filter])
            #expect(report.deleted.isEmpty && report.disconnected.isEmpty && !report.kept.isEmpty)
        }
        #expect(try await prune(store, [nested]).disconnected.count == 1)
        #expect(try await rows(store) == "[1, 2] 10 of 0, 20 of 2")
        #expect(try await prune(store, [Poem.where { $0.id > 15 }], .scope.assumingNoMoves()).deleted.count == 1)
        #expect(try await prune(store, [Poem.all.limit(5)], .scope.assumingNoMoves()).deleted.isEmpty)
    }

    @Test func `ignores entities without identity, and throws for an invalid query`() async throws {
        let store = try await store()
        try await store.perform { context in
            context.insert(Scrap.self)
            context.savesReply()
            try context.save()
        }
        #expect(try await prune(store, [Scrap.all]).deleted.isEmpty)
        await #expect(throws: StoreError.self) { try await prune(store, [Poet.all, Poem.all.limit(-1)]) }
        #expect(try await rows(store) == "[1, 2] 10 of 1, 20 of 2")
    }

    @Test func `prunes several entities, and keeps their rows in the answer`() async throws {
        let store = try await store()
        let all = try await prune(store, [Poet.all, Poem.all], keeping: ["Poet": [1], "Poem": [1, 2]])
        #expect(all.deleted.isEmpty && all.kept.map(\.description) == ["Poet/2"])
        let report = try await prune(store, [Poet.all, Poem.all], keeping: ["Poet": [1], "Poem": [1]])
        #expect(report.deleted.map(\.description).sorted() == ["Poem/2", "Poet/2"])
        #expect(try await rows(store) == "[1] 10 of 1")
    }
}
