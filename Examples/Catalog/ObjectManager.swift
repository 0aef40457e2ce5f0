import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading

let objectManager = Example(
    "object-manager", group: "Loading",
    "A project tracker in a store: pages, one object, edits that are sent, a search, and what went wrong"
) { story in
    let server = try LoopbackServer { request in
        switch request.target {
        case "/v1/projects?page=1":
            return Answer(body: #"{"projects": [{"id": 4, "name": "Boathouse"}, {"id": 5, "name": "Pier"}]}"#.utf8)
        case "/v1/projects/4": return Answer(body: #"{"id": 4, "name": "Boathouse and slip"}"#.utf8)
        case "/v1/tasks":
            let task = String(decoding: try request.body(), as: UTF8.self)
            return Answer(201, body: #"{"id": 9, \#(task.dropFirst())"#.utf8)  // the sent members, and an identity
        case "/v1/tasks/7" where request.method == "DELETE": return Answer(204)
        case "/v1/tasks/7": return Answer(body: try request.body())
        case "/v1/projects/4/tasks":
            return Answer(body: #"[{"id": 7, "name": "Paint the boat", "project_id": 4}]"#.utf8)
        case "/v1/search/lamps%2Foil":
            return Answer(body: #"{"tasks": [{"id": 8, "name": "Order the lamps", "project_id": 5}]}"#.utf8)
        case "/v1/search/rope": return Answer(body: #"{"tasks": [{"id": "nine", "name": "Rope"}]}"#.utf8)
        default: return Answer(404, body: #"{"errors": [{"title": "No such project"}]}"#.utf8)
        }
    }
    let store = try ManagedObjectStore(inMemory: ObjectModel(YardProject.self, YardTask.self))
    let manager = makeManager(RESTClient(baseURL: server.url.appending(path: "v1")), store)
    /// A text without the port of the server, which differs from run to run.
    func shown(_ text: String) -> String { text.replacing(":\(server.port)", with: "") }

    story.say("Two managed classes, and what the service does, described once:")
    story.showCode("model")
    story.showCode("manager")

    story.say("A page of projects is mapped and saved in one transaction. The actor of a screen reads the objects:")
    story.showCode("screen")
    let screen = ProjectScreen(manager, store)
    story.show(try await screen.loadProjects().joined(separator: "\n"))

    story.say("The first one again, and its tasks, by routes:")
    story.show(try await screen.openFirst())

    story.say(
        "An edit is sent as the change only, and saved with the response. Then the task is deleted, there and here:")
    story.showCode("send")
    story.show(try await screen.editTask())
    story.show(
        "the server received \(server.requests.suffix(2).map { "\($0.method) \($0.target)" }.joined(separator: ", "))")

    story.say("A new task is sent without saving its context, and receives its identity from the response:")
    story.showCode("create")
    story.show(try await screen.addTask())

    story.say("A search by a named route; the slash in the term is encoded:")
    story.showCode("search")
    story.show(try await search("lamps/oil", by: manager))

    story.say("A rejected response leaves the store unchanged, and names the value:")
    do { _ = try await search("rope", by: manager) } catch { story.show(shown("\(error)")) }

    story.say("An error of the service has typed models:")
    story.showCode("error")
    story.show(await titles(ofErrorsAt: "/projects/6", by: manager))

    story.say("If no descriptor applies, the error says why for each one:")
    do { _ = try await manager.load("/projects/4/tasks", method: .post) } catch { story.show(shown("\(error)")) }
}

// snippet.model
final class YardProject: ManagedObject, Mappable {
    @Stored(.identity) var projectID = 0
    @Stored var name = ""
    @ToMany(inverse: \YardTask.project) var tasks: [YardTask]

    static let mapping = Mapping(YardProject.self) {
        Attribute("id", \.projectID); Attribute("name", \.name)
    }
}

final class YardTask: ManagedObject, Mappable {
    @Stored(.identity) var taskID = 0
    @Stored var name = ""
    @Stored var projectID: Int? = nil
    @ToOne var project: YardProject?

    static let mapping = Mapping(YardTask.self) {
        Attribute("id", \.taskID).readOnly
        Attribute("name", \.name)
        Attribute("project_id", \.projectID)
        Connection(\.project, by: \.projectID)
    }
}
// snippet.end

// snippet.manager
private struct Problem: Mappable {
    var title = ""
    static let mapping = Mapping(Problem.init) { Attribute("title", \.title) }
}

private func makeManager(_ client: RESTClient, _ store: ManagedObjectStore) -> ObjectManager {
    let manager = ObjectManager(client: client, store: store)
    manager.router.add(YardProject.self, "/projects/\(\.projectID)")
    manager.router.add(YardTask.self, "/tasks/\(\.taskID)")
    manager.router.add(YardTask.self, .post, "/tasks")
    manager.router.add(YardProject.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
    manager.router.add(named: "search", "/search/:term")

    manager.responses.add(YardProject.mapping, at: "projects", path: "/projects")
    manager.responses.add(YardProject.mapping, path: "/projects/:id", methods: [.get])
    manager.responses.add(YardTask.mapping, path: "/projects/:id/tasks", methods: [.get])
    manager.responses.add(YardTask.mapping, path: "/tasks", methods: [.post])
    manager.responses.add(YardTask.mapping, path: "/tasks/:id")
    manager.responses.add(YardTask.mapping, at: "tasks", path: "/search/:term")
    manager.responses.add(error: Problem.mapping, at: "errors", statuses: 400..<500)
    manager.bodies.add(YardTask.mapping)
    return manager
}
// snippet.end

// snippet.screen
private actor ProjectScreen {
    private let manager: ObjectManager
    private let context: ObjectContext
    private var projects: [YardProject] = []

    init(_ manager: ObjectManager, _ store: ManagedObjectStore) {
        self.manager = manager
        context = ObjectContext(store)
    }

    func loadProjects() async throws -> [String] {
        let result = try await manager.load("/projects", query: ["page": 1])
        projects = try result.objects(of: YardProject.self, in: context)
        return projects.map(\.name)
    }

    func openFirst() async throws -> String {
        let project = projects[0]
        try await manager.get(project)  // GET /projects/4
        let result = try await manager.load(project, \.tasks)  // GET /projects/4/tasks
        let tasks = try result.objects(of: YardTask.self, in: context)
        return "\(project.name): \(tasks.map(\.name).joined(separator: ", "))"
    }
}
// snippet.end

// snippet.send
extension ProjectScreen {
    func editTask() async throws -> String {
        let task = projects[0].tasks[0]
        task.name = "Paint the boat blue"
        try await manager.patch(task)  // PATCH /tasks/7 {"name":"Paint the boat blue"}
        let edited = "\(task.name) (\(task.managed.state))"
        try await manager.delete(task)  // DELETE /tasks/7
        return "\(edited), \(task.managed.state); tasks: \(projects[0].tasks.count)"
    }
}
// snippet.end

// snippet.create
extension ProjectScreen {
    func addTask() async throws -> String {
        let task = YardTask(in: context)
        (task.name, task.projectID) = ("Oil the winch", 4)
        try await manager.post(task)  // POST /tasks {"name":"Oil the winch","project_id":4}
        return "\(task.taskID) \(task.name) (\(task.managed.state)), of \(task.project?.name ?? "no project")"
    }
}
// snippet.end

// snippet.search
private func search(_ term: String, by manager: ObjectManager) async throws -> String {
    let found = try await manager.load(named: "search", ["term": term])
    return "\(found.objectIDs)"
}
// snippet.end

// snippet.error
private func titles(ofErrorsAt path: String, by manager: ObjectManager) async -> String {
    do {
        return "\(try await manager.load(path).objectIDs)"
    } catch let error as MappedRequestError {
        return error.models(of: Problem.self).map(\.title).joined(separator: ", ")
    } catch { return "\(error)" }
}
// snippet.end
