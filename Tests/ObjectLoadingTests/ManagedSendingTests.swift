import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Sending managed objects")
struct ManagedSendingTests {
    /// Holds objects in its own isolation.
    private actor Screen {
        let context: ObjectContext
        let manager: ObjectManager
        var task: ProjectTask
        var project: Project

        init(_ service: Service) throws {
            manager = service.manager
            context = ObjectContext(service.store)
            context.marksUnsentEdits = false
            project = context.insert(Project.self)
            (project.projectID, project.name) = (4, "Pier")
            task = context.insert(ProjectTask.self)
            (task.taskID, task.name, task.projectID) = (7, "Boil", 3)
        }

        func save() throws { try context.save() }

        func change(_ change: @Sendable (ProjectTask, Project) -> Void) { change(task, project) }

        func send(_ method: HTTPMethod) async throws {
            switch method {
            case .put: try await manager.put(task)
            case .patch: try await manager.patch(task)
            default: try await manager.delete(task)
            }
        }

        /// The state of the objects: what a user of the actor sees.
        var shown: String {
            let changes = task.managed.changes.map(\.property).sorted().joined(separator: " ")
            return "\(task.name) of \(task.project?.name ?? "none"), \(project.name); changed: \(changes)"
        }

        var states: [String] { ["\(task.managed.state)", "\(project.managed.state)"] }
    }

    private func service(_ answer: @escaping @Sendable (String) -> Answer) throws -> Service {
        let server = try LoopbackServer { request in
            answer("\(request.method) \(request.target) \(String(decoding: try request.body(), as: UTF8.self))")
        }
        let service = try Service(server)
        service.manager.router.add(ProjectTask.self, "/tasks/\(\.taskID)")
        service.manager.bodies.add(ProjectTask.mapping)
        service.manager.responses.add(ProjectTask.mapping, path: "/tasks/:id")
        return service
    }

    /// The tasks and projects in the store.
    private func stored(_ service: Service) async throws -> String {
        try await service.store.perform { context in
            let tasks = try context.fetch(ProjectTask.all).map { "\($0.name) of \($0.project?.name ?? "none")" }
            return (tasks + (try context.fetch(Project.all).map(\.name))).joined(separator: ", ")
        }
    }

