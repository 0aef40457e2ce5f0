import Foundation
import LoopbackServer
import MappingLog
@testable import ObjectLoading
import Synchronization
import Testing

@Suite("Offline loads")
struct OfflineTests {
    @Test func `Each policy answers from its source`() async throws {
        let service = try ChangingService()
        let manager = service.manager
        service.setProjects([2, 1])
        let empty = try await manager.load("/projects", policy: .local)
        #expect(empty.isLocal && empty.objectIDs.isEmpty && service.requests.isEmpty)
        let remote = try await manager.load("/projects", policy: .remote)
        #expect(!remote.isLocal && remote.response.status == 200)
        #expect(try await remote.projectNames(service.store) == ["P2", "P1"])
        service.setProjects([1, 2, 3])
        let local = try await manager.load("/projects", policy: .local)
        #expect(local.isLocal && local.response.status == 0 && local.keyPaths.map(\.description) == ["projects"])
        #expect(try await local.projectNames(service.store) == ["P1", "P2"])
        let known = try await manager.load("/projects")
        #expect(try await known.projectNames(service.store) == ["P1", "P2", "P3"])
        #expect(service.requests.count == 2)
    }

    @Test func `The stored objects come first, and those of the server second`() async throws {
        let service = try ChangingService()
        service.setProjects([1])
        _ = try await service.manager.load("/projects")
        service.setProjects([1, 2])
        var results: [String] = []
        for try await result in service.manager.load("/projects", policy: .localThenRemote) {
            results.append("\(result.isLocal) \(try await result.projectNames(service.store))")
        }
        #expect(results == [#"true ["P1"]"#, #"false ["P1", "P2"]"#])
        for try await result in service.manager.load("/projects", policy: .local) {
            results.append("\(result.isLocal)")
        }
        #expect(results.count == 3)
    }

    @Test func `A single result of both is the stored one, and the store follows`() async throws {
        let service = try ChangingService()
        service.setProjects([1, 2])
        let result = try await service.manager.load("/projects", policy: .localThenRemote)
        #expect(result.isLocal && result.objectIDs.isEmpty)
        while try await service.projects().isEmpty { await Task.yield() }
        #expect(try await service.projects() == [1, 2])
    }

