import Dispatch
import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Reads another object in its hook.
private final class Guest: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var host: Guest?
    @ToMany(inverse: \Guest.host) var guests: [Guest]
    var hostNumber: Int?

    override func awakeFromFetch() { hostNumber = host?.number }
}

/// A started read; objects cannot leave a task.
@MainActor private final class SuspendedRead<Result> {
    private var result: Result?
    private var task: Task<Void, any Error>?

    /// Starts a read in a context, and returns when it is suspended.
    init(_ context: ObjectContext, _ read: @escaping @MainActor () async throws -> Result) async {
        let number = context.core.reads.number
        task = Task { result = try await read() }
        #expect(await eventually { context.core.reads.number != number })
    }

    /// The result, once the read has ended.
    func end() async throws -> Result {
        try await task?.value
        return try #require(result)
    }
}

@Suite @MainActor struct SuspendingReadTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = ObjectContext(store)
        let sales = Department(in: context)
        (sales.code, sales.title) = ("s", "Sales")
        for number in 1...6 { context.employee(number, "n\(number)").department = number < 4 ? sales : nil }
        try context.save()
        context.reset()
    }

    private nonisolated static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the statements that a body runs, at least one, run on other threads than that of the main actor.
    private func runsElsewhere(
        _ store: ManagedObjectStore? = nil, _ body: () async throws -> Void
    ) async throws -> Bool {
        let store = store ?? self.store
        // The queue, because the main actor may change its thread.
        #expect(DispatchQueue.getSpecific(key: Self.mainQueue) == true)
        let threads = Mutex<[Bool]>([])
        store.trace { _ in
            let isMain = DispatchQueue.getSpecific(key: Self.mainQueue) ?? false
            threads.withLock { $0.append(isMain) }
        }
        try await body()
        store.trace(nil)
        return threads.withLock { !$0.isEmpty && !$0.contains(true) }
    }

    // MARK: Threads

    @Test(arguments: [
        "fetch", "first", "sql", "count", "ids", "snapshots", "values", "aggregate", "groups", "object", "find",
        "compound", "findOrCreate", "findFirst", "findAll", "update", "delete", "write",
    ])
    func `statements of a suspending call run on another thread than the context`(_ call: String) async throws {
        let named = Employee.where { $0.department.title == "Sales" }.sorted(by: \.number)
        let id = ObjectID(entity: "Employee", row: 2, store: store.identity)
        let isElsewhere = try await runsElsewhere {
            switch call {
            case "fetch": #expect(try await context.fetch(named).map(\.number) == [1, 2, 3])
            case "first": #expect(try await context.fetchFirst(named)?.number == 1)
            case "sql":
                let sql = "SELECT \"_id\" FROM \"Employee\" WHERE \"number\" > ?"
                #expect(try await context.fetch(Employee.self, sql: sql, arguments: [4]).map(\.number) == [5, 6])
            case "count": #expect(try await context.count(named) == 3)
            case "ids": #expect(try await context.ids(named).map(\.row) == [1, 2, 3])
            case "snapshots": #expect(try await context.snapshots(named).map(\.number) == [1, 2, 3])
            case "values": #expect(try await context.values(of: \.name, named) == ["n1", "n2", "n3"])
            case "aggregate":
                #expect(try await context.aggregate(named) { $0.number.sum() } == 6)
                let (low, high) = try await context.aggregate(named) { ($0.number.min(), $0.number.max()) }
                #expect(low == 1 && high == 3)
            case "groups":
                let groups = try await context.aggregate(
                    Employee.all, by: { $0.department.code }, { $0.number.max() })
                #expect(groups.map(\.key) == [nil, "s"] && groups.map(\.values) == [6, 3])
            case "object":
                let object: Employee = try await context.object(with: id)
                #expect(try await context.object(with: id) === object && object.number == 2)
            case "find": #expect(try await Employee.find(2, in: context)?.name == "n2")
            case "compound": #expect(try await context.find(Room.self, 1, 2) == nil)
            case "findOrCreate":
                let known = try await context.findOrCreate(Employee.self, 2)
                let new = try await context.findOrCreate(Employee.self, 7)
                #expect(known.name == "n2" && new.managed.state == .inserted && new.number == 7)
                #expect(try await context.findOrCreate(Employee.self, 7) === new)
            case "findFirst": #expect(try await Employee.findFirst(in: context) { $0.number > 3 }?.number == 4)
            case "findAll":
                #expect(try await Employee.findAll(in: context) { $0.number > 3 }.count == 3)
                #expect(try await Employee.findAll(in: context).count == 6)
            case "update": #expect(try await context.update(named) { $0.set(\.share, to: 1) } == 3)
            case "delete": #expect(try await context.delete(named) == 3)
            default: #expect(try await context.write(sql: "UPDATE \"Employee\" SET \"name\" = 'x'") == 6)
            }
        }
        #expect(isElsewhere)
    }

    @Test func `unsaved changes and relationships are read on another thread, too`() async throws {
        let two = try #require(try await context.find(Employee.self, 2))
        let sales = try #require(two.department)
        two.department = nil
        context.employee(9, "n9").department = sales
        let query = Employee.where { $0.department.title == "Sales" }.sorted(by: \.name, descending: true)
            .prefetch(\.department).prefetch(\.notes)
        let rich = Department.where { $0.staff.any { $0.name.hasPrefix("n9") } }
        let isElsewhere = try await runsElsewhere {
            let (employees, departments) = (try await context.fetch(query), try await context.fetch(rich))
            #expect(employees.map(\.number) == [9, 3, 1] && departments == [sales])
        }
        #expect(isElsewhere)
    }

    // MARK: Concurrent changes

    @Test func `changes that are made while a fetch is suspended are in its result`() async throws {
        let store = try Company.store()
        let context = ObjectContext(store)
        let ann = context.employee(1, "Ann")
        try await context.save()
        let queue = context.core.reads.queue
        queue.suspend()
        let fetch = await SuspendedRead(context) { try await context.fetch(Employee.all.sorted(by: \.name)) }
        ann.name = "Zoe"
        let ben = context.employee(2, "Ben")
        queue.resume()
        #expect(try await fetch.end() == [ben, ann] && ann.name == "Zoe")
    }

    @Test(arguments: ["save", "update", "fetch"])
    func `rows that were read before newer values do not replace them`(_ change: String) async throws {
        let ann = try #require(try await context.find(Employee.self, 1))
        let fetch = await SuspendedRead(context) { try await context.fetch(Employee.all) }
        func use() throws {
            // The rows have been read, and are not used yet.
            context.core.reads.queue.sync {}
            switch change {
            case "save":
                ann.name = "new"
                try context.save()
            case "update": try context.update(Employee.where { $0.number == 1 }) { $0.set(\.name, to: "new") }
            default:
                let other = ObjectContext(store)
                try other.find(Employee.self, 1)?.name = "new"
                try other.save()
                #expect(try context.fetch(Employee.all).contains(ann))
            }
            #expect(ann.name == "new")
        }
        try use()
        #expect(try await fetch.end().count == 6)
        #expect(ann.name == "new" && !context.hasChanges)
    }

    @Test func `overlapping fetches of one context return the same objects`() async throws {
        var fetches: [SuspendedRead<[Employee]>] = []
        for _ in 0..<8 { fetches.append(await SuspendedRead(context) { try await context.fetch(Employee.all) }) }
        var results: [[Employee]] = []
        for fetch in fetches { results.append(try await fetch.end()) }
        #expect(results.allSatisfy { $0 == results[0] } && results[0].count == 6)
    }

    @Test func `a suspending fetch waits for a suspending save`() async throws {
        let writer = HeldWriter(store)
        let ann = context.employee(7, "Ann")
        let save = Task { @MainActor in try await context.save() }
        #expect(await eventually { context.core.saves.inFlight != nil })
        let fetch = await SuspendedRead(context) { try await context.fetch(Employee.where { $0.name == "Ann" }) }
        writer.release()
        #expect(try await fetch.end() == [ann] && ann.managed.id.isTemporary == false)
        try await save.value
    }

    @Test func `a suspending bulk update waits for others longer than the timeout`() async throws {
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(20)
        let store = try ManagedObjectStore(at: folder.file("other.sqlite"), model: Company.model(), options: options)
        let context = ObjectContext(store)
        let ann = context.employee(1, "Ann")
        try await context.save()
        let writer = HeldWriter(store)
        func update() throws { try context.update(Employee.all) { $0.set(\.name, to: "Z") } }
        let error = #expect(throws: StoreError.self) { try update() }
        #expect(error?.kind == .busy)
        writer.releaseSoon()
        #expect(try await context.update(Employee.all) { $0.set(\.name, to: "Z") } == 1)
        #expect(ann.name == "Z")
    }

    // MARK: Hooks and errors

    @Test func `a hook of an object that was read on another thread can read other objects`() async throws {
        let store = try ManagedObjectStore(at: folder.file("guests.sqlite"), model: ObjectModel(Guest.self))
        let first = ObjectContext(store)
        let host = Guest(in: first)
        for number in 1...3 {
            let guest = Guest(in: first)
            (guest.number, guest.host) = (number, host)
        }
        host.number = 9
        try await first.save()
        let guests = try await ObjectContext(store).fetch(Guest.where { $0.number < 9 })
        #expect(guests.map(\.hostNumber) == [9, 9, 9])
    }

    @Test func `a payload is mapped without a statement on the thread of the context`() async throws {
        let store = try ManagedObjectStore(
            at: folder.file("tickets.sqlite"), model: ObjectModel(Ticket.self, Person.self, Board.self))
        _ = try await store.importJSON(Data(#"[{"id":1,"name":"a"},{"id":2}]"#.utf8), with: Ticket.mapping)
        _ = try await store.importJSON(Data(#"{"id":7,"name":"Ann"}"#.utf8), with: Person.mapping)
        let context = ObjectContext(store)
        let text = #"""
            [{"key":"A","number":1,"tickets":[{"id":1,"name":"b","assignee_id":7},{"id":3,"assignee_id":8}]},
             {"key":"x","number":"x"}]
            """#
        var (boards, report): ([Board], MappingReport) = ([], MappingReport(policy: .skipElement))
        let isElsewhere = try await runsElsewhere(store) {
            boards = try await context.map(text, with: Board.mapping, report: &report)
        }
        #expect(isElsewhere)
        #expect(report.issues.count == 1 && report.rejected.count == 1)
        let tickets = try #require(boards.first?.tickets)
        #expect(tickets.map(\.ticketID) == [1, 3] && tickets.map(\.name) == ["b", ""])
        #expect(tickets[0].assignee?.name == "Ann" && tickets[1].assignee == nil)
        #expect(tickets.map(\.managed.state) == [.updated, .inserted] && context.insertedObjects.count == 2)
        let roots = PayloadMapping { Root("people", Person.mapping) }
        let result = try await context.map(#"{"people":[{"id":8,"name":"Bob"}]}"#, with: roots)
        #expect(result[Person.self].map(\.tickets) == [[tickets[1]]])
        try await context.save()
        let issue = await #expect(throws: MappingError.self) {
            _ = try await context.map(#"[{"id":9},{"id":"x"}]"#, with: Ticket.mapping)
        }
        #expect(issue?.issues.first?.path == "$[1].id" && !context.hasChanges)
        store.close()
        let closed = await #expect(throws: MappingError.self) {
            _ = try await context.map(#"{"id":10}"#, with: Ticket.mapping)
        }
        #expect(closed?.issues.map(\.kind) == [.dataSource])
    }

    @Test func `suspending calls throw the same errors as others`() async throws {
        let wrong = await #expect(throws: StoreError.self) {
            _ = try await context.fetch(Employee.self, sql: "nonsense")
        }
        #expect(wrong?.kind == .misuse)
        let missing = ObjectID(entity: "Employee", row: 99, store: store.identity)
        let lost = await #expect(throws: StoreError.self) { _ = try await context.object(with: missing) }
        #expect(lost?.kind == .missingObject)
        let key = await #expect(throws: StoreError.self) { _ = try await context.find(Employee.self, "x") }
        #expect(key?.kind == .misuse)
        let denied = await #expect(throws: StoreError.self) {
            try await context.update(Employee.all) { $0.set(\.number, to: 1) }
        }
        #expect(denied?.kind == .constraint)
        store.close()
        let closed = await #expect(throws: StoreError.self) { _ = try await context.fetch(Employee.all) }
        #expect(closed?.kind == .closed)
    }
}