    @Test(arguments: [
        "", #"{"id": 7, "name": "Boil water"}"#, #"{"name": "Boil water"}"#, #"[{"name": "Boil water"}]"#,
    ])
    func `Changes that were sent are saved with the response, and other objects are not`(_ reply: String) async throws {
        let sent = Mutex<[String]>([])
        let service = try service { request in
            sent.withLock { $0.append(request) }
            return .json(reply)
        }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, project in
            (task.name, task.project, project.name) = ("Boil water!", project, "Renamed")
        }
        try await screen.send(.patch)
        let name = reply.isEmpty ? "Boil water!" : "Boil water"
        #expect(await screen.shown == "\(name) of Renamed, Renamed; changed: ")
        #expect(await screen.states == ["unchanged", "updated"])
        #expect(try await stored(service) == "\(name) of Pier, Pier")
        #expect(sent.withLock { $0 } == [#"PATCH /tasks/7 {"name":"Boil water!"}"#])
        try await screen.send(.patch)
        #expect(sent.withLock { $0.count } == 1)
        try await screen.save()
        #expect(try await stored(service) == "\(name) of Renamed, Renamed")
    }

    @Test func `Members that the mapping omits are not sent, also with PATCH`() async throws {
        let sent = Mutex<[String]>([])
        let service = try service { request in
            sent.withLock { $0.append(request) }
            return Answer(204)
        }
        service.manager.bodies.add(ProjectTask.mapping.omitting("id", "project_id"), methods: [.put])
        service.manager.bodies.add(ProjectTask.mapping.omitting("project_id"), methods: [.patch])
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in (task.name, task.projectID) = ("Boil water", 4) }
        try await screen.send(.patch)
        try await screen.send(.put)
        #expect(
            sent.withLock { $0 } == [#"PATCH /tasks/7 {"name":"Boil water"}"#, #"PUT /tasks/7 {"name":"Boil water"}"#])
    }

    @Test func `PUT sends the complete object`() async throws {
        let sent = Mutex<[String]>([])
        let service = try service { request in
            sent.withLock { $0.append(request) }
            return .json("", 204)
        }
        let screen = try Screen(service)
        try await screen.save()
        try await screen.send(.put)
        #expect(sent.withLock { $0 } == [#"PUT /tasks/7 {"id":7,"name":"Boil","project_id":3}"#])
    }

    /// Changes the task to "First", and then again while it is sent by PATCH, which the service answers with a reply.
    private func sending(
        answeredBy reply: String, _ meanwhile: (Screen) async throws -> Void
    ) async throws -> (Service, Screen) {
        let (arrived, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let service = try service { _ in
            arrived.signal()
            gate.wait()
            return .json(reply)
        }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in task.name = "First" }
        async let sending: Void = screen.send(.patch)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                arrived.wait()
                continuation.resume()
            }
        }
        try await meanwhile(screen)
        gate.signal()
        try await sending
        return (service, screen)
    }

    private static let reply = #"{"id": 7, "name": "By the server", "project_id": 5}"#

    @Test(arguments: ["Second", "Boil"])
    func `Changes that are made while the request is sent are kept, and can be saved`(_ name: String) async throws {
        let (service, screen) = try await sending(answeredBy: Self.reply) { screen in
            await screen.change { task, _ in task.name = name }
        }
        #expect(await screen.shown == "\(name) of none, Pier; changed: name")
        #expect(try await stored(service) == "By the server of none, Pier")
        try await screen.save()
        #expect(try await stored(service) == "\(name) of none, Pier")
    }

    @Test(arguments: [reply, ""])
    func `Changes that are saved while the request is sent are not overwritten by its response`(_ reply: String)
        async throws
    {
        let (service, screen) = try await sending(answeredBy: reply) { screen in
            await screen.change { task, _ in task.name = "Second" }
            try await screen.save()
        }
        #expect(await screen.shown == "Second of none, Pier; changed: ")
        #expect(try await stored(service) == "Second of none, Pier")
    }

    @Test(arguments: [422, 500]) func `After a failure, the object is unchanged and nothing is saved`(_ status: Int)
        async throws
    {
        let service = try service { _ in .json(#"{"id": 7, "name": "No"}"#, status) }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in task.name = "Mine" }
        for method: HTTPMethod in [.put, .patch, .delete] {
            await #expect(throws: MappedRequestError.self) { try await screen.send(method) }
        }
        #expect(await screen.shown == "Mine of none, Pier; changed: name")
        #expect(try await stored(service) == "Boil of none, Pier")
    }

    @Test func `A response with another object is an error, and nothing is saved`() async throws {
        let service = try service { _ in .json(#"{"id": 8, "name": "Other"}"#) }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in task.name = "Mine" }
        let error = await #expect(throws: LoadError.self) { try await screen.send(.put) }
        #expect(error?.kind == .otherObject)
        #expect(await screen.shown == "Mine of none, Pier; changed: name")
        #expect(try await stored(service) == "Boil of none, Pier")
    }

    @Test(arguments: [200, 204, 404, 410])
    func `A deleted object is deleted in the store, and detached from its context`(_ status: Int) async throws {
        let service = try service { _ in .json("", status) }
        let screen = try Screen(service)
        try await screen.save()
        try await screen.send(.delete)
        #expect(await screen.states == ["deleted", "unchanged"])
        #expect(try await stored(service) == "Pier")
    }

    @Test func `A deletion discards the unsaved changes of the object, and the context can be saved`() async throws {
        let service = try service { _ in .json("", 204) }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, project in (task.name, project.name) = ("Mine", "Renamed") }
        try await screen.send(.delete)
        #expect(await screen.states == ["deleted", "updated"])
        try await screen.save()
        #expect(try await stored(service) == "Renamed")
    }

    @Test(arguments: [303, 302]) func `A redirected deletion keeps the object`(_ status: Int) async throws {
        let service = try service { request in
            request.hasPrefix("DELETE /tasks/7")
                ? Answer(status, headers: [Header("Location", "/login")]) : Answer(200, body: "<p>Log in".utf8)
        }
        let screen = try Screen(service)
        try await screen.save()
        let error = await #expect(throws: LoadError.self) { try await screen.send(.delete) }
        #expect(error?.kind == .redirected)
        #expect(try await stored(service) == "Boil of none, Pier")
    }

    @Test(arguments: ["text/html", "text/plain"])
    func `A page of a proxy with status 404 does not delete the object`(_ type: String) async throws {
        let page = Answer(404, headers: [Header("Content-Type", type)], body: "<p>".utf8)
        let service = try service { _ in page }
        let screen = try Screen(service)
        try await screen.save()
        await #expect(throws: MappedRequestError.self) { try await screen.send(.delete) }
        #expect(try await stored(service) == "Boil of none, Pier")
    }

    @Test(arguments: [#"{"error": "locked"}"#, #"{"task": {"id": 7, "name": "Other root"}}"#])
    func `A response without a mapped key is an error, and nothing is saved`(_ reply: String) async throws {
        let service = try service { _ in .json(reply) }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in task.name = "Mine" }
        await #expect(throws: MappedRequestError.self) { try await screen.send(.put) }
        #expect(await screen.shown == "Mine of none, Pier; changed: name")
        #expect(try await stored(service) == "Boil of none, Pier")
    }

    @Test func `An object whose identity was changed and not saved cannot be sent`() async throws {
        let service = try service { _ in .json("") }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in task.taskID = 8 }
        let error = await #expect(throws: LoadError.self) { try await screen.send(.put) }
        #expect(error?.kind == .notSaved)
        #expect(service.server.requests.isEmpty)
    }

    @Test func `An object that was deleted meanwhile stays deleted`() async throws {
        let service = try service { _ in .json(#"{"id": 7, "name": "Back"}"#) }
        let screen = try Screen(service)
        try await screen.save()
        await screen.change { task, _ in task.name = "Mine" }
        try await service.store.perform { context in
            for task in try context.fetch(ProjectTask.all) { context.delete(task) }
            try context.save()
        }
        let error = await #expect(throws: StoreError.self) { try await screen.send(.put) }
        #expect(error?.kind == .missingObject)
        #expect(try await stored(service) == "Pier")
    }

    @Test(arguments: [HTTPMethod.put, .patch, .delete])
    func `An object that was never saved cannot be sent`(_ method: HTTPMethod) async throws {
        let service = try service { _ in .json("") }
        let screen = try Screen(service)
        let error = await #expect(throws: LoadError.self) { try await screen.send(method) }
        #expect(error?.kind == .notSaved)
        #expect(service.server.requests.isEmpty)
    }
}
