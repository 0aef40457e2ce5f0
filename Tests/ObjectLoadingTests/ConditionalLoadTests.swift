import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Conditional loads")
struct ConditionalLoadTests {
    /// A service whose list of tasks has an entity tag, and that answers a current one with 304.
    private final class Tagged: Sendable {
        let service: Service
        let box: Box

        init(_ names: [String: String] = ["ETag": "\"v1\""]) throws {
            let box = Box(names)
            let server = try LoopbackServer { request in
                let condition = request.headers.first { $0.name.hasPrefix("If-") }?.value
                box.note(condition)
                let fields = box.names
                let headers = fields.map { Header($0.key, $0.value) }
                if request.method == "GET", let condition, fields.values.contains(condition) {
                    return Answer(304, headers: headers)
                }
                guard request.method == "GET" else { return Answer(204) }
                return .json(box.body(of: request.target), 200, headers)
            }
            service = try Service(server)
            self.box = box
            let manager = service.manager
            manager.router.add(ProjectTask.self, "/tasks/\(\.taskID)")
            manager.bodies.add(ProjectTask.mapping)
            manager.responses.add(ProjectTask.mapping, path: "/tasks")
            manager.responses.add(ProjectTask.mapping, path: "/tasks/:id")
            manager.responses.add(Project.mapping, at: "projects", path: "/projects")
        }

        final class Box: Sendable {
            private let state: Mutex<(names: [String: String], conditions: [String?])>
            init(_ names: [String: String]) { state = Mutex((names, [])) }
            var names: [String: String] {
                get { state.withLock { $0.names } }
                set { state.withLock { $0.names = newValue } }
            }
            func note(_ condition: String?) { state.withLock { $0.conditions.append(condition) } }
            var conditions: [String?] { state.withLock { $0.conditions } }
            func body(of target: String) -> String {
                switch target {
                case "/projects":
                    #"{"projects": [{"id": 4, "name": "Pier", "tasks": [{"id": 7, "name": "Boil"}, {"id": 8}]}]}"#
                case "/tasks": #"[{"id": 8, "name": "Fry"}, {"id": 7, "name": "Boil"}]"#
                default: #"{"id": 7, "name": "Boil"}"#
                }
            }
        }

        /// The result of a load: its objects and how it was answered.
        func load(_ path: String = "/tasks") async throws -> String {
            let result = try await service.manager.load(path)
            let names = try await service.store.perform { context in
                try result.objectIDs.map { id in
                    let object = try context.object(with: id)
                    return (object as? ProjectTask)?.name ?? (object as? Project)?.name ?? ""
                }
            }
            return "\(names.joined(separator: " ")) \(result.isNotModified ? "unchanged" : "loaded")"
        }

        func change(_ change: @escaping @Sendable (ObjectContext) throws -> Void) async throws {
            try await service.store.perform { context in
                try change(context)
                try context.save()
            }
        }
    }

    @Test(arguments: ["ETag": "\"v1\"", "Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT"])
    func `A load is conditional, and a 304 answers with the stored objects in their order`(
        _ name: String, _ value: String
    ) async throws {
        let tagged = try Tagged([name: value])
        #expect(try await tagged.load() == "Fry Boil loaded")
        #expect(try await tagged.load() == "Fry Boil unchanged")
        #expect(tagged.box.conditions == [nil, value])
        let result = try await tagged.service.manager.load("/tasks")
        #expect(result.response.status == 304 && result.keyPaths.map(\.description) == [""])
        tagged.box.names = [name: value + "2"]
        #expect(try await tagged.load() == "Fry Boil loaded")
    }

    @Test func `A load is not conditional if one of its rows was deleted, also a nested one`() async throws {
        let tagged = try Tagged()
        #expect(try await tagged.load("/projects") == "Pier loaded")
        #expect(try await tagged.load("/projects") == "Pier unchanged")
        tagged.box.names = ["ETag": "\"v2\""]
        #expect(try await tagged.load("/projects") == "Pier loaded")
        try await tagged.change { context in
            if let task = try context.find(ProjectTask.self, 8) { context.delete(task) }
        }
        #expect(try await tagged.load("/projects") == "Pier loaded")
        #expect(try await tagged.load("/projects") == "Pier unchanged")
    }

    @Test func `An object is loaded again with a condition`() async throws {
        let tagged = try Tagged()
        _ = try await tagged.load("/tasks/7")
        let results = try await tagged.service.store.perform { context in
            try context.fetch(ProjectTask.all).map { $0.managed.id }
        }
        let screen = Screen(tagged.service)
        #expect(try await screen.get(results[0]) == "Boil true")
        #expect(tagged.box.conditions == [nil, "\"v1\""])
    }

    private actor Screen {
        let context: ObjectContext
        let manager: ObjectManager
        init(_ service: Service) {
            context = ObjectContext(service.store)
            manager = service.manager
        }

        func get(_ id: ObjectID) async throws -> String {
            let task = try await context.object(with: id, as: ProjectTask.self)
            let result = try await manager.get(task)
            return "\(task.name) \(result.isNotModified)"
        }

        func patch(_ number: Int) async throws {
            guard let task = try await context.find(ProjectTask.self, number) else { return }
            task.name = "Mine"
            try await manager.patch(task)
        }
    }

