import Foundation
import ObjectMapping

struct ProjectReference: Codable {
    var id = 0
    var name = ""

    init() {}
}

extension ProjectReference: Mappable {
    static let mapping = makeMapping()

    static func makeMapping() -> Mapping<Self> {
        Mapping(Self.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
    }
}

/// The keys of a task.
enum TaskKeys: String, CodingKey {
    case taskID = "task_id"
    case name, project
    case assignedUserID = "assigned_user_id"
    case createdAt = "created_at"
    case tags, done, cost
}

/// A task of the generated data.
struct DatedTask: Decodable {
    var taskID = 0
    var name = ""
    var project = ProjectReference()
    var assignedUserID: Int?
    var createdAt = Date(timeIntervalSince1970: 0)
    var tags: [String] = []
    var done = false
    var cost = 0.0

    init() {}

    private typealias CodingKeys = TaskKeys
}

extension DatedTask: Mappable {
    static let mapping = makeMapping()

    static func makeMapping() -> Mapping<Self> {
        Mapping(Self.init) {
            Attribute("task_id", \.taskID)
            Attribute("name", \.name)
            Relationship("project", \.project, ProjectReference.makeMapping())
            Attribute("assigned_user_id", \.assignedUserID)
            Attribute("created_at", \.createdAt)
            Attribute("tags", \.tags)
            Attribute("done", \.done)
            Attribute("cost", \.cost)
        }
    }
}

/// The same with the date as text, so that date parsing is not part of the comparison.
struct TextTask: Codable {
    var taskID = 0
    var name = ""
    var project = ProjectReference()
    var assignedUserID: Int?
    var createdAt = ""
    var tags: [String] = []
    var done = false
    var cost = 0.0

    init() {}

    private typealias CodingKeys = TaskKeys
}

extension TextTask: Mappable {
    static let mapping = makeMapping()

    static func makeMapping() -> Mapping<Self> {
        Mapping(Self.init) {
            Attribute("task_id", \.taskID)
            Attribute("name", \.name)
            Relationship("project", \.project, ProjectReference.makeMapping())
            Attribute("assigned_user_id", \.assignedUserID)
            Attribute("created_at", \.createdAt)
            Attribute("tags", \.tags)
            Attribute("done", \.done)
            Attribute("cost", \.cost)
        }
    }

    /// Creates a task from the result of JSONSerialization.
    init(_ members: [String: Any]) {
        taskID = members["task_id"] as? Int ?? 0
        name = members["name"] as? String ?? ""
        if let project = members["project"] as? [String: Any] {
            self.project.id = project["id"] as? Int ?? 0
            self.project.name = project["name"] as? String ?? ""
        }
        assignedUserID = members["assigned_user_id"] as? Int
        createdAt = members["created_at"] as? String ?? ""
        tags = members["tags"] as? [String] ?? []
        done = members["done"] as? Bool ?? false
        cost = members["cost"] as? Double ?? 0
    }
}

/// A task as an object with nine stored properties.
final class TaskObject {
    var taskID = 0
    var name = ""
    var projectID = 0
    var projectName = ""
    var assignedUserID: Int?
    var createdAt = Date(timeIntervalSince1970: 0)
    var tags: [String] = []
    var done = false
    var cost = 0.0
}

extension TaskObject: Mappable {
    static let mapping = Mapping({ TaskObject() }) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Attribute("project.id", \.projectID)
        Attribute("project.name", \.projectName)
        Attribute("assigned_user_id", \.assignedUserID)
        Attribute("created_at", \.createdAt)
        Attribute("tags", \.tags)
        Attribute("done", \.done)
        Attribute("cost", \.cost)
    }
    /// For a session, which creates one object for each identity.
    static let identifiedMapping = mapping.identified(by: \.taskID)
}

/// The same object, created from a decoded struct.
final class MadeTask {
    let taskID: Int
    let name: String
    let projectID: Int
    let projectName: String
    let assignedUserID: Int?
    let createdAt: Date
    let tags: [String]
    let done: Bool
    let cost: Double

    init(_ task: DatedTask) {
        taskID = task.taskID
        name = task.name
        projectID = task.project.id
        projectName = task.project.name
        assignedUserID = task.assignedUserID
        createdAt = task.createdAt
        tags = task.tags
        done = task.done
        cost = task.cost
    }
}

extension MadeTask: Mappable {
    static let mapping = Mapping(MadeTask.init, from: DatedTask.mapping)
}

// MARK: Checksums

extension ProjectReference: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.add(id)
        checksum.add(name)
    }
}

extension DatedTask: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.addTask(taskID, name, project.id, project.name, assignedUserID, createdAt, tags, done, cost)
    }
}

extension TaskObject: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.addTask(taskID, name, projectID, projectName, assignedUserID, createdAt, tags, done, cost)
    }
}

extension MadeTask: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.addTask(taskID, name, projectID, projectName, assignedUserID, createdAt, tags, done, cost)
    }
}

extension TextTask: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.addTask(taskID, name, project.id, project.name, assignedUserID, createdAt, tags, done, cost)
    }
}

extension Checksum {
    fileprivate mutating func addTask(
        _ id: Int, _ name: String, _ projectID: Int, _ projectName: String, _ assignee: Int?, _ created: some Any,
        _ tags: [String], _ done: Bool, _ cost: Double
    ) {
        add(id)
        add(name)
        add(projectID)
        add(projectName)
        add(assignee.list) { $0.add($1) }
        if let date = created as? Date { add(Int(date.timeIntervalSince1970)) }
        if let text = created as? String { add(text) }
        add(tags) { $0.add($1) }
        add(done)
        add(cost)
    }
}
