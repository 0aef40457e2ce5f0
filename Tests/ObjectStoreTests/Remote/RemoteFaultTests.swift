import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Answers of a remote that are late, repeated or wrong` {
    private let remote = ScriptedRemote(entities: ["Poet", "Poem"])

    private func store() async throws -> ManagedObjectStore {
        try await remote.store(URL(filePath: ":memory:"), FolderRemote.model())
    }

    /// A context with the poet 1.
    @MainActor private func context() async throws -> ObjectContext {
        let context = try await store().mainContext
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "Jane"}]"#) }
        _ = try await context.fetch(Poet.all, policy: .remote)
        return context
    }

    /// Starts a fetch whose answer waits.
    @MainActor private func lateFetch(
        _ context: ObjectContext, _ json: String, _ policy: FetchPolicy = .remote
    ) async -> (Gate, Task<Int, any Error>) {
        let gate = Gate()
        remote.onFetch { _ in
            await gate.wait()
            return RemoteObjects.poets(json)
        }
        let task = Task { @MainActor in try await context.fetch(Poet.all, policy: policy).count }
        #expect(await eventually { gate.waiting == 1 })
        return (gate, task)
    }

    @Test @MainActor func `do not block the main actor while they are late`() async throws {
        let context = try await context()
        let (gate, task) = await lateFetch(context, "[]")
        let saves = Gate()
        remote.onSave { _ in
            await saves.wait()
            return .saved()
        }
        Poet(in: context).id = 7
        let saving = Task { @MainActor in try await context.save() }
        #expect(await eventually { saves.waiting == 1 })
        // Both wait: other work of the main actor runs, reads the file and changes objects.
        for number in 0..<100 {
            let poet = try #require(try await context.fetch(Poet.where { $0.id == 1 }).first)
            await Task { @MainActor in poet.name = "\(number)" }.value
            #expect(poet.name == "\(number)")
        }
        #expect(gate.waiting == 1 && saves.waiting == 1)
        context.rollback()
        saves.open()
        gate.open()
        #expect(try await task.value >= 1)
        _ = try? await saving.value
    }

    @Test @MainActor func `do not overwrite what was saved after their request`() async throws {
        let context = try await context()
        let (gate, task) = await lateFetch(context, #"[{"id": 1, "name": "old"}]"#)
        let poet = try #require(try await context.fetch(Poet.all).first)
        poet.name = "new"
        try await context.save()
        gate.open()
        _ = try await task.value
        #expect(poet.name == "new" && !context.hasChanges)
    }

    @Test @MainActor func `do not bring back an object that was deleted after their request`() async throws {
        let context = try await context()
        let (gate, task) = await lateFetch(context, #"[{"id": 1, "name": "Jane"}, {"id": 2, "name": "Emily"}]"#)
        context.delete(try #require(try await context.fetch(Poet.all).first))
        try await context.save()
        gate.open()
        #expect(try await task.value == 1)
        // A later answer has it again.
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "Jane"}]"#) }
        #expect(try await context.fetch(Poet.all, policy: .remote).count == 2)
    }

    @Test @MainActor func `are imported in any order`() async throws {
        let context = try await store().mainContext
        let gate = Gate()
        remote.onFetch { fetch in
            if fetch.condition == .always { await gate.wait() }
            return RemoteObjects.poets(#"[{"id": 1, "name": "\#(fetch.condition == .always ? "slow" : "fast")"}]"#)
        }
        let slow = Task { @MainActor in try await context.fetch(Poet.all, policy: .remote).map(\.name) }
        #expect(await eventually { gate.waiting == 1 })
        let fast = try await context.fetch(Poet.where { $0.id == 1 }, policy: .remote)
        #expect(fast.map(\.name) == ["fast"])
        gate.open()
        #expect(try await slow.value.count == 1)
        #expect(try context.store.count(of: "Poet") == 1)
    }

    @Test @MainActor func `with an object twice have one object`() async throws {
        let context = try await store().mainContext
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "A"}, {"id": 1, "name": "B"}]"#) }
        #expect(try await context.fetch(Poet.all, policy: .remote).map(\.name) == ["B"])
    }

    @Test(arguments: [#"[{"id": {}}]"#, #"[{"id": "x"}]"#, "[1]", "{", ""]) @MainActor
    func `of the wrong type are errors and change nothing`(_ json: String) async throws {
        let context = try await context()
        remote.onFetch { _ in RemoteObjects.poets(json) }
        await #expect(throws: (any Error).self) {
            try await context.fetch(Poet.all, policy: .remote.pruning(.scope)).count
        }
        #expect(try await context.fetch(Poet.all).map(\.name) == ["Jane"])
    }

    @Test(arguments: ["null", "[null]", #"[{"id": 1, "name": "Jane"}, null]"#], [true, false]) @MainActor
    func `with null elements remove nothing, and say so`(_ json: String, _ isData: Bool) async throws {
        let reports = Mutex<[String]>([])
        let store = try await ManagedObjectStore.open(
            at: URL(filePath: ":memory:"), model: FolderRemote.model(), remote: remote
        ) { event in
            if case .didNotPrune(_, let reason) = event { reports.withLock { $0.append("\(reason)") } }
        }
        let context = store.mainContext
        remote.onFetch { _ in RemoteObjects.poets(#"[{"id": 1, "name": "Jane"}, {"id": 2, "name": "Emily"}]"#) }
        _ = try await context.fetch(Poet.all, policy: .remote)
        remote.onFetch { _ in
            isData
                ? RemoteObjects(Data(json.utf8), with: Poet.mapping, isComplete: true)
                : RemoteObjects(json, with: Poet.mapping, isComplete: true)
        }
        #expect(try await context.fetch(Poet.all, policy: .remote.pruning(.scope)).count == 2)
        #expect(reports.withLock { $0 }.count == 1)
        #expect(reports.withLock { $0.first?.contains("null elements") } == true)
        // Nor does a fetch with conditions.
        _ = try await context.fetch(Poet.where { $0.id > 1 }, policy: .remote.pruning(.scope))
        #expect(reports.withLock { $0.last?.contains("conditions") } == true)
    }

    @Test(arguments: [true, false]) @MainActor
    func `remove objects that they only take from others`(_ isData: Bool) async throws {
        let remote = ScriptedRemote()
        let context = try await remote.store(URL(filePath: ":memory:"), ObjectModel(Stanza.self)).mainContext
        func answer(_ json: String) {
            remote.onFetch { _ in
                isData
                    ? RemoteObjects(Data(json.utf8), with: Stanza.mapping, isComplete: true)
                    : RemoteObjects(json, with: Stanza.mapping, isComplete: true)
            }
        }
        answer(#"[{"id": 1, "next_id": 2}, {"id": 2}, {"id": 3}]"#)
        _ = try await context.fetch(Stanza.all, policy: .remote)
        answer(#"[{"id": 1, "next_id": 3}, {"id": 3}]"#)
        #expect(try await context.fetch(Stanza.all, policy: .remote.pruning(.scope)).map(\.id) == [1, 3])
    }

    @Test @MainActor func `of another entity are not in the result`() async throws {
        let context = try await context()
        remote.onFetch { _ in RemoteObjects(#"[{"id": 5, "title": "Emma"}]"#, with: Poem.mapping, isComplete: true) }
        let poets = try await context.fetch(Poet.all, policy: .remote)
        #expect(poets.map(\.name) == ["Jane"])
        #expect(try context.store.count(of: "Poem") == 1)
        remote.onRead { _ in RemoteObjects(#"{"id": 1, "title": "Emma"}"#, with: Poem.mapping) }
        await #expect(throws: RemoteError.self) { try await poets[0].managed.refresh() }
        try await poets[0].managed.load(\.novels)
        #expect(poets[0].novels.map(\.id) == [1])
    }

    @Test @MainActor func `to an insertion of another entity leave the object unsaved`() async throws {
        let context = try await store().mainContext
        let poet = Poet(in: context)
        remote.onSave { _ in .saved(RemoteObjects(#"{"id": 1}"#, with: Poem.mapping)) }
        for kind in [ObjectOutcome.Kind.notStored, .unknown] {
            let error = await #expect(throws: StoreError.self) { try await context.save() }
            #expect(error?.outcomes.map(\.kind) == [kind])
        }
        #expect(remote.changes.count == 1 && poet.managed.state == .inserted)
        #expect(try context.store.count(of: "Poem") == 0)
    }

    @Test @MainActor func `with the identity of another object update that one or are refused`() async throws {
        let context = try await context()
        let known = try #require(try await context.fetch(Poet.all).first)
        // A new object takes over the row with its identity.
        let poet = Poet(in: context)
        poet.name = "Emily"
        remote.onSave { _ in .saved(RemoteObjects.poets(#"{"id": 1, "name": "Emily"}"#)) }
        try await context.save()
        #expect(try context.store.count(of: "Poet") == 1 && known.name == "Emily")
        // A saved object keeps its identity.
        known.name = "Anne"
        remote.onSave { _ in .saved(RemoteObjects.poets(#"{"id": 9, "name": "Anne"}"#)) }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.notStored] && known.id == 1 && known.name == "Anne")
    }

    @Test @MainActor func `to a change of an object that was deleted meanwhile do not bring it back`() async throws {
        let context = try await context()
        let poet = try #require(try await context.fetch(Poet.all).first)
        poet.name = "Anne"
        let gate = Gate()
        remote.onSave { _ in
            await gate.wait()
            return .saved(RemoteObjects.poets(#"{"id": 1, "name": "Anne"}"#))
        }
        let saving = Task { @MainActor in try? await context.save() }
        #expect(await eventually { gate.waiting == 1 })
        try context.store.write(sql: "DELETE FROM Poet")
        gate.open()
        _ = await saving.value
        #expect(try context.store.count(of: "Poet") == 0)
    }

    @Test(arguments: [
        (FetchPolicy.local, 1, false), (.localThenRemote, 1, false), (.remoteElseLocal, 1, false), (.remote, 0, true),
    ]) @MainActor
    func `are replaced by the file while it is offline, by the policy`(
        _ policy: FetchPolicy, _ count: Int, _ fails: Bool
    ) async throws {
        let context = try await context()
        remote.onFetch { _ in throw RemoteError(.unavailable, "offline") }
        let found = try? await context.fetch(Poet.all, policy: policy).count
        #expect(found == (fails ? nil : count))
    }

    @Test @MainActor func `that were lost leave their changes to the next program`() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("store.sqlite")
        var context = try await remote.store(file, FolderRemote.model()).mainContext
        remote.onSave { _ in throw RemoteError(.unavailable, "offline") }
        Poet(in: context).name = "Jane"
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await context.save() }
            #expect(error?.outcomes.map(\.kind) == [.unavailable])
            #expect(try context.store.interruptedSaves.isEmpty)
        }
        context.store.close()
        for isOnline in [false, true] {
            context = try await remote.store(file, FolderRemote.model()).mainContext
            #expect(await eventually { (try? context.store.interruptedSaves.count) == 1 })
            let save = try #require(try context.store.interruptedSaves.first)
            #expect(save.changes.map(\.wasSent) == [false])
            try context.restore(save)
            #expect(try context.store.interruptedSaves.isEmpty)
            if isOnline { remote.onSave { _ in .saved(RemoteObjects.poets(#"{"id": 1}"#)) } }
            try? await context.save()
            if !isOnline { context.store.close() }
        }
        #expect(try await context.fetch(Poet.all).map(\.name) == ["Jane"])
        #expect(try context.store.interruptedSaves.isEmpty && !context.hasChanges)
    }

    @Test func `are not expected from a process whose number is used again`() throws {
        let own = ProcessIdentity.current
        #expect(ProcessIdentity.isRunning(own))
        let fields = own.split(separator: " ")
        #expect(fields.count > 1)
        #expect(!ProcessIdentity.isRunning("\(fields[0]) 1 another"))
        #expect(!ProcessIdentity.isRunning("0") && !ProcessIdentity.isRunning("") && !ProcessIdentity.isRunning("-1 2"))
        // Of an earlier version.
        #expect(ProcessIdentity.isRunning("\(fields[0])"))
    }
}

private final class Stanza: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var nextID: Int? = nil
    @ToOne var next: Stanza?
    @ToOne(inverse: \Stanza.next) var previous: Stanza?

    static let mapping = Mapping(Stanza.self) {
        Attribute("id", \.id)
        Attribute("next_id", \.nextID)
        Connection(\.next, by: \.nextID)
    }
}
