import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// A remote whose answers a test decides, and that records its calls.
final class ScriptedRemote: IncrementalStore {
    typealias Fetching = @Sendable (RemoteFetch) async throws -> RemoteObjects
    typealias Saving = @Sendable (RemoteChange) async throws -> RemoteOutcome
    typealias Reading = @Sendable (RemoteObject) async throws -> RemoteObjects?
    typealias Finding = @Sendable (RemoteChange) async throws -> RemoteLookup
    typealias Identifying = @Sendable ([RemoteObject]) async throws -> [[String: StoredValue]]

    private struct State {
        var fetching: Fetching = { _ in .none() }
        var saving: Saving = { _ in .saved() }
        var reading: Reading = { _ in nil }
        var finding: Finding = { _ in .unknown }
        var identifying: Identifying = { _ in [] }
        var fetches: [RemoteFetch] = []
        var changes: [RemoteChange] = []
        var uses: [String] = []
    }

    private let state = Mutex(State())
    private let description: RemoteMetadata

    init(
        entities: Set<String>? = nil, acceptsIdempotencyKeys: Bool = false, observesObjectsInUse: Bool = false
    ) {
        description = RemoteMetadata(
            typeName: "Scripted", identifier: "test", entities: entities,
            acceptsIdempotencyKeys: acceptsIdempotencyKeys, observesObjectsInUse: observesObjectsInUse)
    }

    var fetches: [RemoteFetch] { state.withLock { $0.fetches } }
    var changes: [RemoteChange] { state.withLock { $0.changes } }
    /// The changes as `insert Member`.
    var journal: [String] { changes.map { "\($0.operation) \($0.object.entity)" } }
    /// The notifications of objects in use.
    var uses: [String] { state.withLock { $0.uses } }

    func onFetch(_ fetching: @escaping Fetching) { state.withLock { $0.fetching = fetching } }
    func onSave(_ saving: @escaping Saving) { state.withLock { $0.saving = saving } }
    func onRead(_ reading: @escaping Reading) { state.withLock { $0.reading = reading } }

    func onFind(_ finding: @escaping Finding) { state.withLock { $0.finding = finding } }
    func onIdentities(_ identifying: @escaping Identifying) { state.withLock { $0.identifying = identifying } }

    func metadata() -> RemoteMetadata { description }

    func fetch(_ fetch: RemoteFetch) async throws -> RemoteObjects {
        try await state.withLock { state in
            state.fetches.append(fetch)
            return state.fetching
        }(fetch)
    }

    func values(of object: RemoteObject) async throws -> RemoteObjects? {
        try await state.withLock { $0.reading }(object)
    }

    func values(of relationship: String, of object: RemoteObject) async throws -> RemoteObjects {
        try await state.withLock { $0.reading }(object) ?? .none()
    }

    func save(_ change: RemoteChange) async throws -> RemoteOutcome {
        try await state.withLock { state in
            state.changes.append(change)
            return state.saving
        }(change)
    }

    func find(_ change: RemoteChange) async throws -> RemoteLookup {
        try await state.withLock { $0.finding }(change)
    }

    func identities(for objects: [RemoteObject]) async throws -> [[String: StoredValue]] {
        try await state.withLock { $0.identifying }(objects)
    }

    func didRegister(_ objects: Set<ObjectID>) {
        state.withLock { $0.uses += objects.map { "+\($0)" }.sorted() }
    }

    func didUnregister(_ objects: Set<ObjectID>) {
        state.withLock { $0.uses += objects.map { "-\($0)" }.sorted() }
    }

    /// Opens a store in memory, or in a file.
    func store(_ file: URL = URL(filePath: ":memory:"), _ model: ObjectModel) async throws -> ManagedObjectStore {
        try await ManagedObjectStore.open(at: file, model: model, remote: self)
    }
}

extension RemoteObjects {
    /// All poets of a remote.
    static func poets(_ json: String) -> RemoteObjects {
        RemoteObjects(json, with: Poet.mapping, isComplete: true)
    }
}

extension ScriptedRemote {
    /// The main context of a new store, with the poet 1.
    @MainActor func contextWithPoet() async throws -> (ObjectContext, Poet) {
        let store = try await store(URL(filePath: ":memory:"), FolderRemote.model())
        onFetch { _ in .poets(#"[{"id": 1, "name": "Jane"}]"#) }
        return (
            store.mainContext, try #require(try await store.mainContext.fetch(Poet.all, policy: .remote).first)
        )
    }
}

/// A point at which tasks wait until a test opens it.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    var waiting: Int { state.withLock { $0.waiters.count } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Makes the saves of a store like those of a process that has ended: the journal stays.
func releaseSaves(of store: ManagedObjectStore) throws {
    let saves = try store.read { (connection) throws(StoreError) in
        try connection.database.prepare("SELECT DISTINCT \"save\" FROM \(SaveJournal.table)").rows([])
    }
    SaveJournal.release(saves.compactMap { $0.first?.text })
}
