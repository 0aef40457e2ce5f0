import GRDB

struct User: Codable, PersistableRecord {
    static let databaseTableName = "User"
    let _id: Int64
    let userID: Int64
    let name: String
    let email: String
}

struct Project: Codable, PersistableRecord {
    static let databaseTableName = "Project"
    let _id: Int64
    let projectID: Int64
    let name: String
    let ownerID: Int64?
    let owner: Int64?
}

struct Task: Codable, PersistableRecord {
    static let databaseTableName = "Task"
    let _id: Int64
    let taskID: Int64
    let name: String
    let projectID: Int64
    let assignedUserID: Int64?
    let createdAt: String
    /// GRDB stores it as JSON.
    let tags: [String]
    let done: Bool
    let cost: Double
    let project: Int64?
    let assignedUser: Int64?
}