    @Test func `After an object was sent, its class is loaded without a condition`() async throws {
        let tagged = try Tagged()
        #expect(try await tagged.load() == "Fry Boil loaded")
        try await Screen(tagged.service).patch(7)
        #expect(try await tagged.load() == "Fry Boil loaded")
        #expect(tagged.box.conditions.allSatisfy { $0 == nil })
    }

    @Test func `A response that did not overwrite edits is not recorded`() async throws {
        let tagged = try Tagged()
        #expect(try await tagged.load() == "Fry Boil loaded")
        try await tagged.change { try $0.find(ProjectTask.self, 7)?.name = "Mine" }
        tagged.box.names = ["ETag": "\"v2\""]
        #expect(try await tagged.load() == "Fry Mine loaded")
        #expect(try await tagged.load() == "Fry Mine loaded")
    }

    @Test func `An older response does not overwrite a newer one`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            let tag = [Header("ETag", "\"\(request.target)\"")]
            if request.target == "/old" {
                gate.wait()
                return .json(#"[{"id": 7, "name": "Old"}]"#, 200, tag)
            }
            let isConditional = request.headers.contains { $0.name.hasPrefix("If-") }
            return isConditional ? Answer(304, headers: tag) : .json(#"[{"id": 7, "name": "New"}]"#, 200, tag)
        }
        let service = try Service(server)
        let manager = service.manager
        for path in ["/old", "/new"] { manager.responses.add(ProjectTask.mapping, path: path) }
        async let old = manager.load("/old")
        await gate.arrival()
        _ = try await manager.load("/new")
        gate.open()
        _ = try await old
        #expect(try await service.tasks() == "7 New of none")
        #expect(try await manager.load("/new").isNotModified)
    }

    @Test func `Another mapping or account loads without a condition`() async throws {
        let tagged = try Tagged()
        _ = try await tagged.load()
        let (manager, store) = (tagged.service.manager, tagged.service.store)
        let other = ObjectManager(client: manager.client, store: store)
        other.responses.add(Mapping(ProjectTask.self) { Attribute("id", \.taskID) }, path: "/tasks")
        #expect(try await !other.load("/tasks").isNotModified)
        #expect(try await tagged.load() == "Fry Boil loaded")
        let client = manager.client
        client.authentication = .basic(user: "ann", password: "secret")
        let ann = ObjectManager(client: client, store: store)
        ann.responses.add(ProjectTask.mapping, path: "/tasks")
        #expect(try await !ann.load("/tasks").isNotModified)
        #expect(try await ann.load("/tasks").isNotModified)
        client.authentication = .basic(user: "bob", password: "secret")
        let bob = ObjectManager(client: client, store: store)
        bob.responses.add(ProjectTask.mapping, path: "/tasks")
        #expect(try await !bob.load("/tasks").isNotModified)
    }

    @Test func `With a cache, the cache asks, and the objects are not mapped again`() async throws {
        let tagged = try Tagged()
        let client = tagged.service.manager.client
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        client.cache = RequestCache(directory: folder)
        client.cachePolicy = [.etag]
        let manager = ObjectManager(client: client, store: tagged.service.store)
        let mapped = Mutex(0)
        let mapping = ProjectTask.mapping.validated { _ in mapped.withLock { $0 += 1 } }
        manager.responses.add(mapping, path: "/tasks")
        let first = try await manager.load("/tasks")
        let second = try await manager.load("/tasks")
        #expect(!first.isNotModified && second.isNotModified && second.objectIDs == first.objectIDs)
        #expect(second.response.status == 200 && mapped.withLock { $0 } == 2)
        #expect(tagged.box.conditions == [nil, "\"v1\""])
    }

    @Test func `Conditions survive a restart, until the store is reset or its model is extended`() async throws {
        let tagged = try Tagged()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, model) = (folder.appending(path: "a.db"), try ObjectModel(Project.self, ProjectTask.self))
        func isConditional(_ store: ManagedObjectStore) async throws -> Bool {
            let manager = ObjectManager(client: tagged.service.manager.client, store: store)
            manager.responses.add(ProjectTask.mapping, path: "/tasks")
            let result = try await manager.load("/tasks")
            #expect(result.objectIDs.count == 2)
            return result.isNotModified
        }
        var store = try ManagedObjectStore(at: url, model: model)
        #expect(try await !isConditional(store))
        store.close()
        store = try ManagedObjectStore(at: url, model: model)
        #expect(try await isConditional(store))
        store = try await store.reset()
        #expect(try await !isConditional(store))
        #expect(try await isConditional(store))
        store.close()
        store = try ManagedObjectStore(
            at: url, model: ObjectModel(Project.self, ProjectTask.self, Note.self, NotedProject.self, Tag.self))
        #expect(try await !isConditional(store))
        store.close()
    }

    @Test func `A condition of the caller is sent unchanged`() async throws {
        let tagged = try Tagged()
        _ = try await tagged.load()
        let error = await #expect(throws: MappedRequestError.self) {
            try await tagged.service.manager.load("/tasks", headers: ["If-None-Match": "\"v1\""])
        }
        #expect(error?.response?.status == 304)
    }

    @Test func `Responses that must not be stored, and elements that were rejected, are loaded again`() async throws {
        let tagged = try Tagged(["ETag": "\"v1\"", "Cache-Control": "no-store"])
        for _ in 0..<2 { #expect(try await tagged.load() == "Fry Boil loaded") }
    }
}
