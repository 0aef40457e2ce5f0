import Foundation
import LoopbackServer
@testable import ObjectLoading
import Synchronization
import TestSupport
import Testing

@Suite("Pruning of loads")
struct PruningTests {
    /// A service whose store has the projects 1 to 3, and tasks 5 and 6 of project 1.
    private func loaded() async throws -> ChangingService {
        let service = try ChangingService()
        service.setProjects(1...3)
        service.setTasks([5, 6])
        _ = try await service.manager.load("/projects")
        _ = try await service.manager.load("/projects/1/tasks")
        return service
    }

    @Test func `Objects that a complete response lacks are deleted only if asked`() async throws {
        let service = try await loaded()
        service.setProjects([1, 3])
        let kept = try await service.manager.load("/projects")
        #expect(kept.pruning == nil && kept.deleted.isEmpty)
        #expect(try await service.projects() == [1, 2, 3])
        let dry = try await service.manager.load("/projects", pruning: .dryRun)
        #expect(dry.deleted.map(\.description) == ["Project/2"] && dry.pruning?.isDryRun == true)
        #expect(try await service.projects() == [1, 2, 3])
        let pruned = try await service.manager.load("/projects", policy: .remote.pruning(.scope))
        #expect(pruned.deleted.map(\.description) == ["Project/2"] && pruned.pruning?.refusal == nil)
        #expect(try await service.projects() == [1, 3])
        #expect(try await service.manager.load("/projects", pruning: .scope).deleted.isEmpty)
    }

    @Test func `An object that a nested scope lacks is disconnected, unless nothing moves`() async throws {
        let service = try await loaded()
        service.setTasks([5])
        let result = try await service.manager.load("/projects/1/tasks", pruning: .scope)
        #expect(result.deleted.isEmpty && result.pruning?.disconnected.map(\.description) == ["ProjectTask/2"])
        #expect(try await service.tasks() == ["5 of 1", "6 of 0"])
        service.setTasks([])
        let deleted = try await service.manager.load("/projects/1/tasks", pruning: .scope.assumingNoMoves())
        #expect(deleted.deleted.count == 1)
        #expect(try await service.tasks() == ["6 of 0"])
    }

    @Test func `A disconnected object stays disconnected when it is saved, and returns with its list`() async throws {
        let service = try await loaded()
        service.setTasks([5])
        _ = try await service.manager.load("/projects/1/tasks", pruning: .scope)
        try await service.change { try $0.find(ProjectTask.self, 6)?.name = "Mine" }
        #expect(try await service.tasks() == ["5 of 1", "6 of 0"])
        service.setTasks([5, 6])
        _ = try await service.manager.load("/projects/1/tasks", pruning: .scope)
        #expect(try await service.tasks() == ["5 of 1", "6 of 1"])
    }

    @Test func `An object that may only have left a filter is kept`() async throws {
        let service = try await loaded()
        let manager = service.manager
        manager.responses.add(Project.mapping, at: "projects", path: "/named")
        manager.offline.add("/named") { _ in [Project.where { $0.name.hasPrefix("P") }] }
        service.setProjects([1], [], "/named")
        let result = try await manager.load("/named", pruning: .scope)
        #expect(result.deleted.isEmpty && result.pruning?.kept.count == 2)
        #expect(try await service.projects() == [1, 2, 3])
    }

