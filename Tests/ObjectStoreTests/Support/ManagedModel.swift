import ObjectMapping
import ObjectStore

/// The classes of the documentation, for tests of queries.
final class User: ManagedObject {
    @Stored(.identity) var userID = 0
    @Stored var name = ""
    @ToMany(inverse: \ProjectTask.assignedUser) var tasks: [ProjectTask]
    @ToMany(inverse: \Project.members) var projects: [Project]
}

final class Project: ManagedObject {
    @Stored(.identity) var projectID = 0
    @Stored var name = ""
    @ToOne var owner: User?
    @ToMany(inverse: \ProjectTask.project) var tasks: [ProjectTask]
    @ToMany(inverse: \Milestone.project, isOrdered: true, deleteRule: .cascade) var milestones: [Milestone]
    @ToMany var members: [User]
}

final class ProjectTask: ManagedObject {
    @Stored(.identity) var taskID = 0
    @Stored(.indexed) var name = ""
    @Stored var assignedUserID: Int? = nil
    @Stored var hours = 0.0
    @Stored var estimate: Double? = nil
    @Stored var cost: Decimal? = nil
    @Stored var isDone = false
    @Stored(.transient) var selections = 0
    @ToOne var assignedUser: User?
    @ToOne var project: Project?

    var summary: String { name + " (\(hours) h)" }
}

final class Milestone: ManagedObject {
    @Stored(.identity) var series = ""
    @Stored(.identity) var number = 0
    @Stored(.required) var title: String? = nil
    @ToOne var project: Project?
    @ToMany(inverse: \Review.milestone, deleteRule: .deny) var reviews: [Review]
}

final class Review: ManagedObject {
    @Stored var text = ""
    @ToOne var milestone: Milestone?
}

/// An attribute of every type, and relationships to objects of the same class.
final class Sample: ManagedObject {
    enum Color: String, Codable, CaseIterable { case red, green, blue }
    struct Point: Codable, Hashable { var x = 0, y = 0 }

    @Stored(.identity) var sampleID = 0
    @Stored var integer = 0
    @Stored var optionalInteger: Int? = nil
    @Stored var small: Int8 = 0
    @Stored var double = 0.0
    @Stored var optionalDouble: Double? = nil
    @Stored var flag = false
    @Stored var optionalFlag: Bool? = nil
    @Stored(.indexed) var text = ""
    @Stored var optionalText: String? = nil
    @Stored var date = Date(timeIntervalSince1970: 0)
    @Stored var optionalDate: Date? = nil
    @Stored var decimal = Decimal(0)
    @Stored var optionalDecimal: Decimal? = nil
    @Stored var uuid: UUID? = nil
    @Stored var url: URL? = nil
    @Stored var data: Data? = nil
    @Stored var json: JSON? = nil
    @Stored var color = Color.red
    @Stored var optionalColor: Color? = nil
    @Stored var point = Point()
    @Stored var tags: [String] = []
    @Stored var numbers: [Double] = []
    @Stored var moments: [Date] = []
    @ToOne var parent: Sample?
    @ToMany(inverse: \Sample.parent) var children: [Sample]
    @ToMany(inverse: \Sample.friendsOf) var friends: [Sample]
    @ToMany var friendsOf: [Sample]
}

enum ManagedModel {
    static func model() throws -> ObjectModel {
        try ObjectModel(
            User.self, Project.self, ProjectTask.self, Milestone.self, Review.self, Sample.self)
    }

    /// A store in memory.
    static func store() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: model()) }

    /// A store with two users, two projects and six tasks, and a context of it.
    ///
    ///     1 Build walls   3 h  Kettle  Ann      4 Paint    5 h  Shed   -
    ///     2 Build roof    8 h  Kettle  Bob      5 paint    2 h  Shed   Ann    done
    ///     3 Buy tiles     1 h  Kettle  -        6 Rest     0 h  -      -
    static func example() throws -> ObjectContext {
        let context = ObjectContext(try store())
        let (ann, bob) = (context.user(1, "Ann"), context.user(2, "Bob"))
        let (kettle, shed) = (context.project(1, "Kettle"), context.project(2, "Shed"))
        kettle.owner = ann
        kettle.members = [ann, bob]
        shed.members = [bob]
        let tasks: [(String, Double, Project?, User?)] = [
            ("Build walls", 3, kettle, ann), ("Build roof", 8, kettle, bob), ("Buy tiles", 1, kettle, nil),
            ("Paint", 5, shed, nil), ("paint", 2, shed, ann), ("Rest", 0, nil, nil),
        ]
        for (index, (name, hours, project, user)) in tasks.enumerated() {
            let task = context.task(index + 1, name)
            task.hours = hours
            task.estimate = index == 5 ? nil : hours + 1
            task.cost = index == 5 ? nil : Decimal(index + 8)
            task.project = project
            task.assignedUser = user
        }
        try context.save()
        let done = try context.fetch(ProjectTask.where { $0.taskID == 5 })
        done[0].isDone = true
        try context.save()
        return context
    }
}

extension ObjectContext {
    @discardableResult func user(_ id: Int, _ name: String) -> User {
        let user = User(in: self)
        user.userID = id
        user.name = name
        return user
    }

    @discardableResult func project(_ id: Int, _ name: String) -> Project {
        let project = Project(in: self)
        project.projectID = id
        project.name = name
        return project
    }

    @discardableResult func task(_ id: Int, _ name: String) -> ProjectTask {
        let task = ProjectTask(in: self)
        task.taskID = id
        task.name = name
        return task
    }

    /// The identities of the tasks of a query, as digits.
    func tasks(_ query: ObjectQuery<ProjectTask>) throws -> [Int] { try fetch(query).map(\.taskID) }

    func tasks(
        _ condition: (QueryObject<ProjectTask, ProjectTask>) -> some QueryCondition<ProjectTask>
    ) throws -> [Int] {
        try tasks(ProjectTask.where(condition))
    }
}
