import Testing
import LoopbackServer
import ObjectLoading
import Synchronization

final class Project: ManagedObject, Mappable {
    @Stored(.identity) var projectID = 0
    @Stored var name = ""
    @ToMany(inverse: \ProjectTask.project) var tasks: [ProjectTask]

    static let mapping = Mapping(Project.self) {
        Attribute("id", \.projectID)
        Attribute("name", \.name)
        Relationship("tasks", \.tasks, ProjectTask.mapping)
    }
}

final class ProjectTask: ManagedObject, Mappable {
    @Stored(.identity) var taskID = 0
    @Stored var name = ""
    @Stored var projectID: Int? = nil
    @Stored var revision: String? = nil
    @ToOne var project: Project?

    static let mapping = Mapping(ProjectTask.self) {
        Attribute("id", \.taskID)
        Attribute("name", \.name)
        Attribute("project_id", \.projectID)
        Attribute(.metadata("HTTP.response.headers.X-Rev"), \.revision)
        Connection(\.project, by: \.projectID)
    }
}

/// A project cannot be deleted while it has notes, and a note requires a project.
final class Note: ManagedObject, Mappable {
    @Stored(.identity) var noteID = 0
    @Stored var text = ""
    @Stored var draft: String? = nil
    @ToOne(isRequired: true) var project: NotedProject?
    @ToMany(inverse: \Tag.notes, isOrdered: true) var tags: [Tag]

    static let mapping = Mapping(Note.self) {
        Attribute("id", \.noteID)
        Attribute("text", \.text)
    }
}

final class NotedProject: ManagedObject, Mappable {
    @Stored(.identity) var projectID = 0
    @Stored var name = ""
    @ToMany(inverse: \Note.project, isOrdered: true, deleteRule: .deny) var notes: [Note]

    static let mapping = Mapping(NotedProject.self) {
        Attribute("id", \.projectID)
        Attribute("name", \.name)
    }
}

final class Tag: ManagedObject, Mappable {
    @Stored(.identity) var tagID = 0
    @Stored var name = ""
    @ToMany var notes: [Note]

    static let mapping = Mapping(Tag.self) {
        Attribute("id", \.tagID)
        Attribute("name", \.name)
    }
}

struct Account: Mappable, Equatable {
    var id = 0
    var name: String?
    static let mapping = Mapping(Account.init) {
        Attribute("id", \.id); Attribute("name", \.name)
    }
}

struct Problem: Mappable, CustomStringConvertible {
    var title = ""
    var description: String { title }
    static let mapping = Mapping(Problem.init) { Attribute("title", \.title) }
}

/// A server that responds by "METHOD path", and a manager of it.
struct Service {
    let server: LoopbackServer
    let manager: ObjectManager
    let store: ManagedObjectStore

    init(_ answers: [String: Answer], base: String = "") throws {
        let server = try LoopbackServer { request in
            answers["\(request.method) \(request.target)"] ?? Answer(404, body: "no such path".utf8)
        }
        try self.init(server, base: base)
    }

    init(_ server: LoopbackServer, base: String = "") throws {
        self.server = server
        store = try ManagedObjectStore(
            inMemory: ObjectModel(Project.self, ProjectTask.self, Note.self, NotedProject.self, Tag.self))
        let url = try #require(URL(string: server.url.absoluteString + base))
        manager = ObjectManager(client: RESTClient(baseURL: url), store: store)
    }

    /// The names of all projects in the store.
    func projectNames() async throws -> [String] {
        try await store.perform { try $0.fetch(Project.all.sorted(by: \.projectID)).map(\.name) }
    }
}

extension Answer {
    static func json(_ text: String, _ status: Int = 200, _ headers: [Header] = []) -> Answer {
        Answer(status, headers: [Header("Content-Type", "application/json")] + headers, body: text.utf8)
    }
}

/// The requests that a service has received, in order.
final class Journal: Sendable {
    private let requests = Mutex<[String]>([])
    func add(_ request: String) { requests.withLock { $0.append(request) } }
    var all: [String] { requests.withLock { $0 } }
}