    @Test func `Nothing is deleted after an error or an incomplete response`() async throws {
        let service = try await loaded()
        let manager = service.manager
        let one = #"{"id": 1, "name": "P1"}"#
        let failures: [Answer] = [
            Answer(500), Answer(404), .json(#"{"projects": [\#(one), "#), .json("<html></html>"),
            .json(#"{"projects": [{"id": "x"}]}"#), .json(#"{"items": [\#(one)]}"#),
        ]
        for answer in failures {
            service.set("/projects", answer)
            await #expect(throws: (any Error).self) {
                try await manager.load("/projects", policy: .remote, pruning: .scope)
            }
            #expect(try await service.projects() == [1, 2, 3])
        }
        let incomplete: [Answer] = [
            Answer(204), .json(""), .json(#"{"projects": null}"#),
            .json(#"{"projects": [\#(one)]}"#, 203), .json(#"{"projects": [\#(one), null, null]}"#),
            .json(#"{"projects": [null]}"#),
            .json(#"{"projects": [\#(one)]}"#, 200, [Header("Link", "</projects?page=2>; rel=\"next\"")]),
            .json(#"{"projects": [\#(one)]}"#, 200, [Header("X-Total-Count", "3")]),
        ]
        for answer in incomplete {
            service.set("/projects", answer)
            let result = try await manager.load("/projects", pruning: .scope)
            guard case .incomplete? = result.pruning?.refusal else {
                Issue.record("\(answer): \(String(describing: result.pruning))")
                continue
            }
            #expect(try await service.projects() == [1, 2, 3])
        }
        manager.responses.add(Tag.mapping, at: "tags", path: "/projects")
        service.set("/projects", .json(#"{"tags": [], "items": [\#(one)]}"#))
        let missing = try await manager.load("/projects", pruning: .scope)
        #expect(missing.pruning?.refusal == .incomplete("the body has no value at 'projects'"))
        service.set("/projects", .json(#"{"projects": [\#(one), {"id": "x"}]}"#))
        let skipped = try await manager.load("/projects", policy: .remote, pruning: .scope, issues: .skipElement)
        #expect(skipped.report.rejected.count == 1)
        #expect(try await service.projects() == [1, 2, 3])
        service.set("/projects", .none())
        #expect(try await manager.load("/projects", pruning: .scope).pruning == nil)
        #expect(try await service.projects() == [1, 2, 3])
    }

    @Test func `A stored response that the server did not confirm prunes nothing`() async throws {
        let folder = try TemporaryDirectory()
        let service = try ChangingService()
        service.setProjects([1, 2], [Header("Cache-Control", "max-age=60")])
        service.setProjects([3], [], "/recent")
        let client = service.manager.client
        client.cache = RequestCache(directory: URL(fileURLWithPath: folder.path, isDirectory: true))
        let manager = ObjectManager(client: client, store: service.store)
        manager.responses.add(Project.mapping, at: "projects")
        manager.offline.add("/projects") { _ in [Project.all] }
        _ = try await manager.load("/projects", pruning: .scope)
        _ = try await manager.load("/recent")
        let result = try await manager.load("/projects", pruning: .scope)
        #expect(result.response.isFromCache && result.deleted.isEmpty)
        #expect(try await service.projects() == [1, 2, 3])
    }

    @Test func `A query that could be a filter is not pruned, unless the queries read it`() async throws {
        let service = try await loaded()
        service.setProjects([1], [], "/projects?page=2")
        let result = try await service.manager.load("/projects", query: ["page": "2"], pruning: .scope)
        #expect(result.pruning?.refusal?.description.contains("'page'") == true)
        service.manager.responses.add(Project.mapping, at: "projects", path: "/search")
        service.manager.offline.add("/search") { parameters in
            [Project.where { $0.name == parameters.query("name") ?? "" }]
        }
        service.setProjects([], [], "/search?name=P2")
        let found = try await service.manager.load(
            "/search", query: ["name": "P2"], pruning: .scope.assumingNoMoves())
        #expect(found.deleted.count == 1)
        #expect(try await service.projects() == [1, 3])
    }

    @Test func `A path with two classes prunes both, and keeps objects that are only nested`() async throws {
        let service = try ChangingService()
        let manager = service.manager
        for path in ["/all", "/nested"] {
            manager.responses.add(Project.mapping, at: "projects", path: path)
            manager.offline.add(path) { _ in [Project.all, ProjectTask.all] }
        }
        manager.responses.add(ProjectTask.mapping, at: "tasks", path: "/all")
        func set(_ projects: String, _ tasks: String = "[]", _ path: String = "/all") {
            service.set(path, .json(#"{"projects": \#(projects), "tasks": \#(tasks)}"#))
        }
        set(#"[{"id": 1}, {"id": 2}]"#, #"[{"id": 5, "project_id": 1}, {"id": 6, "project_id": 2}]"#)
        _ = try await manager.load("/all", pruning: .scope)
        set(#"[{"id": 1}]"#, #"[{"id": 5, "project_id": 1}]"#)
        let both = try await manager.load("/all", pruning: .scope)
        #expect(both.deleted.map(\.description).sorted() == ["Project/2", "ProjectTask/2"])
        set(#"[{"id": 1, "tasks": []}]"#, "[]", "/nested")
        #expect(try await manager.load("/nested", pruning: .scope).deleted.isEmpty)
        #expect(try await service.tasks() == ["5 of 0"])
    }

    @Test func `A 304 prunes nothing, and a dry run is no reason for one`() async throws {
        let service = try ChangingService()
        let tag = [Header("ETag", "\"v1\"")]
        service.setProjects(1...3, tag)
        _ = try await service.manager.load("/projects")
        service.setProjects([1, 2], [Header("ETag", "\"v2\"")])
        let dry = try await service.manager.load("/projects", pruning: .dryRun)
        #expect(dry.deleted.count == 1)
        let pruned = try await service.manager.load("/projects", pruning: .scope)
        #expect(!pruned.isNotModified && pruned.deleted.count == 1)
        let confirmed = try await service.manager.load("/projects", pruning: .scope)
        #expect(confirmed.isNotModified && confirmed.deleted.isEmpty && confirmed.objectIDs.count == 2)
        #expect(confirmed.pruning?.refusal?.description.contains("304") == true)
        #expect(try await service.projects() == [1, 2])
    }

    @Test func `A response that was loaded without pruning is pruned by the next load that requests it`() async throws {
        let service = try ChangingService()
        service.setProjects(1...3)
        _ = try await service.manager.load("/projects")
        for (version, ids) in [[1, 2], [1]].enumerated() {
            service.setProjects(ids, [Header("ETag", "\"v\(version)\"")])
            let other = try await service.manager.load("/projects")
            #expect(!other.isNotModified)
            let pruned = try await service.manager.load("/projects", pruning: .scope)
            #expect(!pruned.isNotModified && pruned.deleted.count == 1)
            #expect(try await service.manager.load("/projects", pruning: .scope).isNotModified)
        }
        #expect(try await service.projects() == [1])
    }

    @Test func `Local edits, objects that were never sent, and newer ones are kept`() async throws {
        let service = try await loaded()
        try await service.change { context in
            try context.find(Project.self, 2)?.name = "Mine"
            context.insert(Project.self).projectID = 9
            context.insert(Project.self).name = "New"
        }
        service.setProjects([1])
        let result = try await service.manager.load("/projects", pruning: .scope)
        #expect(result.deleted.map(\.description) == ["Project/3"] && result.pruning?.kept.count == 3)
        #expect(try await service.projects() == [0, 1, 2, 9])
    }

    @Test @MainActor func `Objects with unsaved changes in the main context are kept`() async throws {
        let service = try await loaded()
        let context = service.store.mainContext
        let projects = try await context.fetch(Project.all.sorted(by: \.projectID))
        projects[1].name = "Mine"
        service.setProjects([1])
        let result = try await service.manager.load("/projects", pruning: .scope)
        #expect(result.deleted.map(\.description) == ["Project/3"])
        try await context.save()
        #expect(try await service.projects() == [1, 2])
    }

    @Test func `Objects that were committed after the request began are kept`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            switch request.target {
            case "/projects":
                gate.wait()
                return .json(#"{"projects": [{"id": 1}]}"#)
            default: return .json(#"{"id": 4}"#)
            }
        }
        let service = try Service(server)
        let manager = service.manager
        manager.responses.add(Project.mapping, at: "projects", path: "/projects")
        manager.responses.add(Project.mapping, path: "/projects/:id")
        manager.offline.add("/projects") { _ in [Project.all] }
        try await service.store.perform { context in
            for id in 1...3 { context.insert(Project.self).projectID = id }
            context.savesReply()
            try context.save()
        }
        async let load = manager.load("/projects", pruning: .scope)
        await gate.arrival()
        _ = try await manager.load("/projects/4")
        try await service.store.perform { context in
            try context.find(Project.self, 2)?.name = "Newer"
            context.savesReply()
            try context.save()
        }
        gate.open()
        let result = try await load
        #expect(result.deleted.map(\.description) == ["Project/3"])
        #expect(try await service.store.perform { try $0.fetch(Project.all).map(\.projectID) } == [1, 2, 4])
    }

    @Test func `A list that is almost emptied is refused, unless the share allows it`() async throws {
        let service = try ChangingService()
        service.setProjects(1...30)
        _ = try await service.manager.load("/projects")
        service.setProjects([])
        let empty = try await service.manager.load("/projects", pruning: .scope)
        #expect(empty.pruning?.refusal == .share(count: 30, total: 30) && empty.deleted.isEmpty)
        service.setProjects(1...23)
        let refused = try await service.manager.load("/projects", pruning: .scope)
        #expect(refused.pruning?.refusal == .share(count: 7, total: 30))
        #expect(try await service.manager.load("/projects", pruning: .dryRun).deleted.count == 7)
        #expect(try await service.projects().count == 30)
        service.setProjects(1...24)
        #expect(try await service.manager.load("/projects", pruning: .scope).deleted.count == 6)
        service.setProjects([])
        let all = try await service.manager.load("/projects", pruning: .scope(upTo: 1))
        #expect(all.deleted.count == 24)
        #expect(try await service.projects().isEmpty)
    }

    @Test func `A deletion that a rule denies is reported, and the load succeeds`() async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let service = try Service(server)
        let manager = service.manager
        manager.responses.add(NotedProject.mapping, path: "/noted")
        manager.offline.add("/noted") { _ in [NotedProject.all] }
        try await service.store.perform { context in
            let note = context.insert(Note.self)
            (note.noteID, note.project) = (1, context.insert(NotedProject.self))
            note.project?.projectID = 1
            context.savesReply()
            try context.save()
        }
        let result = try await manager.load("/noted", pruning: .scope)
        guard case .denied? = result.pruning?.refusal else {
            Issue.record("\(String(describing: result.pruning))")
            return
        }
        #expect(try service.store.count(of: "NotedProject") == 1)
    }

    @Test func `A complete run of pages prunes, and one that breaks off or has other totals does not`() async throws {
        let service = try ChangingService()
        service.setProjects(1...6)
        _ = try await service.manager.load("/projects")
        let manager = service.manager
        func run(_ pages: [([Int], Int?)]) async throws -> PruningReport {
            let first = manager.client.request(.get, "/projects", query: ["page": "1"])
            var run = try PrunedPages(manager, first: first, selecting: ["page"], .scope)
            for (number, page) in pages.enumerated() {
                service.setProjects(page.0, [], "/projects?page=\(number + 1)")
                let request = manager.client.request(.get, "/projects", query: ["page": "\(number + 1)"])
                run.add(try await manager.load(request, keepsAnswer: true), total: page.1)
            }
            return try await run.prune(by: manager)
        }
        #expect(try await run([([1, 2], 5), ([3, 4], 5)]).refusal != nil)
        #expect(try await run([([1, 2], 4), ([3, 4], 5)]).refusal != nil)
        #expect(try await run([([1, 2], nil), ([3, 4], nil)]).refusal != nil)
        #expect(try await run([([1, 2], 5), ([2, 3], 5)]).refusal != nil)
        #expect(try await service.projects().count == 6)
        #expect(try await run([([1, 2], 4), ([3, 4], 4)]).deleted.count == 2)
        #expect(try await service.projects() == [1, 2, 3, 4])
    }

    @Test func `A reset cancels loads, and a late response is not saved`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            gate.wait()
            return .json(#"[{"id": 7}]"#)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try ManagedObjectStore(
            at: folder.appending(path: "a.db"), model: ObjectModel(Project.self, ProjectTask.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(ProjectTask.mapping, path: "/tasks")
        let load = Task { try await manager.load("/tasks") }
        await gate.arrival()
        let new = try await store.reset()
        let error = await #expect(throws: MappedRequestError.self) { try await load.value }
        #expect(error?.isCancelled == true)
        gate.open()
        let closed = await #expect(throws: StoreError.self) { try await manager.load("/tasks") }
        #expect(closed?.kind == .closed)
        #expect(try new.count(of: "ProjectTask") == 0)
        new.close()
    }

    @Test func `A seed is built by the response descriptors of a manager`() async throws {
        let service = try ChangingService()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tasks, projects) = (folder.appending(path: "tasks.json"), folder.appending(path: "projects.json"))
        try Data(#"[{"id": 5, "name": "Boil", "project_id": 1}]"#.utf8).write(to: tasks)
        try Data(#"{"projects": [{"id": 1, "name": "Kettle"}]}"#.utf8).write(to: projects)
        let seed = folder.appending(path: "seed.sqlite")
        let counts = try await service.manager.makeSeed(
            at: seed, from: ["/projects/1/tasks": tasks, "/projects": projects])
        #expect(counts["Project"] == 1 && counts["ProjectTask"] == 1 && service.requests.isEmpty)
        let store = try await ManagedObjectStore.open(
            at: folder.appending(path: "app.db"), model: service.store.model, seed: seed)
        #expect(try await store.perform { try $0.fetch(ProjectTask.all).map { $0.project?.name } } == ["Kettle"])
        store.close()
        let wrong = await #expect(throws: LoadError.self) {
            try await service.manager.makeSeed(at: folder.appending(path: "b.sqlite"), from: ["/x": tasks])
        }
        #expect(wrong?.kind == .noDescriptor)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "b.sqlite").path))
    }
}
