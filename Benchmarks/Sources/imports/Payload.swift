import Foundation

/// A text with an array of elements.
struct Payload {
    enum Kind { case users, projects, tasks }

    let kind: Kind
    let data: Data
    /// Its values, for the peer that does not read JSON.
    let rows: PreparedRows

    init(_ kind: Kind, _ data: Data) throws {
        self.kind = kind
        self.data = data
        rows = try PreparedRows(data, kind.table)
    }

    init(_ kind: Kind, _ file: URL) throws { try self.init(kind, Data(contentsOf: file)) }
}

extension Payload.Kind {
    var table: Table {
        switch self {
        case .users: .user
        case .projects: .project
        case .tasks: .task
        }
    }
}

extension URL {
    /// The users and projects in a folder of `generate imports`.
    func owners() throws -> [Payload] {
        [
            try Payload(.users, appending(path: "users.json")),
            try Payload(.projects, appending(path: "projects.json")),
        ]
    }

    /// The numbered files of 1,000 tasks.
    var batches: [URL] {
        var files: [URL] = []
        while true {
            let file = appending(path: "\(files.count).json")
            guard FileManager.default.fileExists(atPath: file.path) else { return files }
            files.append(file)
        }
    }
}
