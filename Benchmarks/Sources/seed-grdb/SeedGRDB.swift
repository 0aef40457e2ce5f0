import Foundation
import GRDB
import GRDBRecords

/// The peer GRDB: JSONDecoder and Codable records, one transaction. `usage: seed-grdb FOLDER OUTPUT PEERS`
@main enum SeedGRDB {
    static func main() throws {
        let arguments = CommandLine.arguments
        let (folder, peers) = (arguments[1], arguments[3])
        func dump<Value: Decodable>(_ name: String, as _: Value.Type) throws -> [Value] {
            let url = URL(fileURLWithPath: "\(folder)/\(name).json")
            return try JSONDecoder().decode([Value].self, from: Data(contentsOf: url))
        }
        func run(_ name: String, _ db: Database) throws {
            try db.execute(sql: String(contentsOfFile: "\(peers)/\(name).sql", encoding: .utf8))
        }

        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF") }
        try DatabaseQueue(path: arguments[2], configuration: configuration).write { db in
            try run("tables", db)
            var users: [Int64: Int64] = [:]
            for user in try dump("users", as: DumpedUser.self) {
                let row = Int64(users.count + 1)
                try User(user, row: row).insert(db)
                users[user.userID] = row
            }
            var projects: [Int64: Int64] = [:]
            for project in try dump("projects", as: DumpedProject.self) {
                let row = Int64(projects.count + 1)
                try Project(project, row: row, owner: project.ownerID.flatMap { users[$0] }).insert(db)
                projects[project.projectID] = row
            }
            for (index, task) in try dump("tasks", as: DumpedTask.self).enumerated() {
                try Task(
                    task, row: Int64(index + 1), project: projects[task.project.id],
                    assignedUser: task.assignedUserID.flatMap { users[$0] }
                ).insert(db)
            }
            try run("indexes", db)
        }
    }
}
