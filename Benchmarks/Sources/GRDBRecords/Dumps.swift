/// The value that JSONDecoder decodes from users.json.
package struct DumpedUser: Decodable {
    package let userID: Int64
    let name: String
    let email: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case name, email
    }
}

/// The value that JSONDecoder decodes from projects.json.
package struct DumpedProject: Decodable {
    package let projectID: Int64
    let name: String
    package let ownerID: Int64?

    enum CodingKeys: String, CodingKey {
        case projectID = "project_id"
        case name
        case ownerID = "owner_id"
    }
}

/// The value that JSONDecoder decodes from tasks.json.
package struct DumpedTask: Decodable {
    package struct Project: Decodable {
        package let id: Int64
    }

    let taskID: Int64
    let name: String
    package let project: Project
    package let assignedUserID: Int64?
    let createdAt: String
    let tags: [String]
    let done: Bool
    let cost: Double

    enum CodingKeys: String, CodingKey {
        case taskID = "task_id"
        case name, project
        case assignedUserID = "assigned_user_id"
        case createdAt = "created_at"
        case tags, done, cost
    }
}
