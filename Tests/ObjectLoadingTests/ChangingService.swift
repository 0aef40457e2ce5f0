import LoopbackServer
import ObjectLoading
import Synchronization

/// A service whose responses a test replaces, by target.
final class ChangingService: Sendable {
    let service: Service
    private let box: Box

    private final class Box: Sendable {
        let answers = Mutex<[String: Answer]>([:])
        let targets = Mutex<[String]>([])
    }

    var manager: ObjectManager { service.manager }
    var store: ManagedObjectStore { service.store }

    /// The requests so far.
    var requests: [String] { box.targets.withLock { $0 } }

    /// Creates a service with queries and descriptors for projects and their tasks.
    init(_ answers: [String: String] = [:]) throws {
        let box = Box()
        let server = try LoopbackServer { request in
            box.targets.withLock { $0.append("\(request.method) \(request.target)") }
            let answer = box.answers.withLock { $0[request.target] } ?? Answer(404)
            let condition = request.headers.first { $0.name.lowercased() == "if-none-match" }?.value
            let tag = answer.headers.first { $0.name == "ETag" }
            guard let tag, tag.value == condition else { return answer }
            return Answer(304, headers: [tag])
        }
        service = try Service(server)
        self.box = box
        for (target, body) in answers { set(target, .json(body)) }
        manager.responses.add(Project.mapping, at: "projects", path: "/projects")
        manager.responses.add(ProjectTask.mapping, path: "/projects/:id/tasks")
        manager.router.add(ProjectTask.self, "/tasks/\(\.taskID)")
        manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        manager.bodies.add(ProjectTask.mapping)
        manager.offline.add("/projects") { _ in [Project.all.sorted(by: \.name)] }
        manager.offline.add("/projects/:projectID/tasks") { parameters in
            [ProjectTask.where { $0.project.projectID == parameters["projectID"] }.sorted(by: \.taskID)]
        }
    }

    func set(_ target: String, _ answer: Answer) { box.answers.withLock { $0[target] = answer } }

    /// Sets the projects with ids, which are called P1, P2 and so on.
    func setProjects(_ ids: some Sequence<Int>, _ headers: [Header] = [], _ target: String = "/projects") {
        let texts = ids.map { #"{"id": \#($0), "name": "P\#($0)"}"# }
        set(target, .json(#"{"projects": [\#(texts.joined(separator: ", "))]}"#, 200, headers))
    }

    /// Sets the tasks of project 1.
    func setTasks(_ ids: some Sequence<Int>) {
        let texts = ids.map { #"{"id": \#($0), "name": "T\#($0)", "project_id": 1}"# }
        set("/projects/1/tasks", .json("[\(texts.joined(separator: ", "))]"))
    }

    /// The identities of all projects in the store.
    func projects() async throws -> [Int] {
        try await store.perform { try $0.fetch(Project.all.sorted(by: \.projectID)).map(\.projectID) }
    }

    /// The identities of all tasks in the store, each with that of its project.
    func tasks() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(ProjectTask.all.sorted(by: \.taskID)).map { task in
                "\(task.taskID) of \(task.project?.projectID ?? 0)"
            }
        }
    }

    func change(_ change: @escaping @Sendable (ObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try change(context)
            try context.save()
        }
    }
}

extension LoadResult {
    /// The names of its projects.
    func projectNames(_ store: ManagedObjectStore) async throws -> [String] {
        try await store.perform { try self.objects(of: Project.self, in: $0).map(\.name) }
    }
}
