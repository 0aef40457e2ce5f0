import Foundation

/// 50 users, 200 projects, and tasks of about 220 bytes: names mostly ASCII, one in 20 with other letters, one in 50
/// with escapes; a fifth of the tasks have no assignee.
struct Tasks {
    var random: Random

    private static let words = """
        review invoice deploy staging garden market update schema report travel budget client meeting draft release \
        backup monitor archive refactor onboarding printer survey
        """.split(separator: " ").map(String.init)
    private static let tags = [
        "home", "work", "urgent", "later", "finance", "ops", "review", "waiting-for-customer", "long-term", "blocked",
    ]

    mutating func write(_ count: Int, to folder: URL) throws {
        let projects = try writeOwners(to: folder)
        var file = try ArrayFile(folder.appending(path: "tasks.json"))
        for index in 0..<count { try file.append(task(index, projects)) }
        try file.close()

        try manifest(["users", "projects", "tasks"], folder.appending(path: "seed.json"))
        try manifest(["tasks", "projects", "users"], folder.appending(path: "tasks-first.json"))
    }

    /// The same tasks in order, shuffled, and in numbered files of 1,000 tasks.
    mutating func writeImports(_ count: Int, to folder: URL) throws {
        let projects = try writeOwners(to: folder)
        let tasks = (0..<count).map { task($0, projects) }
        var shuffled = tasks
        for index in shuffled.indices.dropFirst() { shuffled.swapAt(index, random.number(0...index)) }
        for (name, tasks) in [("tasks", tasks), ("shuffled", shuffled)] {
            try ArrayFile.write(tasks, to: folder.appending(path: "\(name).json"))
        }
        for (number, start) in stride(from: 0, to: count, by: 1000).enumerated() {
            try ArrayFile.write(tasks[start..<min(start + 1000, count)], to: folder.appending(path: "\(number).json"))
        }
    }

    /// Writes users and projects, and returns the names of the projects.
    private mutating func writeOwners(to folder: URL) throws -> [String] {
        let projects = projectNames()
        var file = try ArrayFile(folder.appending(path: "users.json"))
        for id in 1...50 {
            let name = "\(words(1).capitalized) \(words(1).capitalized)"
            try file.append(#"{"user_id":\#(id),"name":"\#(name)","email":"user\#(id)@example.org"}"#)
        }
        try file.close()

        file = try ArrayFile(folder.appending(path: "projects.json"))
        for (index, name) in projects.enumerated() {
            try file.append(#"{"project_id":\#(index + 1),"name":"\#(name)","owner_id":\#(random.number(1...50))}"#)
        }
        try file.close()
        return projects
    }

    /// Tasks of several kinds; the kind is the first member of a task and of its project.
    mutating func writeFeed(_ count: Int, to folder: URL) throws {
        let projects = projectNames()
        var file = try ArrayFile(folder.appending(path: "feed.json"))
        for index in 0..<count {
            let kind = random.one(of: ["chore", "review", "incident"])
            let isOwn = random.number(0...1) == 0
            let project = isOwn ? #"{"type":"own","# : #"{"type":"client","client":"\#(words(1))","#
            let task = task(index, projects).replacing(#""project":{"#, with: #""project":"# + project)
            try file.append(#"{"kind":"\#(kind)","# + task.dropFirst())
        }
        try file.close()
    }

    private mutating func projectNames() -> [String] { (1...200).map { _ in words(3) } }

    private mutating func task(_ index: Int, _ projects: [String]) -> String {
        var name = words(random.number(2...6))
        if index % 20 == 7 { name += " für Größe 東京" }
        if index % 50 == 9 { name += #" \"quoted\"\nline"# }
        let project = random.number(1...200)
        let assignee = random.number(1...5) == 1 ? "null" : "\(random.number(1...50))"
        let day = "\(random.number(2015...2026))-\(two(1...12))-\(two(1...28))"
        let time = "\(two(0...23)):\(two(0...59)):\(two(0...59))"
        let tags = random.sample(random.number(0...3), of: Self.tags).map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"task_id":\#(index + 1),"name":"\#(name)","#
            + #""project":{"id":\#(project),"name":"\#(projects[project - 1])"},"assigned_user_id":\#(assignee),"#
            + #""created_at":"\#(day)T\#(time)Z","tags":[\#(tags)],"#
            + #""done":\#(random.number(0...1) == 1),"cost":\#(money(random.number(0...99_999)))}"#
    }

    private mutating func words(_ count: Int) -> String {
        (0..<count).map { _ in random.one(of: Self.words) }.joined(separator: " ")
    }

    private mutating func two(_ range: ClosedRange<Int>) -> String {
        let number = random.number(range)
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private func money(_ cents: Int) -> String {
        let rest = cents % 100
        return rest % 10 == 0 ? "\(cents / 100).\(rest / 10)" : "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The manifest with its sources in an order.
    private func manifest(_ sources: [String], _ url: URL) throws {
        let entities = ["users": "User", "projects": "Project", "tasks": "Task"]
        let lines = sources.map { #"{ "file": "\#($0).json", "entity": "\#(entities[$0, default: ""])" }"# }
        let text = """
            {
              "model": {
                "User": {
                  "identifiedBy": "userID",
                  "attributes": {
                    "userID": { "from": "user_id", "type": "integer" }, "name": { "type": "string" },
                    "email": { "type": "string" }
                  }
                },
                "Project": {
                  "identifiedBy": "projectID",
                  "attributes": {
                    "projectID": { "from": "project_id", "type": "integer" }, "name": { "type": "string" },
                    "ownerID": { "from": "owner_id", "type": "integer" }
                  },
                  "relationships": { "owner": { "to": "User", "by": "ownerID" } }
                },
                "Task": {
                  "identifiedBy": "taskID",
                  "attributes": {
                    "taskID": { "from": "task_id", "type": "integer" }, "name": { "type": "string" },
                    "projectID": { "from": "project.id", "type": "integer" },
                    "assignedUserID": { "from": "assigned_user_id", "type": "integer" },
                    "createdAt": { "from": "created_at", "type": "date" }, "tags": { "type": "[string]" },
                    "done": { "type": "boolean" }, "cost": { "type": "double" }
                  },
                  "relationships": {
                    "project": { "to": "Project", "by": "projectID" },
                    "assignedUser": { "to": "User", "by": "assignedUserID" }
                  }
                }
              },
              "sources": [
                \(lines.joined(separator: ",\n    "))
              ]
            }

            """
        try Data(text.utf8).write(to: url)
    }
}
