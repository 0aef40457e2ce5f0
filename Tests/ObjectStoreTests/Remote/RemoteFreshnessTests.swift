import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Earlier answers of a remote` {
    private let remote = ScriptedRemote()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        remote.onFetch { fetch in
            if fetch.knownVersion == "1" { return .unchanged }
            var objects = RemoteObjects(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, with: Poet.mapping)
            objects.version = "1"
            objects.isComplete = true
            return objects
        }
    }

    private func store() async throws -> ManagedObjectStore {
        try await remote.store(folder.file("store.sqlite"), FolderRemote.model())
    }

    @Test @MainActor func `are used up to their maximum age after the file was opened again`() async throws {
        var store = try await store()
        _ = try await store.mainContext.fetch(Poet.all, policy: .remote)
        store.close()
        store = try await self.store()
        let poets = try await store.mainContext.fetch(Poet.all, policy: .remote.maximumAge(.seconds(60)))
        #expect(poets.map(\.name) == ["A", "B"] && remote.fetches.count == 1)
        let others = Poet.where { $0.name == "A" }
        #expect(try await store.mainContext.fetch(others, policy: .remote.maximumAge(.seconds(60))).count == 1)
        #expect(remote.fetches.count == 2)
    }

    @Test @MainActor func `are confirmed by their version after the file was opened again`() async throws {
        var store = try await store()
        _ = try await store.mainContext.fetch(Poet.all, policy: .remote)
        store.close()
        store = try await self.store()
        #expect(try await store.mainContext.fetch(Poet.all, policy: .remote).count == 2)
        #expect(remote.fetches.map(\.knownVersion) == [nil, "1"])
        // An answer without objects cannot remove any.
        #expect(try await store.mainContext.fetch(Poet.all, policy: .remote.pruning(.scope)).count == 2)
        #expect(remote.fetches.last?.knownVersion == nil)
    }

    @Test @MainActor func `are not confirmed for a fetch that removes others, although one that can be is under way`()
        async throws
    {
        let context = try await store().mainContext
        _ = try await context.fetch(Poet.all, policy: .remote)
        let gate = Gate()
        remote.onFetch { fetch in
            if fetch.knownVersion != nil { await gate.wait() }
            if fetch.knownVersion == "1" { return .unchanged }
            return RemoteObjects(#"[{"id": 1, "name": "A"}]"#, with: Poet.mapping, isComplete: true)
        }
        let plain = Task { @MainActor in try await context.fetch(Poet.all, policy: .remote).count }
        #expect(await eventually { gate.waiting == 1 })
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope)).map(\.id) == [1])
        gate.open()
        _ = try await plain.value
        #expect(remote.fetches.map(\.knownVersion) == [nil, "1", nil])
    }

    @Test @MainActor func `are not confirmed if objects of them were deleted here`() async throws {
        let context = try await store().mainContext
        let poets = try await context.fetch(Poet.all, policy: .remote)
        context.delete(poets[0])
        try await context.save()
        #expect(try await context.fetch(Poet.all, policy: .remote).count == 2)
        #expect(remote.fetches.map(\.knownVersion) == [nil, nil])
    }

    @Test @MainActor func `cannot be confirmed without a version`() async throws {
        let context = try await store().mainContext
        remote.onFetch { _ in .unchanged }
        let error = await #expect(throws: RemoteError.self) {
            try await context.fetch(Poet.all, policy: .remote).count
        }
        #expect(error?.kind == .invalidResult)
    }

    @Test @MainActor func `keep the page of a limited fetch`() async throws {
        remote.onFetch { fetch in
            RemoteObjects(#"[{"id": \#(fetch.offset + 1), "name": "P"}]"#, with: Poet.mapping).evaluates([.range])
        }
        var store = try await store()
        _ = try await store.mainContext.fetch(Poet.all, policy: .remote)
        let page = Poet.all.limit(1).offset(5)
        #expect(try await store.mainContext.fetch(page, policy: .remote).map(\.id) == [6])
        store.close()
        store = try await self.store()
        let policy = FetchPolicy.remote.maximumAge(.seconds(60))
        #expect(try await store.mainContext.fetch(page, policy: policy).map(\.id) == [6])
        #expect(remote.fetches.count == 2)
    }

    @Test @MainActor func `are followed by later ones in a sequence of results`() async throws {
        let context = try await store().mainContext
        var counts: [Int] = []
        var sources: [Bool] = []
        for try await result in context.fetch(Poet.all, policy: .localThenRemote) {
            counts.append(result.objects.count)
            sources.append(result.isLocal)
        }
        #expect(counts == [0, 2] && sources == [true, false])
        sources = []
        for try await result in context.fetch(Poet.all, policy: .localThenRemote.maximumAge(.seconds(60))) {
            sources.append(result.isLocal)
        }
        for try await result in context.fetch(Poet.all, policy: .remote) { sources.append(result.isLocal) }
        for try await result in context.fetch(Poet.all, policy: .local) { sources.append(result.isLocal) }
        #expect(sources == [true, false, true])
        remote.onFetch { _ in throw RemoteError(.unavailable, "offline") }
        for try await result in context.fetch(Poet.all, policy: .remoteElseLocal) {
            #expect(result.isLocal && result.remoteError?.kind == .unavailable)
        }
        var results = context.fetch(Poet.all, policy: .localThenRemote).makeAsyncIterator()
        #expect(try await results.next()?.objects.count == 2)
        await #expect(throws: RemoteError.self) { _ = try await results.next() }
        #expect(try await results.next() == nil)
    }

    @Test @MainActor func `tell which objects contexts hold`() async throws {
        let remote = ScriptedRemote(entities: ["Poet"], observesObjectsInUse: true)
        let store = try await remote.store(folder.file("used.sqlite"), FolderRemote.model())
        remote.onSave { _ in .saved() }
        let context = store.mainContext
        var poet: Poet? = Poet(in: context)
        poet?.id = 1
        Scrap(in: context).text = "local"
        try await context.save()
        #expect(await eventually { remote.uses.last == "+Poet/1" })
        poet = nil
        #expect(await eventually { remote.uses.last == "-Poet/1" })
        let again = try await context.fetch(Poet.all)
        #expect(await eventually { remote.uses.last == "+Poet/1" })
        #expect(again.count == 1 && !remote.uses.contains { $0.contains("Scrap") })
        context.reset()
        #expect(await eventually { remote.uses.last == "-Poet/1" })
    }

    @Test func `belong to a file that is not opened without its remote`() async throws {
        try await store().close()
        let file = folder.file("store.sqlite")
        let error = #expect(throws: StoreError.self) {
            try ManagedObjectStore(at: file, model: FolderRemote.model())
        }
        #expect(error?.kind == .otherRemote && error?.message.contains("'Scripted' (test)") == true)
        await #expect(throws: StoreError.self) { try await ManagedObjectStore.open(at: file) }
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        try ManagedObjectStore(at: file, model: FolderRemote.model(), options: options).close()
        (options.isReadOnly, options.ignoresRemote) = (false, true)
        try ManagedObjectStore(at: file, model: FolderRemote.model(), options: options).close()
    }
}
