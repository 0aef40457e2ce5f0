import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Classes whose relationships are of every kind, for tests of objects and contexts.
final class Department: ManagedObject {
    @Stored(.identity) var code = ""
    @Stored(.required) var title: String? = nil
    @ToMany(inverse: \Employee.department) var staff: [Employee]
    @ToMany(inverse: \Room.department, deleteRule: .deny) var rooms: [Room]
    @ToOne(inverse: \Department.child) var parent: Department?
    @ToOne var child: Department?
}

final class Employee: ManagedObject {
    enum Rank: String { case junior, senior }
    struct Address: Codable, Hashable { var street = "", number = 0 }

    @Stored(.identity) var number = 0
    @Stored(.indexed) var name = "nobody"
    @Stored(.unique) var mail: String? = nil
    @Stored var rank = Rank.junior
    @Stored var formerRank: Rank? = nil
    @Stored var address = Address()
    @Stored var salary: Decimal? = nil
    @Stored var hired: Date? = nil
    @Stored var nicknames: [String] = []
    @Stored var share = 0.5
    @Stored var token = UUID()
    @Stored(.transient) var selections = 0
    var drawing: Any = ""
    @ToOne var department: Department?
    @ToOne(inverse: \Badge.owner, deleteRule: .cascade) var badge: Badge?
    @ToMany(inverse: \Skill.people) var skills: [Skill]
    @ToMany(inverse: \Note.author, isOrdered: true, deleteRule: .cascade) var notes: [Note]
    @ToMany var friends: [Employee]

    override class var indexes: [ObjectIndex] { [.index("name", "number")] }

    override func awakeFromInsert() { selections = 1 }
    override func awakeFromFetch() { selections = 2 }
    override func willSave() { if name == "shout" { name = "SHOUT" } }
    override func validateForSave() throws {
        if share > 1 { throw ValidationFailure("the share is above 1") }
    }
}

final class Badge: ManagedObject {
    @Stored var serial = 0
    @ToOne(isRequired: true) var owner: Employee?
}

final class Room: ManagedObject {
    @Stored(.identity) var floor = 0
    @Stored(.identity) var door = 0
    @ToOne var department: Department?
}

final class Skill: ManagedObject {
    @Stored(.identity) var name = ""
    @ToMany var people: [Employee]
}

final class Note: ManagedObject {
    @Stored var text = ""
    @ToOne var author: Employee?
}

enum Company {
    static func model() throws -> ObjectModel {
        try ObjectModel(Department.self, Employee.self, Badge.self, Room.self, Skill.self, Note.self)
    }

    /// A store in memory.
    static func store() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: model()) }

    /// A store in a file.
    static func store(in folder: TemporaryDirectory) throws -> ManagedObjectStore {
        try ManagedObjectStore(at: folder.url.appending(path: "company.sqlite"), model: model())
    }
}

/// Collects the statements of a store.
final class StatementLog: Sendable {
    private let statements = Mutex<[String]>([])

    init(_ store: ManagedObjectStore) {
        store.trace { [weak self] trace in self?.statements.withLock { $0.append(trace.sql) } }
    }

    /// The statements since the last call.
    func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }

    /// Expects that the statements since the last call search their tables by an index.
    ///
    /// - Returns: The steps of each statement.
    @discardableResult func expectNoScans(
        in store: ManagedObjectStore, atLeast count: Int, where isIncluded: (String) -> Bool = { _ in true }
    ) throws -> [String: [String]] {
        let statements = Set(take()).filter {
            ["SELECT", "UPDATE", "INSERT", "DELETE"].contains($0.prefix(6)) && isIncluded($0)
        }
        #expect(statements.count >= count)
        // Lists of values, and the rows that one batch connects.
        let lists = ["VIRTUAL TABLE", "CONSTANT ROW", "_mappingkit_arrived"]
        var plans: [String: [String]] = [:]
        for sql in statements {
            // The connection that writes has the temporary table.
            let steps = try store.write { (connection) throws(StoreError) in
                let statement = try connection.database.prepare("EXPLAIN QUERY PLAN \(sql)")
                var steps: [String] = []
                while try statement.step() { steps.append(statement.value(at: 3).text ?? "") }
                return steps
            }
            let scans = steps.filter { step in step.contains("SCAN") && !lists.contains { step.contains($0) } }
            #expect(scans.isEmpty, "\(sql)")
            plans[sql] = steps
        }
        return plans
    }
}

extension ObjectContext {
    /// A new employee with a number and a name.
    func employee(_ number: Int, _ name: String) -> Employee {
        let employee = Employee(in: self)
        employee.number = number
        employee.name = name
        return employee
    }

    /// A value that SQL returns, of the file.
    func value(_ sql: String) throws -> StoredValue? {
        try store.read { (connection) throws(StoreError) in try connection.database.value(sql) }
    }
}
