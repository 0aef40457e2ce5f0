import Foundation
import ObjectMapping
import ObjectStore

final class User: ManagedObject, Mappable {
    @Stored(.identity) var userID = 0
    @Stored var name = ""
    @Stored var email = ""

    static let mapping = Mapping(User.self) {
        Attribute("user_id", \.userID)
        Attribute("name", \.name)
        Attribute("email", \.email)
    }
}

final class Project: ManagedObject, Mappable {
    @Stored(.identity) var projectID = 0
    @Stored var name = ""
    @Stored var ownerID: Int? = nil
    @ToOne var owner: User?

    static let mapping = Mapping(Project.self) {
        Attribute("project_id", \.projectID)
        Attribute("name", \.name)
        Attribute("owner_id", \.ownerID)
        Connection(\.owner, by: \.ownerID)
    }
}

final class ProjectTask: ManagedObject, Mappable {
    override class var entityName: String { "Task" }

    @Stored(.identity) var taskID = 0
    @Stored var name = ""
    @Stored var projectID = 0
    @Stored var assignedUserID: Int? = nil
    @Stored var createdAt = Date(timeIntervalSince1970: 0)
    @Stored var tags: [String] = []
    @Stored var done = false
    @Stored var cost = 0.0
    @ToOne var project: Project?
    @ToOne var assignedUser: User?

    static let mapping = Mapping(ProjectTask.self) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Attribute("project.id", \.projectID)
        Attribute("assigned_user_id", \.assignedUserID)
        Attribute("created_at", \.createdAt)
        Attribute("tags", \.tags)
        Attribute("done", \.done)
        Attribute("cost", \.cost)
        Connection(\.project, by: \.projectID)
        Connection(\.assignedUser, by: \.assignedUserID)
    }
}

extension ManagedObjectStore {
    /// Opens the store at a path, or creates an empty one.
    static func tasks(at url: URL) throws -> ManagedObjectStore {
        try ManagedObjectStore(at: url, model: .tasks())
    }
}

extension ObjectModel {
    static func tasks() throws -> ObjectModel { try ObjectModel(User.self, Project.self, ProjectTask.self) }
}
