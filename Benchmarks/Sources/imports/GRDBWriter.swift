#if GRDB
    import Foundation
    import GRDB
    import GRDBRecords

    /// JSONDecoder, and an upsert of each record.
    final class GRDBWriter: BatchWriter {
        private let queue: DatabaseQueue
        private var users: [Int64: Int64]
        private var projects: [Int64: Int64]

        init(_ file: URL) throws {
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -8192") }
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            users = try queue.read { try rows("SELECT userID, _id FROM User", $0) }
            projects = try queue.read { try rows("SELECT projectID, _id FROM Project", $0) }
        }

        func write(_ data: Data, _ kind: Payload.Kind) throws {
            let decoder = JSONDecoder()
            try queue.write { db in
                switch kind {
                case .users:
                    for user in try decoder.decode([DumpedUser].self, from: data) {
                        try GRDBRecords.User(user).upsert(db)
                    }
                    users = try rows("SELECT userID, _id FROM User", db)
                case .projects:
                    for project in try decoder.decode([DumpedProject].self, from: data) {
                        let owner = project.ownerID.flatMap { users[$0] }
                        try GRDBRecords.Project(project, owner: owner).upsert(db)
                    }
                    projects = try rows("SELECT projectID, _id FROM Project", db)
                case .tasks:
                    for task in try decoder.decode([DumpedTask].self, from: data) {
                        try GRDBRecords.Task(
                            task, project: projects[task.project.id],
                            assignedUser: task.assignedUserID.flatMap { users[$0] }
                        ).upsert(db)
                    }
                }
            }
        }
    }

    /// Returns the rows of keys.
    private func rows(_ sql: String, _ db: Database) throws -> [Int64: Int64] {
        let pairs = try Row.fetchAll(db, sql: sql).map { (key: $0[0] as Int64, row: $0[1] as Int64) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.row) })
    }
#endif
