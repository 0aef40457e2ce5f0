import Foundation
import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Observers are notified of every change of what a property returns, and can use the context.
@Suite @MainActor struct ObservedChangeTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext
    let (ann, bob): (Employee, Employee)
    let (sales, lab): (Department, Department)

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = store.mainContext
        (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        (sales, lab) = (Department(in: context), Department(in: context))
        (sales.code, sales.title, lab.code, lab.title) = ("S", "Sales", "L", "Lab")
        (ann.department, bob.department) = (sales, sales)
        try context.save()
    }

    private final class Calls: Sendable {
        private let number = Atomic<Int>(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    private func observe<Value>(_ read: () -> Value, then action: (@MainActor @Sendable () -> Void)? = nil) -> Calls {
        let calls = Calls()
        _ = withObservationTracking(read) {
            calls.add()
            if let action { MainActor.assumeIsolated(action) }
        }
        return calls
    }

    // MARK: Assignments

    /// A change of an object that an observer saves.
    enum Assignment: CaseIterable { case attribute, again, inPlace, toOne, toMany, append, fault }

    @Test(arguments: Assignment.allCases)
    func `a change whose observer saves the context is saved by the next save`(_ assignment: Assignment) throws {
        let (ann, bob, lab, context) = (ann, bob, lab, context)
        if assignment == .again { ann.name = "before" }
        if assignment == .fault { context.refresh(ann) }
        let calls = observe {
            _ = (ann.name, ann.nicknames, ann.department, ann.friends)
        } then: {
            #expect(throws: Never.self) { try context.save() }
        }
        switch assignment {
        case .attribute, .again, .fault: ann.name = "Anna"
        case .inPlace: ann.nicknames.append("Annie")
        case .toOne: ann.department = lab
        case .toMany: ann.friends = [bob]
        case .append: ann.friends.append(bob)
        }
        #expect(calls.count == 1 && context.hasChanges)
        try context.save()
        let reader = ObjectContext(store)
        let other = try #require(try reader.find(Employee.self, 1))
        switch assignment {
        case .attribute, .again, .fault: #expect(other.name == "Anna")
        case .inPlace: #expect(other.nicknames == ["Annie"])
        case .toOne: #expect(other.department?.code == "L")
        case .toMany, .append: #expect(other.friends.map(\.number) == [2])
        }
    }

    @Test func `an observer can roll back, refresh and reset the context`() throws {
        let context = context
        for discard in [{ $0.rollback() }, { $0.refresh() }] as [@Sendable (ObjectContext) -> Void] {
            let calls = observe {
                ann.name
            } then: {
                discard(context)
            }
            ann.name = "Anna"
            #expect(calls.count == 1 && ann.name == "Anna" && context.hasChanges)
            try context.save()
            #expect(try context.values(of: \.name, Employee.all).first == "Anna")
        }
        let calls = observe {
            ann.department
        } then: {
            context.reset()
        }
        ann.department = nil
        #expect(calls.count == 1 && ann.managed.context == nil)
        try context.save()
    }

    // MARK: Changes without an assignment

    /// A change that does not assign the observed property.
    enum Change: CaseIterable {
        case inverseOfToOne, inverseOfToMany, formerOwner, inverseOfAppend, deletionOfTarget, deletionInList, deletion
        case reinsertion, rollback, rollbackOfList, rollbackOfDeletion, refresh, refreshAll, fetch, fetchOfList
        case bulkUpdate, bulkDeletion, writeSQL, writeOfStore, failedPayload, savedDeletion, reset
    }

    private static let mapping = Mapping(Employee.self) {
        Attribute("number", \.number)
        Attribute("name", \.name)
    }

    /// Prepares a change, and observes a property.
    private func prepare(_ change: Change) throws -> Calls {
        switch change {
        case .rollback: ann.name = "edited"
        case .rollbackOfList, .formerOwner, .fetchOfList, .deletionInList: #expect(sales.staff.count == 2)
        case .rollbackOfDeletion, .reinsertion: context.delete(sales)
        case .savedDeletion: context.delete(bob)
        default: break
        }
        if change == .rollbackOfList { ann.department = lab }
        return observe {
            switch change {
            case .inverseOfToOne: _ = lab.staff
            case .inverseOfToMany, .deletionOfTarget, .reinsertion, .rollbackOfDeletion, .inverseOfAppend,
                .bulkDeletion:
                _ = ann.department
            case .formerOwner, .deletionInList, .rollbackOfList, .fetchOfList: _ = sales.staff
            case .savedDeletion: _ = bob.department
            case .reset, .deletion: _ = ann.department
            default: _ = ann.name
            }
        }
    }

    private func make(_ change: Change) throws {
        switch change {
        case .inverseOfToOne, .formerOwner: ann.department = lab
        case .inverseOfToMany: lab.staff = [ann]
        case .inverseOfAppend: lab.staff.append(ann)
        case .deletionOfTarget: context.delete(sales)
        case .deletionInList: context.delete(ann)
        case .deletion:
            context.delete(ann)
            try context.save()
        case .reinsertion: context.insert(sales)
        case .rollback, .rollbackOfList, .rollbackOfDeletion: context.rollback()
        case .refresh: context.refresh(ann)
        case .refreshAll: context.refresh()
        case .fetch, .fetchOfList:
            let other = ObjectContext(store)
            let found = try #require(try other.find(Employee.self, 1) as Employee?)
            (found.name, found.department) = ("other", nil)
            try other.save()
            _ = try context.fetch(Employee.all) as [Employee]
            _ = try context.fetch(Department.all) as [Department]
        case .bulkUpdate: try context.update(Employee.where { $0.number == 1 }) { $0.set(\.name, to: "bulk") }
        case .bulkDeletion: try context.delete(Employee.where { $0.number == 2 })
        case .writeSQL: try context.write(sql: "UPDATE Employee SET name = 'sql'")
        case .writeOfStore:
            try store.write(sql: "UPDATE Employee SET name = 'sql'")
            _ = try context.count(Employee.all)
        case .failedPayload:
            #expect(throws: MappingError.self) {
                try context.map(#"[{"number": 1, "name": "x"}, {"number": "?"}]"#, with: Self.mapping) as [Employee]
            }
            #expect(ann.name == "Ann")
        case .savedDeletion: try context.save()
        case .reset: context.reset()
        }
    }

    @Test(arguments: Change.allCases) func `observers are notified of a change without an assignment`(_ change: Change)
        throws
    {
        let calls = try prepare(change)
        #expect(calls.count == 0)
        try make(change)
        #expect(calls.count == 1)
    }

    @Test func `observers are notified when the context reads imported rows`() async throws {
        let calls = observe { ann.name }
        _ = try await store.importJSON(Data(#"[{"number": 1, "name": "imported"}]"#.utf8), with: Self.mapping)
        // Unless the main context has merged them already.
        _ = try await context.fetch(Employee.all)
        #expect(calls.count == 1 && ann.name == "imported")
    }

    @Test func `observers of a failed payload are notified again when it is undone`() throws {
        let ann = ann
        let undone = Calls()
        let calls = observe {
            ann.name
        } then: {
            withObservationTracking {
                _ = ann.name
            } onChange: {
                undone.add()
            }
        }
        #expect(throws: MappingError.self) {
            try context.map(#"[{"number": 1, "name": "x"}, {"number": "?"}]"#, with: Self.mapping) as [Employee]
        }
        #expect(calls.count == 1 && undone.count == 1 && ann.name == "Ann")
    }

    @Test func `a fetch does not notify observers of values and lists that are the same`() throws {
        let calls = observe { (ann.name, ann.department, sales.staff, lab.staff, ann.friends) }
        _ = try context.fetch(Employee.all)
        _ = try context.fetch(Department.all)
        #expect(calls.count == 0)
        ann.name = "Anna"
        #expect(calls.count == 1)
    }

    @Test func `observers of inverses are notified when both sides are consistent`() throws {
        let (ann, sales, lab) = (ann, sales, lab)
        let seen = Mutex<[String]>([])
        _ = observe {
            (sales.staff, lab.staff)
        } then: {
            seen.withLock { $0.append("\(sales.staff.map(\.number)) \(lab.staff.map(\.number))") }
        }
        ann.department = lab
        #expect(seen.withLock { $0 } == ["[2] [1]"])
    }
}

/// Objects that are inserted after they were deleted.
@Suite struct ReinsertionTests {
    let context: ObjectContext
    let ann: Employee
    let department: Department

    init() throws {
        context = ObjectContext(try Company.store())
        ann = context.employee(1, "Ann")
        department = Department(in: context)
        (department.code, department.title, ann.department) = ("D", "Department", department)
        ann.notes = [Note(in: context), Note(in: context)]
        ann.friends = [ann]
        let skill = Skill(in: context)
        (skill.name, ann.skills) = ("Swift", [skill])
        try context.save()
    }

    @Test func `an object that is inserted after its deletion keeps its row, values and relationships`() throws {
        let id = ann.managed.id
        _ = (department.staff, ann.skills[0].people)
        ann.mail = "ann@example.com"
        context.delete(ann)
        #expect(department.staff.isEmpty && ann.managed.state == .deleted)
        context.insert(ann)
        #expect(ann.managed.state == .updated && ann.managed.id == id && department.staff == [ann])
        try context.save()
        let reader = ObjectContext(context.store)
        let other = try #require(try reader.find(Employee.self, 1))
        #expect(other.managed.id == id && other.name == "Ann" && other.mail == "ann@example.com")
        #expect(other.department?.code == "D" && other.skills.map(\.name) == ["Swift"] && other.friends == [other])
        #expect(try context.count(Employee.all) == 1)
    }

    @Test func `values that are assigned to a deleted object are saved when it returns`() throws {
        context.delete(ann)
        ann.name = "Anna"
        context.insert(ann)
        try context.save()
        #expect(try ObjectContext(context.store).find(Employee.self, 1)?.name == "Anna")
    }

    @Test func `targets that delete rules deleted return by an insertion of their own`() throws {
        let notes = ann.notes
        context.delete(ann)
        context.insert(ann)
        #expect(ann.notes.isEmpty && notes.allSatisfy { $0.managed.state == .deleted })
        for note in notes { context.insert(note) }
        #expect(Set(ann.notes) == Set(notes))
        try context.save()
        #expect(try context.count(Note.where { $0.author.number == 1 }) == 2)
    }

    @Test func `an object that another owner received meanwhile stays with it`() throws {
        let (staff, other) = (department.staff, Department(in: context))
        (other.code, other.title) = ("O", "Other")
        context.delete(department)
        #expect(ann.department == nil)
        ann.department = other
        context.insert(department)
        try context.save()
        #expect(ann.department === other && department.staff.isEmpty && other.staff == staff)
        let reader = ObjectContext(context.store)
        #expect(try reader.find(Department.self, "D")?.staff.isEmpty == true)
    }

    @Test func `a new object that was deleted can be inserted again`() throws {
        let bob = context.employee(2, "Bob")
        context.delete(bob)
        context.insert(bob)
        try context.save()
        #expect(try context.count(Employee.where { $0.name == "Bob" }) == 1)
    }
}
