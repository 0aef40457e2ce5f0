import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

/// Holds objects in its own isolation.
actor Desk {
    let context: ObjectContext
    let manager: ObjectManager
    /// Retains the server.
    private let service: Service
    var task: ProjectTask
    var project: Project
    var note: Note

    /// Creates a saved project, and a new task and note.
    init(_ service: Service, number: Int = 4) throws {
        (self.service, manager) = (service, service.manager)
        context = ObjectContext(service.store)
        project = context.insert(Project.self)
        (project.projectID, project.name) = (number, "Pier")
        try context.save()
        task = ProjectTask()
        note = Note()
        context.insert(task)
        task.name = "Boil"
    }

    func run<Value: Sendable>(_ body: @Sendable (isolated Desk) async throws -> Value) async rethrows -> Value {
        try await body(self)
    }

    /// Saves the task as one that the server has.
    func saveTaskOfServer(_ id: Int) async throws {
        task.taskID = id
        context.marksUnsentEdits = false
        try await context.save()
        context.marksUnsentEdits = true
    }

    func save() throws { try context.save() }
    @discardableResult func post() async throws -> LoadResult { try await manager.post(task) }
    @discardableResult func put() async throws -> LoadResult { try await manager.put(task) }
    @discardableResult func patch() async throws -> LoadResult { try await manager.patch(task) }
    @discardableResult func get() async throws -> LoadResult { try await manager.get(task) }
    func postProject() async throws -> LoadResult { try await manager.post(project) }
    func load(_ path: String) async throws {
        _ = try await manager.load(path)
        try await context.merge()
    }

    /// The state of the task: what a user of the actor sees.
    var shown: String {
        "\(task.taskID) \(task.name) of \(task.project?.name ?? "none"): \(task.managed.state), "
            + (context.hasChanges ? "changes" : "no changes")
    }
}

extension Service {
    /// A service that answers each request by a closure, with routes and descriptors for tasks and notes.
    static func answering(_ answer: @escaping @Sendable (String) -> Answer) throws -> Service {
        let server = try LoopbackServer { request in
            answer("\(request.method) \(request.target) \(String(decoding: try request.body(), as: UTF8.self))")
        }
        let service = try Service(server)
        service.describeTasks()
        return service
    }

    /// Adds routes and descriptors for tasks and notes.
    func describeTasks() {
        manager.router.add(ProjectTask.self, "/tasks/\(\.taskID)")
        manager.router.add(ProjectTask.self, .post, "/tasks")
        manager.router.add(Note.self, .post, "/notes")
        manager.router.add(NotedProject.self, "/noted/\(\.projectID)")
        manager.bodies.add(ProjectTask.mapping)
        manager.bodies.add(Note.mapping)
        manager.responses.add(ProjectTask.mapping, path: "/tasks")
        manager.responses.add(ProjectTask.mapping, path: "/tasks/:id")
        manager.responses.add(Note.mapping, path: "/notes")
    }

    /// The tasks in the store, in the order of their rows.
    func tasks() async throws -> String {
        try await store.perform { context in
            try context.fetch(ProjectTask.all).map { "\($0.taskID) \($0.name) of \($0.project?.name ?? "none")" }
                .joined(separator: ", ")
        }
    }
}

/// Holds responses back until it is opened.
struct Gate: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Called by the server.
    func wait() {
        arrived.signal()
        opened.wait()
    }

    /// Returns when a request has arrived.
    func arrival() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                arrived.wait()
                continuation.resume()
            }
        }
    }

    func open() { opened.signal() }
}
