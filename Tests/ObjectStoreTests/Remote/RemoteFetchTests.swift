import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `A fetch through a remote` {
    private let remote: FolderRemote

    init() throws {
        remote = FolderRemote(try TemporaryDirectory())
        for id in 1...3 { try remote.put(["id": .integer(id), "name": .string("Poet \(id)")], as: "Poet", id) }
        try remote.put(["id": 7, "title": .string("Emma"), "writer_id": 1], as: "Poem", 7)
    }

    @Test @MainActor func `imports the objects and returns those that match`() async throws {
        let context = try await remote.store().mainContext
        #expect(try await context.fetch(Poet.all).isEmpty)
        let writers = try await context.fetch(Poet.where { $0.id > 1 }.sorted(by: \.name), policy: .remote)
        #expect(writers.map(\.name) == ["Poet 2", "Poet 3"])
        #expect(remote.journal == ["fetch Poet where id > 1, sorted by name"])
        #expect(try await context.count(Poet.all, policy: .remote) == 3)
        #expect(try await context.ids(Poet.all, policy: .remote).count == 3)
        #expect(try await context.snapshots(Poet.all, policy: .remote).map(\.name).count == 3)
    }

    @Test @MainActor func `connects objects in either order`() async throws {
        let context = try await remote.store().mainContext
        let novels = try await context.fetch(Poem.all, policy: .remote)
        #expect(novels[0].writer == nil)
        _ = try await context.fetch(Poet.all, policy: .remote)
        #expect(novels[0].writer?.name == "Poet 1")
    }

    @Test @MainActor func `returns the page of the remote and not that of the file`() async throws {
        let context = try await remote.store().mainContext
        let page = try await context.fetch(Poet.all.limit(1).offset(2), policy: .remote)
        #expect(page.map(\.id) == [3])
    }

    @Test(arguments: [RemoteError.Kind.unavailable, .noAnswer]) @MainActor
    func `uses the file if the remote gives no answer`(_ kind: RemoteError.Kind) async throws {
        let context = try await remote.store().mainContext
        _ = try await context.fetch(Poet.all, policy: .remote)
        remote.fail("fetch Poet", with: .error(RemoteError(kind, "offline")))
        #expect(try await context.fetch(Poet.all, policy: .remoteElseLocal).count == 3)
        await #expect(throws: RemoteError.self) { try await context.fetch(Poet.all, policy: .remote).count }
        remote.fail("fetch Poet", with: .error(RemoteError(.refused, "not allowed")))
        await #expect(throws: RemoteError.self) { try await context.fetch(Poet.all, policy: .remoteElseLocal).count }
    }

    @Test @MainActor func `returns the file at once and the remote later`() async throws {
        let didFetch = Mutex(false)
        let context = try await remote.store { event in
            if case .didFetch = event { didFetch.withLock { $0 = true } }
        }.mainContext
        #expect(try await context.fetch(Poet.all, policy: .localThenRemote).isEmpty)
        #expect(await eventually { didFetch.withLock { $0 } })
        #expect(try await context.fetch(Poet.all).count == 3)
    }

    @Test @MainActor func `uses an answer up to its maximum age`() async throws {
        let context = try await remote.store().mainContext
        for _ in 0..<2 {
            let writers = try await context.fetch(Poet.all, policy: .remote.maximumAge(.seconds(60)))
            #expect(writers.count == 3)
        }
        #expect(remote.journal.count == 1)
        _ = try await context.fetch(Poet.all, policy: .remote.maximumAge(.zero))
        #expect(remote.journal.count == 2)
    }

    @Test @MainActor func `is one request while an identical one is under way`() async throws {
        let store = try await remote.store()
        let gate = GatedRemote(remote)
        let gated = try await ManagedObjectStore.open(
            at: remote.folder.file("gated.sqlite"), model: FolderRemote.model(), remote: gate)
        let context = gated.mainContext
        let tasks = (0..<3).map { _ in
            Task { @MainActor in try await context.fetch(Poet.all, policy: .remote).count }
        }
        #expect(await eventually { gate.waiting == 1 })
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        gate.open()
        let counts = try await [tasks[1].value, tasks[2].value]
        #expect(counts == [3, 3])
        #expect(remote.journal.count == 1)
        withExtendedLifetime(store) {}
    }

    @Test @MainActor func `that is cancelled ends even if the remote never answers`() async throws {
        let context = try await remote.store().mainContext
        remote.fail("fetch Poet", with: .silence)
        let task = Task { @MainActor in try await context.fetch(Poet.all, policy: .remote).count }
        #expect(await eventually { remote.journal.count == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        remote.fail("fetch Poet", with: nil)
        #expect(try await context.fetch(Poet.all, policy: .remote).count == 3)
    }

    @Test @MainActor func `keeps unsaved changes`() async throws {
        let context = try await remote.store().mainContext
        let writer = try #require(try await context.fetch(Poet.all, policy: .remote).first)
        writer.name = "Jane"
        try remote.put(["id": 1, "name": .string("Other")], as: "Poet", 1)
        _ = try await context.fetch(Poet.all, policy: .remote)
        #expect(writer.name == "Jane")
        context.rollback()
        #expect(writer.name == "Other")
    }

    @Test @MainActor func `removes what a complete answer does not have only if asked`() async throws {
        let events = Mutex<[String]>([])
        let store = try await remote.store { event in
            if case .didPrune(let ids, let isDryRun) = event {
                events.withLock { $0.append("\(isDryRun ? "dry " : "")\(ids.map(\.description).sorted())") }
            }
        }
        let context = store.mainContext
        _ = try await context.fetch(Poem.all, policy: .remote)
        let writers = try await context.fetch(Poet.all, policy: .remote)
        try remote.remove("Poet", 1)
        #expect(try await context.fetch(Poet.all, policy: .remote).count == 3)
        #expect(try await context.fetch(Poet.where { $0.id > 0 }, policy: .remote.pruning(.scope)).count == 3)
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.dryRun)).count == 3)
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope)).count == 2)
        #expect(writers[0].managed.state == .deleted)
        #expect(try await context.count(Poem.all) == 0)
        #expect(events.withLock { $0 } == [#"dry ["Poem/1", "Poet/1"]"#, #"["Poem/1", "Poet/1"]"#])
    }

    @Test @MainActor func `does not remove more than a share`() async throws {
        for id in 4...40 { try remote.put(["id": .integer(id), "name": .string("W")], as: "Poet", id) }
        let refused = Mutex<[[Int]]>([])
        let store = try await remote.store { event in
            if case .didRefusePruning(let count, let total) = event { refused.withLock { $0.append([count, total]) } }
        }
        let context = store.mainContext
        _ = try await context.fetch(Poet.all, policy: .remote)
        for id in 1...9 { try remote.remove("Poet", id) }
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope)).count == 40)
        #expect(refused.withLock { $0 } == [[9, 40]])
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope(upTo: 0.5))).count == 31)
    }

    @Test @MainActor func `counts what delete rules remove in the share`() async throws {
        for id in 4...40 { try remote.put(["id": .integer(id), "name": .string("W")], as: "Poet", id) }
        for id in 10...40 {
            try remote.put(["id": .integer(id), "title": .string("P"), "writer_id": .integer(4)], as: "Poem", id)
        }
        let refused = Mutex<[[Int]]>([])
        let store = try await remote.store { event in
            if case .didRefusePruning(let count, let total) = event { refused.withLock { $0.append([count, total]) } }
        }
        let context = store.mainContext
        _ = try await context.fetch(Poem.all, policy: .remote)
        _ = try await context.fetch(Poet.all, policy: .remote)
        try remote.remove("Poet", 4)
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope)).count == 40)
        let poems = try store.count(of: "Poem")
        #expect(refused.withLock { $0 } == [[31, poems]])
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope(upTo: 1))).count == 39)
        #expect(try store.count(of: "Poem") == poems - 31)
    }

    @Test @MainActor func `loads the objects of a relationship and the values of an object`() async throws {
        let context = try await remote.store().mainContext
        let writer = try #require(try await context.fetch(Poet.all, policy: .remote).first)
        #expect(writer.novels.isEmpty)
        try await writer.managed.load(\.novels)
        #expect(writer.novels.map(\.title) == ["Emma"])
        try remote.remove("Poem", 7)
        try await writer.managed.load(\.novels)
        #expect(writer.novels.count == 1)
        try await writer.managed.load(\.novels, pruning: .scope)
        #expect(writer.novels.isEmpty)
        #expect(try await context.count(Poem.all) == 1)
        try remote.put(["id": 1, "name": .string("Jane")], as: "Poet", 1)
        try await writer.managed.refresh()
        #expect(writer.name == "Jane")
        try remote.put(["id": 2, "name": .string("Jane")], as: "Poet", 1)
        await #expect(throws: (any Error).self) { try await writer.managed.refresh() }
        try remote.remove("Poet", 1)
        try await writer.managed.refresh()
        #expect(writer.managed.state == .deleted)
    }

    @Test @MainActor func `leaves local entities and stores without a remote alone`() async throws {
        let context = try await remote.store().mainContext
        #expect(try await context.fetch(Scrap.all, policy: .remote).isEmpty && remote.journal.isEmpty)
        let local = try ManagedObjectStore(inMemory: FolderRemote.model()).mainContext
        #expect(try await local.fetch(Poet.all, policy: .local).isEmpty)
        await #expect(throws: StoreError.self) { try await local.fetch(Poet.all, policy: .remote).count }
    }

    @Test func `is refused for another remote or user`() async throws {
        try await remote.store().close()
        let other = FolderRemote(remote.folder, identifier: "other user")
        let error = await #expect(throws: StoreError.self) { try await other.store() }
        #expect(error?.kind == .otherRemote)
        try await remote.store().close()
    }
}

/// A remote whose fetches wait.
private final class GatedRemote: IncrementalStore {
    private let remote: FolderRemote
    private let gate = Gate()

    init(_ remote: FolderRemote) { self.remote = remote }

    var waiting: Int { gate.waiting }

    func open() { gate.open() }

    func metadata() -> RemoteMetadata { remote.metadata() }

    func fetch(_ fetch: RemoteFetch) async throws -> RemoteObjects {
        await gate.wait()
        return try await remote.fetch(fetch)
    }

    func save(_ change: RemoteChange) async throws -> RemoteOutcome { try await remote.save(change) }
}
