import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Saved edits that were not sent")
struct UnsentEditsTests {
    private static let list = #"[{"id": 7, "name": "Server", "project_id": 5}]"#

    /// A service that records requests, with the task 7 in the store as it was loaded.
    private func service(
        _ status: Int = 200, _ answer: @escaping @Sendable (String) -> String = { _ in "" }
    ) async throws -> (service: Service, sent: Sent) {
        let sent = Sent()
        let service = try Service.answering { request in
            sent.add(request)
            return request.hasPrefix("GET") ? .json(Self.list) : .json(answer(request), status)
        }
        try await service.store.perform { context in
            context.marksUnsentEdits = false
            let task = context.insert(ProjectTask.self)
            (task.taskID, task.name, task.projectID, task.revision) = (7, "Loaded", 3, "r1")
            try context.save()
        }
        return (service, sent)
    }

    /// Requests in the order of their arrival.
    private final class Sent: Sendable {
        private let requests = Mutex<[String]>([])
        func add(_ request: String) { requests.withLock { $0.append(request) } }
        var count: Int { requests.withLock { $0.count } }
        var last: String? { requests.withLock { $0.last } }
    }

    private actor Screen {
        let context: ObjectContext
        let manager: ObjectManager
        let task: ProjectTask

        init(_ service: Service) throws {
            manager = service.manager
            context = ObjectContext(service.store)
            task = try #require(try context.find(ProjectTask.self, 7))
        }

        func save(_ change: @Sendable (ProjectTask) -> Void) throws {
            change(task)
            try context.save()
        }

        func patch(_ change: @Sendable (ProjectTask) -> Void = { _ in }) async throws {
            change(task)
            try await manager.patch(task)
        }

        func put() async throws { try await manager.put(task) }
        func post() async throws { try await manager.post(task) }

        func get() async throws -> String {
            try await manager.get(task)
            return "\(task.name) \(task.projectID ?? 0)"
        }

        func load() async throws -> String {
            _ = try await manager.load("/tasks")
            try await context.merge()
            return "\(task.name) \(task.projectID ?? 0)"
        }
    }

    @Test func `A load keeps saved edits, and takes the other attributes`() async throws {
        let (service, _) = try await service()
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        #expect(try await screen.load() == "Mine 5")
        #expect(try await service.tasks() == "7 Mine of none")
        #expect(try await screen.get() == "Mine 5")
    }

    @Test func `A patch sends saved and unsaved edits, and a success accepts them`() async throws {
        let (service, sent) = try await service()
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        try await screen.patch { $0.projectID = 4 }
        #expect(sent.last == #"PATCH /tasks/7 {"name":"Mine","project_id":4}"#)
        let count = sent.count
        try await screen.patch()
        #expect(sent.count == count)
        #expect(try await screen.load() == "Server 5")
    }

    @Test func `An edit that was undone is sent, because the server may have received it`() async throws {
        let (service, sent) = try await service()
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        try await screen.save { $0.name = "Loaded" }
        try await screen.save { $0.projectID = nil }
        try await screen.patch { $0.name = "Mine" }
        #expect(sent.last == #"PATCH /tasks/7 {"name":"Mine","project_id":null}"#)
    }

    @Test func `A saved edit is sent although its property was assigned the same value again`() async throws {
        let (service, sent) = try await service()
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        try await screen.patch { task in
            let name = task.name
            task.name = "Other"
            task.name = name
        }
        #expect(sent.last == #"PATCH /tasks/7 {"name":"Mine"}"#)
    }

    @Test(arguments: ["put", "post"]) func `A complete object accepts all saved edits`(_ method: String) async throws {
        let (service, sent) = try await service()
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        if method == "put" { try await screen.put() } else { try await screen.post() }
        let count = sent.count
        try await screen.patch()
        #expect(sent.count == count)
        #expect(try await screen.load() == "Server 5")
    }

