import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

/// Its hook deletes it, or its boss, by its name.
private final class Worker: ManagedObject, Mappable {
    @Stored(.identity) var workerID = 0
    @Stored var name = ""
    @ToOne var boss: Worker?
    @ToMany(inverse: \Worker.boss, deleteRule: .cascade) var staff: [Worker]

    static let mapping = Mapping(Worker.self) {
        Attribute("id", \.workerID)
        Attribute("name", \.name)
    }

    override func willSave() {
        if name == "gone" { managed.context?.delete(self) }
        if name == "closed", let boss { managed.context?.delete(boss) }
    }
}

@Suite("Hooks that delete sent objects")
struct HookDeletionTests {
    @Test(arguments: [
        ("New", #"{"id": 9, "name": "gone"}"#, ["1", "2"]), ("New", #"{"id": 2, "name": "gone"}"#, ["1"]),
        ("New", #"{"id": 9, "name": "closed"}"#, ["2"]), ("gone", #"{"id": 9}"#, ["1", "2"]),
    ])
    func `An object that a hook deletes with the response is not saved`(
        _ name: String, _ reply: String, _ rows: [String]
    ) async throws {
        let server = try LoopbackServer { $0.method == "GET" ? .json(#"[{"id": 1}, {"id": 2}]"#) : .json(reply) }
        let store = try ManagedObjectStore(inMemory: ObjectModel(Worker.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(Worker.mapping, path: "/workers")
        manager.router.add(Worker.self, .post, "/workers")
        manager.bodies.add(Worker.mapping)
        let context = ObjectContext(store)
        let stored = try await manager.load("/workers").objects(of: Worker.self, in: context)
        let worker = context.insert(Worker.self)
        worker.name = name
        if rows == ["2"] { worker.boss = stored[0] }
        let result = try await manager.post(worker)
        #expect(result.outcome == .deleted && result.objectIDs.isEmpty)
        #expect(worker.managed.context == nil)
        #expect(try await store.perform { try $0.fetch(Worker.all).map { "\($0.workerID)" } } == rows)
        #expect(stored.filter { $0.managed.context != nil }.map { "\($0.workerID)" } == rows)
    }
}
