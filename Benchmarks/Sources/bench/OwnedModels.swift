import ObjectMapping

/// A task whose project refers to its task.
struct OwnerTask {
    var taskID = 0
    var name = ""
    var project = OwnedProject()
    var createdAt = ""
    var tags: [String] = []
    var done = false
    var cost = 0.0
}

struct OwnedProject {
    var id = 0
    var name = ""
    var taskID = 0
}

extension OwnerTask: Mappable {
    static let mapping = Mapping({ OwnerTask() }) {
        Attribute("task_id", \.taskID)
        Attribute("name", \.name)
        Relationship("project", \.project)
        Attribute("created_at", \.createdAt)
        Attribute("tags", \.tags)
        Attribute("done", \.done)
        Attribute("cost", \.cost)
    }
}

extension OwnedProject: Mappable {
    static let mapping = Mapping({ OwnedProject() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute(.parent("task_id"), \.taskID)
    }
}

/// A manual implementation for JSONDecoder: the task passes its value on.
extension OwnerTask: Decodable {
    private enum ProjectKeys: CodingKey { case id, name }

    init(from decoder: any Decoder) throws {
        let task = try decoder.container(keyedBy: TaskKeys.self)
        taskID = try task.decode(Int.self, forKey: .taskID)
        name = try task.decode(String.self, forKey: .name)
        let project = try task.nestedContainer(keyedBy: ProjectKeys.self, forKey: .project)
        self.project.id = try project.decode(Int.self, forKey: .id)
        self.project.name = try project.decode(String.self, forKey: .name)
        self.project.taskID = taskID
        createdAt = try task.decode(String.self, forKey: .createdAt)
        tags = try task.decode([String].self, forKey: .tags)
        done = try task.decode(Bool.self, forKey: .done)
        cost = try task.decode(Double.self, forKey: .cost)
    }
}

extension OwnerTask: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.add(taskID)
        checksum.add(name)
        checksum.add(project.id)
        checksum.add(project.name)
        checksum.add(project.taskID)
        checksum.add(createdAt)
        checksum.add(tags) { $0.add($1) }
        checksum.add(done)
        checksum.add(cost)
    }
}