    @Test func `After a failure, saved edits are sent again`() async throws {
        let (service, sent) = try await service(422)
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        for _ in 0..<2 {
            await #expect(throws: MappedRequestError.self) { try await screen.patch() }
            #expect(sent.last == #"PATCH /tasks/7 {"name":"Mine"}"#)
        }
        #expect(try await screen.load() == "Mine 5")
    }

    @Test func `The response to a patch replaces the edits that were sent`() async throws {
        let (service, sent) = try await service { _ in #"{"id": 7, "name": "Mine, approved", "project_id": 9}"# }
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        try await screen.patch()
        #expect(try await service.tasks() == "7 Mine, approved of none")
        let count = sent.count
        try await screen.patch()
        #expect(sent.count == count)
    }

    @Test func `An edit that is saved during the request is sent by the next one`() async throws {
        let gate = Gate()
        let (service, sent) = try await service { request in
            if request.contains("First") { gate.wait() }
            return ""
        }
        let screen = try Screen(service)
        try await screen.save { ($0.name, $0.projectID) = ("First", 4) }
        async let sending: Void = screen.patch()
        await gate.arrival()
        try await screen.save { $0.name = "Second" }
        gate.open()
        try await sending
        #expect(try await screen.load() == "Second 5")
        try await screen.patch()
        #expect(sent.last == #"PATCH /tasks/7 {"name":"Second"}"#)
    }

    @Test func `Changes that are saved during their request are accepted with it`() async throws {
        let gate = Gate()
        let (service, sent) = try await service { request in
            if request.contains("First") { gate.wait() }
            return ""
        }
        let screen = try Screen(service)
        async let sending: Void = screen.patch { $0.name = "First" }
        await gate.arrival()
        try await screen.save { _ in }
        gate.open()
        try await sending
        let count = sent.count
        try await screen.patch()
        #expect(sent.count == count)
        #expect(try await screen.load() == "Server 5")
    }

    @Test func `A load that began before an edit was accepted does not overwrite it`() async throws {
        let gate = Gate()
        let service = try Service.answering { request in
            if request.hasPrefix("GET") { gate.wait() }
            return .json(request.hasPrefix("GET") ? Self.list : "")
        }
        _ = try await service.store.importJSON(Data(Self.list.utf8), with: ProjectTask.mapping)
        let screen = try Screen(service)
        try await screen.save { $0.name = "Mine" }
        async let load = service.manager.load("/tasks")
        await gate.arrival()
        try await screen.patch()
        gate.open()
        _ = try await load
        #expect(try await service.tasks() == "7 Mine of none")
    }

    @Test func `A to-one relationship that was edited is kept`() async throws {
        let (service, _) = try await service()
        try await service.store.perform { context in
            for number in 4...5 { context.insert(Project.self).projectID = number }
            try context.save()
            try context.find(ProjectTask.self, 7)?.project = try context.find(Project.self, 4)
            try context.save()
        }
        _ = try await service.manager.load("/tasks")
        let stored = try await service.store.perform { context in
            try context.fetch(ProjectTask.all).map { "\($0.name) \($0.project?.projectID ?? 0) \($0.projectID ?? 0)" }
        }
        #expect(stored == ["Server 4 5"])
    }

    @Test func `A target that arrives later does not overwrite a relationship that was cleared`() async throws {
        let (service, _) = try await service()
        try await service.store.perform { context in
            context.marksUnsentEdits = false
            let project = context.insert(Project.self)
            project.projectID = 4
            try context.find(ProjectTask.self, 7)?.project = project
            try context.save()
            context.marksUnsentEdits = true
            try context.find(ProjectTask.self, 7)?.project = nil
            try context.save()
        }
        _ = try await service.manager.load("/tasks")
        try await service.store.perform { context in
            context.insert(Project.self).projectID = 5
            try context.save()
        }
        #expect(try await service.tasks() == "7 Server of none")
    }

    @Test func `An object that was never sent is not changed by loads until it is sent`() async throws {
        let (service, sent) = try await service { _ in #"{"id": 8}"# }
        try await service.store.perform { context in
            let task = try #require(try context.find(ProjectTask.self, 7))
            context.delete(task)
            try context.save()
            let new = context.insert(ProjectTask.self)
            (new.taskID, new.name) = (7, "New")
            try context.save()
        }
        let screen = try Screen(service)
        #expect(try await screen.load() == "New 0")
        let error = await #expect(throws: LoadError.self) { try await screen.patch() }
        #expect(error?.kind == .otherObject)
        #expect(sent.last == #"PATCH /tasks/7 {"id":7,"name":"New"}"#)
        // The server has this object.
        #expect(try await screen.get() == "Server 5")
        #expect(try await screen.load() == "Server 5")
    }

    @Test func `An object that is saved and edited while it is posted has only the later edits to send`() async throws {
        let gate = Gate()
        let service = try Service.answering { request in
            if request.hasPrefix("POST") { gate.wait() }
            return .json(request.hasPrefix("POST") ? #"{"id": 7}"# : #"{"id": 7, "name": "Server", "project_id": 5}"#)
        }
        let desk = try Desk(service)
        async let posting = desk.post()
        await gate.arrival()
        try await desk.run { desk in
            desk.task.name = "Second"
            try await desk.context.save()
        }
        gate.open()
        _ = try await posting
        try await desk.run { desk in
            try await desk.manager.get(desk.task)
            #expect(desk.task.name == "Second" && desk.task.projectID == 5)
            try await desk.manager.patch(desk.task)
        }
        let requests = service.server.requests
        #expect(requests.last?.method == "PATCH")
    }

    @Test func `Edits by imports, by loads and without a manager are not marked`() async throws {
        let (service, sent) = try await service()
        _ = try await service.manager.load("/tasks")
        _ = try await service.store.importJSON(
            Data(#"[{"id": 7, "name": "Imported"}]"#.utf8), with: ProjectTask.mapping)
        let screen = try Screen(service)
        let count = sent.count
        try await screen.patch()
        #expect(sent.count == count)
        let plain = try ManagedObjectStore(inMemory: ObjectModel(Project.self, ProjectTask.self))
        try await plain.perform { context in
            context.insert(Project.self)
            try context.save()
        }
        #expect(try plain.rows(sql: "SELECT name FROM sqlite_schema WHERE name = '_mappingkit_unsent'").isEmpty)
    }

    @Test func `Marks survive in the file, also for a process without a manager, until their object is deleted`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, model) = (folder.appending(path: "a.db"), try ObjectModel(Project.self, ProjectTask.self))
        let sent = Sent()
        let server = try LoopbackServer { request in
            let body = String(decoding: try request.body(), as: UTF8.self)
            sent.add("\(request.method) \(body)")
            return .json("")
        }
        func marks(in store: ManagedObjectStore) throws -> Int {
            try store.rows(sql: "SELECT * FROM _mappingkit_unsent").count
        }
        func edit(_ store: ManagedObjectStore, _ name: String) async throws {
            try await store.perform { context in
                let task = try context.find(ProjectTask.self, 7)
                task?.name = name
                try context.save()
            }
        }
        var store = try ManagedObjectStore(at: url, model: model)
        _ = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        try await store.perform { context in
            context.marksUnsentEdits = false
            context.insert(ProjectTask.self).taskID = 7
            try context.save()
        }
        try await edit(store, "First")
        store.close()
        store = try ManagedObjectStore(at: url, model: model)
        #expect(try marks(in: store) == 1)
        try await edit(store, "Second")
        store.close()
        store = try ManagedObjectStore(at: url, model: model)
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.router.add(ProjectTask.self, "/tasks/\(\.taskID)")
        manager.bodies.add(ProjectTask.mapping)
        let context = ObjectContext(store)
        let task = try #require(try await context.find(ProjectTask.self, 7))
        try await manager.patch(task)
        #expect(sent.last == #"PATCH {"name":"Second"}"#)
        #expect(try marks(in: store) == 0)
        try await edit(store, "Third")
        #expect(try marks(in: store) == 1)
        try await store.perform { _ = try $0.delete(ProjectTask.all) }
        #expect(try marks(in: store) == 0)
        store.close()
    }
}
