import ObjectMapping

/// An element of a feed of several kinds, selected by `kind`, each with different attributes.
enum FeedItem: Checksummed {
    case chore(Chore), review(Review), incident(Incident)

    func add(to checksum: inout Checksum) {
        switch self {
        case .chore(let chore): chore.add(to: &checksum)
        case .review(let review): review.add(to: &checksum)
        case .incident(let incident): incident.add(to: &checksum)
        }
    }
}

struct Chore: Decodable, Checksummed {
    var taskID = 0
    var name = ""
    var assignedUserID: Int?
    var tags: [String] = []
    var done = false

    init() {}

    private enum CodingKeys: String, CodingKey {
        case taskID = "task_id"
        case name
        case assignedUserID = "assigned_user_id"
        case tags, done
    }

    func add(to checksum: inout Checksum) {
        checksum.add(taskID)
        checksum.add(name)
        checksum.add(assignedUserID.list) { $0.add($1) }
        checksum.add(tags) { $0.add($1) }
        checksum.add(done)
    }
}

struct Review: Decodable, Checksummed {
    var taskID = 0
    var name = ""
    var project = ProjectReference()
    var createdAt = ""
    var done = false

    init() {}

    private enum CodingKeys: String, CodingKey {
        case taskID = "task_id"
        case name, project
        case createdAt = "created_at"
        case done
    }

    func add(to checksum: inout Checksum) {
        checksum.add(taskID)
        checksum.add(name)
        project.add(to: &checksum)
        checksum.add(createdAt)
        checksum.add(done)
    }
}

struct Incident: Decodable, Checksummed {
    var taskID = 0
    var name = ""
    var createdAt = ""
    var tags: [String] = []
    var cost = 0.0

    init() {}

    private enum CodingKeys: String, CodingKey {
        case taskID = "task_id"
        case name
        case createdAt = "created_at"
        case tags, cost
    }

    func add(to checksum: inout Checksum) {
        checksum.add(taskID)
        checksum.add(name)
        checksum.add(createdAt)
        checksum.add(tags) { $0.add($1) }
        checksum.add(cost)
    }
}

/// An element of the same feed as one type, whose project is an internal one or a client's.
struct FeedTask: Decodable, Checksummed {
    var taskID = 0
    var name = ""
    var project: FeedProject?
    var done = false
    var cost = 0.0

    init() {}

    private enum CodingKeys: String, CodingKey {
        case taskID = "task_id"
        case name, project, done, cost
    }

    func add(to checksum: inout Checksum) {
        checksum.add(taskID)
        checksum.add(name)
        checksum.add(project.list) { $1.add(to: &$0) }
        checksum.add(done)
        checksum.add(cost)
    }
}

enum FeedProject: Checksummed {
    case own(ProjectReference), client(ClientProject)

    func add(to checksum: inout Checksum) {
        switch self {
        case .own(let project): project.add(to: &checksum)
        case .client(let project):
            checksum.add(project.id)
            checksum.add(project.client)
        }
    }
}

struct ClientProject: Decodable {
    var id = 0
    var client = ""

    init() {}
}

// MARK: Mappings

extension FeedItem: Mappable {
    static let mapping = Mapping<FeedItem>(matching: {
        Match("kind", is: "chore", Chore.mapping, FeedItem.chore)
        Match("kind", is: "review", Review.mapping, FeedItem.review)
        Match("kind", is: "incident", Incident.mapping, FeedItem.incident)
    })
}

extension Chore: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Attribute("assigned_user_id", \.assignedUserID)
        Attribute("tags", \.tags)
        Attribute("done", \.done)
    }
}

extension Review: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Relationship("project", \.project)
        Attribute("created_at", \.createdAt)
        Attribute("done", \.done)
    }
}

extension Incident: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Attribute("created_at", \.createdAt)
        Attribute("tags", \.tags)
        Attribute("cost", \.cost)
    }
}

extension FeedTask: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Dynamic("project", \.project) {
            Match("type", is: "own", ProjectReference.mapping, FeedProject.own)
            Match("type", is: "client", ClientProject.mapping, FeedProject.client)
        }
        Attribute("done", \.done)
        Attribute("cost", \.cost)
    }
}

extension ClientProject: Mappable {
    static let mapping = Mapping(Self.init) {
        Attribute("id", \.id)
        Attribute("client", \.client)
    }
}

// MARK: The same with a manual implementation for JSONDecoder

extension FeedItem: Decodable {
    private enum CodingKeys: CodingKey { case kind }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .kind) {
        case "chore": self = .chore(try Chore(from: decoder))
        case "review": self = .review(try Review(from: decoder))
        case "incident": self = .incident(try Incident(from: decoder))
        case let kind:
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container, debugDescription: "unknown kind '\(kind)'")
        }
    }
}

extension FeedProject: Decodable {
    private enum CodingKeys: CodingKey { case type }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "own": self = .own(try ProjectReference(from: decoder))
        case "client": self = .client(try ClientProject(from: decoder))
        case let type:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: container, debugDescription: "unknown type '\(type)'")
        }
    }
}
