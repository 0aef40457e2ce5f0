import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Rules of loads")
struct LoadingRulesTests {
    private static let list = #"[{"id": 1, "name": "New 1", "project_id": 4}, {"id": 2, "name": "New 2"}]"#

    /// A service with two tasks in the store.
    private func service(_ answer: @escaping @Sendable () -> Answer) async throws -> Service {
        let service = try Service.answering { _ in answer() }
        try await service.store.perform { context in
            context.marksUnsentEdits = false
            for number in 1...2 {
                let task = context.insert(ProjectTask.self)
                (task.taskID, task.name) = (number, "Old \(number)")
            }
            try context.save()
        }
        return service
    }

    /// Changes a task, as a request by another context does.
    private static func rename(_ number: Int, in store: ManagedObjectStore) async throws {
        try await store.perform { context in
            context.marksUnsentEdits = false
            try context.find(ProjectTask.self, number)?.name = "Mine"
            try context.save()
        }
    }

    @Test func `Rows that are committed after the request began are not overwritten`() async throws {
        let gate = Gate()
        let service = try await service {
            gate.wait()
            return .json(Self.list)
        }
        async let result = service.manager.load("/tasks")
        await gate.arrival()
        try await Self.rename(1, in: service.store)
        gate.open()
        #expect(try await result.objectIDs.count == 2)
        #expect(try await service.tasks() == "1 Mine of none, 2 New 2 of none")
        async let second = service.manager.load("/tasks")
        await gate.arrival()
        gate.open()
        _ = try await second
        #expect(try await service.tasks() == "1 New 1 of none, 2 New 2 of none")
    }

    @Test func `Rows that are inserted after the request began are not overwritten`() async throws {
        let gate = Gate()
        let service = try await service {
            gate.wait()
            return .json(#"[{"id": 3, "name": "Late"}, {"id": 4, "name": "New"}]"#)
        }
        async let result = service.manager.load("/tasks")
        await gate.arrival()
        try await service.store.perform { context in
            let task = context.insert(ProjectTask.self)
            (task.taskID, task.name) = (3, "Mine")
            try context.save()
        }
        gate.open()
        _ = try await result
        #expect(try await service.tasks().hasSuffix("3 Mine of none, 4 New of none"))
    }

    @Test func `Of overlapping loads, each response is stored`() async throws {
        let gate = Gate()
        let count = Mutex(0)
        let service = try await service {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return .json(#"[{"id": 3, "project_id": 4}]"#) }
            gate.wait()
            return .json(#"[{"id": 3, "name": "Complete"}]"#)
        }
        async let first = service.manager.load("/tasks")
        await gate.arrival()
        _ = try await service.manager.load("/tasks")
        gate.open()
        _ = try await first
        #expect(try await service.tasks().hasSuffix("3 Complete of none"))
    }

    @Test func `Commits before the request began do not matter`() async throws {
        let service = try await service { .json(Self.list) }
        try await Self.rename(1, in: service.store)
        _ = try await service.manager.load("/tasks")
        #expect(try await service.tasks() == "1 New 1 of none, 2 New 2 of none")
    }

    @Test func `Two loads of the same objects at once create each object once`() async throws {
        let service = try Service.answering { _ in .json(Self.list) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { _ = try await service.manager.load("/tasks") } }
            try await group.waitForAll()
        }
        #expect(try await service.tasks() == "1 New 1 of none, 2 New 2 of none")
    }

    // MARK: Deletion

    @Test(arguments: [true, false])
    func `A deletion that the store would refuse is not sent`(_ isDenied: Bool) async throws {
        let service = try Service.answering { _ in Answer(204) }
        service.manager.router.add(Tag.self, "/tags/\(\.tagID)")
        let desk = try Desk(service)
        let state = try await desk.run { desk in
            let project = desk.context.insert(NotedProject.self)
            project.projectID = 4
            if isDenied { desk.context.insert(Note.self).project = project }
            try await desk.context.save()
            do {
                try await desk.manager.delete(project)
            } catch let error as StoreError {
                #expect(error.kind == .invalidObjects && error.problems.first?.property == "notes")
            }
            return project.managed.state
        }
        #expect(state == (isDenied ? .unchanged : .deleted))
        #expect(service.server.requests.count == (isDenied ? 0 : 1))
    }

    // MARK: Failures

    @Test func `A truncated response leaves the store unchanged`() async throws {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n" + Self.list
        let service = try await service { .raw(bytes.utf8) }
        await #expect(throws: MappedRequestError.self) { try await service.manager.load("/tasks") }
        #expect(try await service.tasks() == "1 Old 1 of none, 2 Old 2 of none")
        let desk = try Desk(service)
        await #expect(throws: MappedRequestError.self) { try await desk.post() }
        #expect(await desk.shown == "0 Boil of none: inserted, changes")
    }

    @Test(arguments: [302, 307]) func `A response of another origin has no descriptor`(_ status: Int) async throws {
        let other = try Service.answering { _ in .json(Self.list) }
        let location = other.server.url.absoluteString + "/tasks"
        let service = try await service { Answer(status, headers: [Header("Location", location)]) }
        let error = await #expect(throws: LoadError.self) { try await service.manager.load("/tasks") }
        #expect(error?.kind == .noDescriptor)
        #expect(try await service.tasks() == "1 Old 1 of none, 2 Old 2 of none")
        let desk = try Desk(service)
        await #expect(throws: (any Error).self) { try await desk.post() }
        #expect(await desk.shown == "0 Boil of none: inserted, changes")
    }

    @Test func `If the store is closed during a request, its response is not saved`() async throws {
        let gate = Gate()
        let service = try await service {
            gate.wait()
            return .json(#"{"id": 7}"#)
        }
        let desk = try Desk(service)
        let load = Task { try await service.manager.load("/tasks") }
        await gate.arrival()
        let post = Task { try await desk.post() }
        await gate.arrival()
        service.store.close()
        for _ in 0..<2 { gate.open() }
        await #expect(throws: (any Error).self) { try await load.value }
        await #expect(throws: (any Error).self) { try await post.value }
        #expect(await desk.run { $0.task.managed.state } == .inserted)
    }

    @Test(arguments: [404, 410]) func `A load with status 404 keeps the object`(_ status: Int) async throws {
        let service = try Service.answering { _ in .json("{}", status) }
        let desk = try Desk(service)
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        await #expect(throws: MappedRequestError.self) {
            try await desk.run { desk in _ = try await desk.manager.get(desk.project) }
        }
        #expect(try await service.projectNames() == ["Pier"])
    }

    @Test func `A response that is received after a reset is not saved`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json(Self.list)
        }
        let store = try ManagedObjectStore(
            at: folder.appending(path: "a.db"), model: ObjectModel(Project.self, ProjectTask.self))
        let manager = ObjectManager(client: service.manager.client, store: store)
        manager.responses.add(ProjectTask.mapping, path: "/tasks")
        let load = Task { try await manager.load("/tasks") }
        await gate.arrival()
        let new = try await store.reset()
        gate.open()
        await #expect(throws: (any Error).self) { try await load.value }
        #expect(try new.count(of: "ProjectTask") == 0)
        new.close()
    }

