import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `A save through a remote` {
    private let remote: FolderRemote

    init() throws { remote = FolderRemote(try TemporaryDirectory()) }

    /// The outcomes of a save that fails.
    private nonisolated(nonsending) func outcomes(_ context: ObjectContext) async -> [ObjectOutcome.Kind] {
        do {
            try await context.save()
            return []
        } catch { return error.outcomes.map(\.kind) }
    }

    private func count<Object: ManagedObjectClass>(_ type: Object.Type, in context: ObjectContext) throws -> Int {
        try context.store.count(of: type.entityName)
    }

    @Test @MainActor func `sends parents first and takes over what the remote assigns`() async throws {
        let context = try await remote.store().mainContext
        let novel = Poem(in: context)
        novel.title = "Emma"
        novel.writer = Poet(in: context)
        novel.writer?.name = "Jane"
        try await context.save()
        #expect(remote.journal == ["insert Poet", "insert Poem"])
        #expect(novel.writer?.id == 101 && novel.id == 102)
        #expect(remote.object("Poem", 102)?["writer_id"].int == 101)
        #expect(!context.hasChanges)
        #expect(try count(Poem.self, in: context) == 1 && count(Poet.self, in: context) == 1)
        novel.title = "Persuasion"
        try await context.save()
        #expect(remote.journal.last == "update Poem" && remote.object("Poem", 102)?["title"].string == "Persuasion")
        try #require(novel.writer).managed.context?.delete(try #require(novel.writer))
        try await context.save()
        #expect(remote.journal.suffix(2) == ["delete Poem", "delete Poet"])
        #expect(try count(Poem.self, in: context) == 0 && count(Poet.self, in: context) == 0)
        #expect(!context.hasChanges)
    }

    @Test @MainActor func `saves a cycle in two steps`() async throws {
        let context = try await remote.store().mainContext
        let (first, second) = (Poem(in: context), Poem(in: context))
        (first.sequel, second.sequel) = (second, first)
        try await context.save()
        #expect(remote.journal == ["insert Poem", "insert Poem", "update Poem"])
        let other = ObjectContext(context.store)
        let saved = try await other.fetch(Poem.all)
        #expect(saved.count == 2 && saved.allSatisfy { $0.sequel?.sequel === $0 })
    }

    @Test @MainActor func `keeps what is refused, and saves the rest`() async throws {
        let context = try await remote.store().mainContext
        let (writer, novel, other) = (Poet(in: context), Poem(in: context), Poem(in: context))
        (writer.name, novel.writer, other.title) = ("Jane", writer, "Other")
        remote.fail("insert Poet", with: .refusal(RemoteRefusal("invalid", errors: ["name": ["is taken"]])))
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.kind == .notSaved)
        let kinds = Dictionary(uniqueKeysWithValues: (error?.outcomes ?? []).map { ($0.object, $0) })
        #expect(
            kinds[writer.managed.id]?.kind == .refused && kinds[writer.managed.id]?.errors == ["name": ["is taken"]])
        #expect(kinds[novel.managed.id]?.kind == .notSent)
        #expect(other.managed.state == .unchanged && other.id == 101)
        #expect(writer.managed.state == .inserted && novel.managed.state == .inserted)
        #expect(try count(Poem.self, in: context) == 1 && count(Poet.self, in: context) == 0)
        remote.fail("insert Poet", with: nil)
        try await context.save()
        #expect(novel.writer === writer && !context.hasChanges)
        #expect(try count(Poem.self, in: context) == 2)
    }

    @Test @MainActor func `stops when the remote is not reached`() async throws {
        let context = try await remote.store().mainContext
        let (writer, novel) = (Poet(in: context), Poem(in: context))
        remote.fail("insert Poet", with: .error(RemoteError(.unavailable, "offline")))
        #expect(await outcomes(context) == [.unavailable, .notSent])
        #expect(remote.journal == ["insert Poet"])
        #expect(writer.managed.state == .inserted && novel.managed.state == .inserted)
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `never sends an insertion without answer twice unless the remote can tell`() async throws {
        let context = try await remote.store().mainContext
        let writer = Poet(in: context)
        writer.name = "Jane"
        remote.fail("insert Poet", with: .lostAnswer)
        #expect(await outcomes(context) == [.unknown])
        remote.fail("insert Poet", with: nil)
        #expect(await outcomes(context) == [.unknown])
        #expect(remote.journal == ["insert Poet", "find Poet"])
        context.allowsSendingAgain(writer)
        try await context.save()
        #expect(writer.id == 102 && remote.journal.count == 3)
    }

    @Test(arguments: [true, false]) @MainActor
    func `finds an insertion whose answer was lost`(_ acceptsKeys: Bool) async throws {
        let remote = FolderRemote(remote.folder, acceptsKeys: acceptsKeys, canFind: !acceptsKeys)
        let context = try await remote.store().mainContext
        let writer = Poet(in: context)
        remote.fail("insert Poet", with: .lostAnswer)
        #expect(await outcomes(context) == [.unknown])
        remote.fail("insert Poet", with: nil)
        try await context.save()
        #expect(writer.id == 101 && remote.object("Poet", 102) == nil)
    }

    @Test @MainActor func `keeps what was changed during the request`() async throws {
        let context = try await remote.store().mainContext
        let writer = Poet(in: context)
        writer.name = "Jane"
        try await context.save()
        writer.name = "Jane Austen"
        let saving = Task { @MainActor in try await context.save() }
        #expect(await eventually { remote.journal.count == 2 })
        writer.name = "J. A."
        try await saving.value
        #expect(writer.name == "J. A.")
        try await context.save()
        #expect(remote.object("Poet", 101)?["name"].string == "J. A.")
        #expect(!context.hasChanges)
    }

    @Test @MainActor func `sends edits after a lost insertion as an update`() async throws {
        let remote = FolderRemote(remote.folder, acceptsKeys: false, canFind: true)
        let context = try await remote.store().mainContext
        let writer = Poet(in: context)
        writer.name = "Jane"
        remote.fail("insert Poet", with: .lostAnswer)
        #expect(await outcomes(context) == [.unknown])
        remote.fail("insert Poet", with: nil)
        writer.name = "Jane Austen"
        try await context.save()
        #expect(remote.journal == ["insert Poet", "find Poet", "update Poet"])
        #expect(remote.object("Poet", 101)?["name"].string == "Jane Austen" && writer.name == "Jane Austen")
        #expect(!context.hasChanges)
    }

    @Test @MainActor func `leaves what is created during the save to the next one`() async throws {
        let context = try await remote.store().mainContext
        let scrap = Scrap(in: context)
        Poet(in: context).name = "Jane"
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        remote.beforeSaving = { await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } } }
        let saving = Task { @MainActor in try await context.save() }
        #expect(await eventually { gate.withLock { $0 != nil } })
        let late = Poem(in: context)
        scrap.novel = late
        remote.beforeSaving = nil
        gate.withLock { $0.take() }?.resume()
        try await saving.value
        #expect(remote.journal == ["insert Poet"])
        #expect(late.managed.state == .inserted && scrap.novel === late && scrap.managed.state == .inserted)
        try await context.save()
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(Scrap.all).first?.novel?.id == late.id)
    }

    @Test @MainActor func `saves local changes although the remote refuses others`() async throws {
        let context = try await remote.store().mainContext
        Scrap(in: context).text = "Once"
        Poet(in: context).name = "Jane"
        remote.fail("insert Poet", with: .refusal(RemoteRefusal("invalid")))
        #expect(await outcomes(context) == [.refused])
        #expect(try count(Scrap.self, in: context) == 1)
    }

    @Test @MainActor func `reports a conflict and keeps the change`() async throws {
        let context = try await remote.store().mainContext
        let writer = Poet(in: context)
        try await context.save()
        writer.name = "Jane"
        remote.fail("update Poet", with: .conflict(RemoteRefusal("changed by others")))
        #expect(await outcomes(context) == [.conflict])
        #expect(writer.managed.state == .updated && writer.name == "Jane")
    }

    @Test @MainActor func `saves local objects with the file only`() async throws {
        let context = try await remote.store().mainContext
        let draft = Scrap(in: context)
        draft.text = "Once"
        try await context.save()
        #expect(remote.journal.isEmpty && draft.managed.state == .unchanged)
        draft.novel = Poem(in: context)
        try await context.save()
        #expect(remote.journal == ["insert Poem"] && !context.hasChanges)
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(Scrap.all).first?.novel != nil)
    }

    @Test func `is refused where it cannot wait`() async throws {
        let store = try await remote.store()
        let error = await #expect(throws: StoreError.self) {
            try await store.perform { context in
                Poet(in: context).name = "Jane"
                try context.save()
            }
        }
        #expect(error?.kind == .misuse && error?.advice?.contains("await") == true)
    }

    @Test @MainActor func `that is cancelled has an unknown outcome`() async throws {
        let context = try await remote.store().mainContext
        let (writer, novel) = (Poet(in: context), Poem(in: context))
        remote.fail("insert Poet", with: .silence)
        let saving = Task { @MainActor in
            await outcomes(context)
        }
        #expect(await eventually { remote.journal.count == 1 })
        saving.cancel()
        #expect(await saving.value == [.unknown, .notSent])
        #expect(writer.managed.state == .inserted && novel.managed.state == .inserted)
    }

    @Test @MainActor func `that a program did not end is offered to the next one`() async throws {
        var store: ManagedObjectStore? = try await remote.store()
        remote.fail("insert Poem", with: .silence)
        do {
            let context = try #require(store).mainContext
            let novel = Poem(in: context)
            (novel.title, novel.writer) = ("Emma", Poet(in: context))
            novel.writer?.name = "Jane"
            let saving = Task { @MainActor in try? await context.save() }
            #expect(await eventually { remote.journal.count == 2 })
            try releaseSaves(of: try #require(store))
            #expect(try store?.interruptedSaves.first?.changes.map(\.entity) == ["Poem"])
            store?.close()
            saving.cancel()
            await saving.value
        }
        store = try await remote.store()
        let saves = try #require(try store?.interruptedSaves)
        #expect(saves.count == 1 && saves[0].changes.map(\.wasSent) == [true])
        let context = try #require(store).mainContext
        let novel = try #require(try context.restore(saves[0]).first as? Poem)
        #expect(novel.title == "Emma" && novel.writer?.name == "Jane")
        remote.fail("insert Poem", with: nil)
        #expect(await outcomes(context) == [.unknown])
        context.allowsSendingAgain(novel)
        try await context.save()
        #expect(remote.object("Poem", novel.id)?["writer_id"].int == 101)
        #expect(try context.store.interruptedSaves.isEmpty)
    }
}
