import GRDB

package struct User: Codable, PersistableRecord {
    package static let databaseTableName = "User"
    /// `nil` for a row number that SQLite assigns.
    let _id: Int64?
    let userID: Int64
    let name: String
    let email: String

    package init(_ dumped: DumpedUser, row: Int64? = nil) {
        _id = row
        userID = dumped.userID
        name = dumped.name
        email = dumped.email
    }
}

package struct Project: Codable, PersistableRecord {
    package static let databaseTableName = "Project"
    let _id: Int64?
    let projectID: Int64
    let name: String
    let ownerID: Int64?
    let owner: Int64?

    package init(_ dumped: DumpedProject, row: Int64? = nil, owner: Int64?) {
        _id = row
        projectID = dumped.projectID
        name = dumped.name
        ownerID = dumped.ownerID
        self.owner = owner
    }
}

package struct Task: Codable, PersistableRecord {
    package static let databaseTableName = "Task"
    let _id: Int64?
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

    package init(_ dumped: DumpedTask, row: Int64? = nil, project: Int64?, assignedUser: Int64?) {
        _id = row
        taskID = dumped.taskID
        name = dumped.name
        projectID = dumped.project.id
        assignedUserID = dumped.assignedUserID
        createdAt = dumped.createdAt.dropLast() + ".000Z"
        tags = dumped.tags
        done = dumped.done
        cost = dumped.cost
        self.project = project
        self.assignedUser = assignedUser
    }
}