    @Test func `A cancelled call saves all objects of its response or none`() async throws {
        let names = (1...200).map { #"{"id": \#($0), "name": "New"}"# }.joined(separator: ",")
        let service = try Service.answering { .json($0.hasPrefix("POST") ? #"{"id": 7000}"# : "[\(names)]") }
        var counts: Set<Int> = []
        for delay in 0..<40 {
            let load = Task { try await service.manager.load("/tasks") }
            // Different moments, from before the request to after the save.
            for _ in 0..<delay * 20 { await Task.yield() }
            load.cancel()
            let isLoaded = (try? await load.value) != nil
            let count = try await service.store.perform { context in
                let count = try context.count(ProjectTask.all)
                try context.delete(ProjectTask.all)
                return count
            }
            #expect(count == 0 || count == 200)
            #expect(!isLoaded || count == 200)
            counts.insert(count)
        }
        #expect(!counts.isEmpty)
    }

    @Test func `A cancelled post saves its object with the response, or leaves it unchanged`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 7, "name": "By the server"}"#, 201) }
        for delay in 0..<40 {
            let desk = try Desk(service)
            let post = Task { try await desk.post() }
            for _ in 0..<delay * 20 { await Task.yield() }
            post.cancel()
            let isPosted = (try? await post.value) != nil
            let tasks = try await service.tasks()
            let shown = await desk.shown
            if isPosted { #expect(shown == "7 By the server of none: unchanged, no changes") }
            #expect(
                tasks == (shown.hasPrefix("7") ? "7 By the server of none" : "")
                    && (shown.hasPrefix("7") || shown == "0 Boil of none: inserted, changes"))
            try await service.store.perform { context in
                try context.delete(ProjectTask.all)
                try context.delete(Project.all)
            }
        }
    }
}