    @Test func `The error of the second result ends the loop after the first one`() async throws {
        let service = try ChangingService()
        service.set("/projects", Answer(500))
        var count = 0
        let error = await #expect(throws: MappedRequestError.self) {
            for try await _ in service.manager.load("/projects", policy: .localThenRemote) { count += 1 }
        }
        #expect(count == 1 && error?.response?.status == 500)
    }

    @Test func `Without a server, only paths with queries answer, with stored objects`() async throws {
        let service = try ChangingService()
        service.setProjects([1])
        let manager = service.manager
        manager.responses.add(Project.mapping, at: "projects", path: "/others")
        _ = try await manager.load("/projects")
        // The port of a server that was stopped can belong to another test.
        for target in ["/projects", "/others"] { service.set(target, .none()) }
        let result = try await manager.load("/projects")
        #expect(result.isLocal && result.remoteError?.response == nil && result.remoteError != nil)
        #expect(try await result.projectNames(service.store) == ["P1"])
        await #expect(throws: MappedRequestError.self) { try await manager.load("/projects", policy: .remote) }
        await #expect(throws: MappedRequestError.self) { try await manager.load("/others") }
    }

    @Test func `Statuses of the service are errors, except for those of a gateway`() async throws {
        let service = try ChangingService()
        for status in [400, 401, 404, 500] {
            service.set("/projects", Answer(status))
            await #expect(throws: MappedRequestError.self) { try await service.manager.load("/projects") }
        }
        for status in [502, 503, 504] {
            service.set("/projects", Answer(status))
            #expect(try await service.manager.load("/projects").isLocal)
        }
        service.set("/projects", .json("<html>"))
        await #expect(throws: MappedRequestError.self) { try await service.manager.load("/projects") }
    }

    /// A service that waits before each response, and queries for its path.
    private func gatedService(_ gate: Gate) throws -> Service {
        let server = try LoopbackServer { _ in
            gate.wait()
            return .json("[]")
        }
        let service = try Service(server)
        service.manager.responses.add(Project.mapping, path: "/projects")
        service.manager.offline.add("/projects") { _ in [Project.all] }
        return service
    }

    @Test func `The observer of the network decides before and during a request`() async throws {
        let gate = Gate()
        let service = try gatedService(gate)
        let manager = service.manager
        let observer = ReachabilityObserver(initially: .notReachable(.noRoute))
        manager.queue.observeReachability(observer, whenOffline: .wait)
        let offline = try await manager.load("/projects")
        #expect(offline.isLocal && offline.remoteError?.requestError?.kind == .offline)
        observer.report(.reachable(via: NetworkInterface(.wired)))
        async let load = manager.load("/projects")
        await gate.arrival()
        observer.report(.notReachable(.noRoute))
        let result = try await load
        #expect(result.isLocal && result.remoteError?.requestError?.kind == .offline)
        gate.open()
    }

    /// The connection ends before the response, after its head, and within its body.
    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{\"projects\": [{\"id\": 1}",
    ])
    func `A connection that is lost at any step gives stored objects, and deletes nothing`(_ text: String) async throws
    {
        let service = try ChangingService()
        service.setProjects([1, 2])
        _ = try await service.manager.load("/projects")
        for end in [Answer.End.close, .reset] {
            service.set("/projects", .raw(text.utf8, end: end))
            let result = try await service.manager.load("/projects", pruning: .scope)
            #expect(result.isLocal && result.objectIDs.count == 2 && result.pruning == nil)
            #expect(try await service.projects() == [1, 2])
        }
    }

    @Test func `The response is kept if the network is lost while it is saved`() async throws {
        let service = try ChangingService()
        let manager = service.manager
        let observer = ReachabilityObserver(initially: .reachable(via: NetworkInterface(.wired)))
        manager.reachability = observer
        let mapping = Project.mapping.validated { _ in observer.report(.notReachable(.noRoute)) }
        manager.responses.add(mapping, at: "projects", path: "/saved")
        manager.offline.add("/saved") { _ in [Project.all] }
        service.setProjects([1, 2], [], "/saved")
        let result = try await manager.load("/saved")
        #expect(result.objectIDs.count == 2)
        #expect(try await service.projects() == [1, 2])
    }

    @Test func `A cancelled load does not answer with stored objects`() async throws {
        let gate = Gate()
        let service = try gatedService(gate)
        let manager = service.manager
        let task = Task { try await manager.load("/projects") }
        await gate.arrival()
        task.cancel()
        let error = await #expect(throws: MappedRequestError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        gate.open()
    }

    @Test func `A fresh response needs no request, also after a restart`() async throws {
        let service = try ChangingService()
        service.setProjects([1])
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let time = Mutex<Int64>(1_000_000)
        func load(_ seconds: Int) async throws -> Bool {
            let store = try ManagedObjectStore(
                at: folder.appending(path: "a.db"), model: ObjectModel(Project.self, ProjectTask.self))
            defer { store.close() }
            let manager = ObjectManager(client: service.manager.client, store: store)
            manager.responses.add(Project.mapping, at: "projects", path: "/projects")
            manager.offline.add("/projects") { _ in [Project.all] }
            manager.offline.setClock { time.withLock { $0 } }
            let policy = FetchPolicy.remoteElseLocal.maximumAge(.seconds(seconds))
            let result = try await manager.load("/projects", policy: policy)
            #expect(result.objectIDs.count == 1)
            return result.isLocal
        }
        #expect(try await !load(60))
        #expect(try await load(60))
        time.withLock { $0 += 59_000 }
        #expect(try await load(60))
        #expect(try await !load(10))
        time.withLock { $0 += 61_000 }
        #expect(try await !load(60))
        // A clock that is set back.
        time.withLock { $0 -= 3_600_000 }
        #expect(try await !load(60))
        #expect(try await load(60))
        #expect(service.requests.count == 4)
    }

    @Test func `A confirmed response is fresh again`() async throws {
        let service = try ChangingService()
        service.setProjects([1], [Header("ETag", "\"v1\"")])
        let time = Mutex<Int64>(1_000_000)
        service.manager.offline.setClock { time.withLock { $0 } }
        let policy = FetchPolicy.remote.maximumAge(.seconds(60))
        _ = try await service.manager.load("/projects", policy: policy)
        time.withLock { $0 += 61_000 }
        #expect(try await service.manager.load("/projects", policy: policy).response.status == 304)
        #expect(try await service.manager.load("/projects", policy: policy).isLocal)
        #expect(service.requests.count == 2)
    }

    @Test func `Parameters are compared as values of the attribute`() async throws {
        let service = try ChangingService()
        service.setProjects([1, 2])
        service.setTasks([5, 6])
        _ = try await service.manager.load("/projects")
        _ = try await service.manager.load("/projects/1/tasks")
        #expect(try await service.manager.load("/projects/1/tasks", policy: .local).objectIDs.count == 2)
        #expect(try await service.manager.load("/projects/2/tasks", policy: .local).objectIDs.isEmpty)
        let error = await #expect(throws: StoreError.self) {
            try await service.manager.load("/projects/one/tasks", policy: .local)
        }
        #expect(error?.message.contains("projectID") == true)
        service.manager.offline.add("/users/:userID") { parameters in
            [Project.where { $0.projectID == parameters["user"] }]
        }
        let missing = await #expect(throws: StoreError.self) {
            try await service.manager.load("/users/7", policy: .local)
        }
        #expect(missing?.message.contains("userID") == true)
    }

    @Test func `A path without queries, and equal paths, are errors before a request`() async throws {
        let service = try ChangingService()
        let manager = service.manager
        for policy in [FetchPolicy.local, .localThenRemote, .remoteElseLocal, .remote.maximumAge(.seconds(1))] {
            let error = await #expect(throws: LoadError.self) { try await manager.load("/users", policy: policy) }
            #expect(error?.kind == .noQueries)
        }
        let error = await #expect(throws: LoadError.self) { try await manager.load("/users", pruning: .scope) }
        #expect(error?.kind == .noQueries && service.requests.isEmpty)
        manager.offline.add("projects/:id/tasks/") { _ in [] }
        let duplicate = await #expect(throws: LoadError.self) { try await manager.load("/projects/1/tasks") }
        #expect(duplicate?.kind == .duplicateQueries && duplicate?.description.contains(":projectID") == true)
        #expect(service.requests.isEmpty)
    }

    @Test func `The most specific path applies, with several classes`() async throws {
        let service = try ChangingService()
        service.setProjects([1, 2])
        service.setTasks([5])
        let manager = service.manager
        manager.offline.add("/projects/1/tasks") { _ in [ProjectTask.all, Project.all] }
        _ = try await manager.load("/projects")
        _ = try await manager.load("/projects/1/tasks")
        #expect(
            try await manager.load("/projects/1/tasks", policy: .local).objectIDs.map(\.entity).sorted()
                == ["Project", "Project", "ProjectTask"])
    }

    @Test @MainActor func `A relationship is loaded by its path, with a policy`() async throws {
        let service = try ChangingService()
        service.setProjects([1])
        service.setTasks([5])
        _ = try await service.manager.load("/projects")
        let context = service.store.mainContext
        let project = try #require(try await context.fetch(Project.all).first)
        _ = try await service.manager.load(project, \.tasks)
        #expect(project.tasks.count == 1)
        #expect(try await service.manager.load(project, \.tasks, policy: .local).objectIDs.count == 1)
        service.set("/projects/1/tasks", .none())
        #expect(try await service.manager.load(project, \.tasks).isLocal)
    }

    @Test func `Loads of plain models are not affected`() async throws {
        let service = try ChangingService(["/accounts": #"[{"id": 1}]"#])
        let manager = ObjectManager(client: service.manager.client)
        manager.responses.add(Account.mapping, path: "/accounts")
        manager.offline.add("/accounts") { _ in [] }
        let result = try await manager.load("/accounts")
        #expect(result.values(of: Account.self).map(\.id) == [1] && !result.isLocal && result.deleted.isEmpty)
    }
}
