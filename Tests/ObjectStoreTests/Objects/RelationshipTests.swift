import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ManagedRelationshipTests {
    let context: ObjectContext
    let ann: Employee
    let bob: Employee
    let sales: Department
    let press: Department

    init() throws {
        context = ObjectContext(try Company.store())
        ann = context.employee(1, "Ann")
        bob = context.employee(2, "Bob")
        sales = Department(in: context)
        (sales.code, sales.title) = ("S", "Sales")
        press = Department(in: context)
        (press.code, press.title) = ("P", "Press")
    }

    /// Runs a check on new objects, after they were saved, and on objects that another context reads.
    private func always(_ check: () throws -> Void) throws {
        try check()
        try context.save()
        try check()
        context.refresh()
        try check()
    }

    @Test func `an assignment to one side changes the other side`() throws {
        ann.department = sales
        bob.department = sales
        try always {
            #expect(sales.staff == [ann, bob])
        }
        ann.department = press
        try always {
            #expect(sales.staff == [bob])
            #expect(press.staff == [ann])
        }
        bob.department = nil
        try always { #expect(sales.staff.isEmpty) }
    }

    @Test func `a change of a list changes the other side`() throws {
        sales.staff = [ann, bob, ann]
        try always {
            #expect(sales.staff == [ann, bob])
            #expect(ann.department === sales)
        }
        press.staff.append(ann)
        try always {
            #expect(ann.department === press)
            #expect(sales.staff == [bob])
        }
        sales.staff.removeAll()
        try always { #expect(bob.department == nil) }
    }

    @Test func `both sides of a one-to-one are consistent`() throws {
        let (first, second) = (Badge(in: context), Badge(in: context))
        (first.owner, second.owner) = (ann, bob)
        try always { #expect(ann.badge === first && bob.badge === second) }
        ann.badge = second
        #expect(first.owner == nil && second.owner === ann && bob.badge == nil)
        first.owner = bob
        try always { #expect(bob.badge === first && second.owner === ann) }
    }

    @Test func `a relationship to the same class has both directions`() throws {
        sales.child = press
        try always { #expect(press.parent === sales && press.child == nil) }
        sales.child = sales
        try always { #expect(sales.parent === sales && press.parent == nil) }
    }

    @Test func `both sides of a many-to-many are consistent`() throws {
        let (swift, sql) = (Skill(in: context), Skill(in: context))
        (swift.name, sql.name) = ("Swift", "SQL")
        ann.skills = [swift, sql]
        sql.people.append(bob)
        try always {
            #expect(sql.people == [ann, bob])
            #expect(bob.skills == [sql])
        }
        ann.skills.removeFirst()
        try always {
            #expect(swift.people.isEmpty)
            #expect(ann.skills == [sql])
        }
        sql.people = []
        try always { #expect(ann.skills.isEmpty && bob.skills.isEmpty) }
    }

    @Test func `a relationship without an inverse keeps its order and its objects`() throws {
        ann.friends = [bob, ann]
        try always {
            #expect(ann.friends == [bob, ann])
            #expect(bob.friends.isEmpty)
        }
        ann.friends = [ann]
        try always { #expect(ann.friends == [ann]) }
    }

    @Test func `the order of an ordered relationship is stored`() throws {
        let notes = (0..<5).map { _ in Note(in: context) }
        for (index, note) in notes.enumerated() { note.text = "\(index)" }
        ann.notes = notes
        try always { #expect(ann.notes.map(\.text) == ["0", "1", "2", "3", "4"]) }
        ann.notes.swapAt(0, 4)
        ann.notes.remove(at: 2)
        try always { #expect(ann.notes.map(\.text) == ["4", "1", "3", "0"]) }
        notes[1].author = bob
        notes[2].author = ann
        try always {
            #expect(ann.notes.map(\.text) == ["4", "3", "0", "2"])
            #expect(bob.notes.map(\.text) == ["1"])
        }
        #expect(try context.value("SELECT count(*) FROM Employee_notes")?.integer == 5)
    }

    @Test func `objects without a context are inserted with the object that they are related to`() {
        let note = Note()
        ann.notes.append(note)
        #expect(note.author === ann && note.managed.state == .inserted)
        let badge = Badge()
        badge.owner = ann
        #expect(badge.managed.state == .inserted && ann.badge === badge)
        let (skill, person) = (Skill(), Employee())
        person.skills = [skill]
        context.insert(person)
        #expect(skill.people == [person])
    }

    @Test func `deleting nullifies, cascades and denies as declared`() throws {
        let (note, badge, room) = (Note(in: context), Badge(in: context), Room(in: context))
        ann.notes = [note]
        badge.owner = ann
        ann.department = sales
        (room.floor, room.door, room.department) = (1, 2, sales)
        bob.friends = [ann]
        try context.save()

        context.delete(ann)
        #expect(note.managed.state == .deleted && badge.managed.state == .deleted)
        #expect(sales.staff.isEmpty)
        try context.save()
        #expect(ann.managed.state == .deleted && ann.managed.context == nil && ann.name == "Ann")
        context.refresh()
        #expect(bob.friends.isEmpty)
        #expect(try context.value("SELECT count(*) FROM Note")?.integer == 0)

        context.delete(sales)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObjects)
        #expect(error?.problems.map(\.message) == ["cannot be deleted while 'rooms' has objects (delete rule .deny)"])
        context.rollback()
        #expect(sales.title == "Sales")
        room.department = nil
        context.delete(sales)
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Department WHERE code = 'S'")?.integer == 0)
        #expect(try context.value("PRAGMA foreign_key_check") == nil)
    }

    @Test(arguments: [false, true])
    func `no relationship contains a deleted object, whether its lists were read or not`(isRead: Bool) throws {
        (ann.department, bob.department) = (sales, sales)
        bob.friends = [ann]
        try context.save()
        let other = ObjectContext(context.store)
        let employees = try other.fetch(Employee.all)
        let department = try #require(try other.find(Department.self, "S"))
        if isRead { #expect(department.staff.count == 2 && employees[1].friends == [employees[0]]) }
        let new = other.employee(3, "Cem")
        new.department = department
        other.delete(department)
        #expect(new.department == nil && employees.allSatisfy { $0.department == nil })
        try other.save()
        #expect(try other.value("SELECT count(*) FROM Employee WHERE department IS NOT NULL")?.integer == 0)
        // The property that the deletion cleared is not a conflict of the next change.
        employees[0].department = try other.find(Department.self, "P")
        try other.save()
        #expect(try other.value("SELECT count(*) FROM Employee WHERE department IS NOT NULL")?.integer == 1)
        other.delete(employees[0])
        try other.save()
        #expect(employees[1].friends.isEmpty)
        #expect(try other.value("PRAGMA foreign_key_check") == nil)
    }

    @Test func `delete rules with cycles terminate`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Ring.self))
        let context = ObjectContext(store)
        let rings = (0..<3).map { _ in Ring(in: context) }
        for index in rings.indices { rings[index].next = rings[(index + 1) % 3] }
        try context.save()
        context.delete(rings[1])
        #expect(context.deletedObjects.count == 3)
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Ring")?.integer == 0)
    }

    @Test func `objects that refer to each other are released`() throws {
        weak var department: Department?
        weak var employee: Employee?
        weak var skill: Skill?
        do {
            let context = ObjectContext(context.store)
            let (a, b, c) = (Department(in: context), Employee(in: context), Skill(in: context))
            (a.code, a.title, b.number, c.name) = ("R", "Research", 9, "x")
            a.staff = [b]
            b.skills = [c]
            try context.save()
            #expect(b.department === a && a.staff == [b] && c.people == [b] && b.skills == [c])
            (department, employee, skill) = (a, b, c)
            context.refresh()
        }
        #expect(department == nil && employee == nil && skill == nil)
    }
}

/// Objects that delete the next one with them.
final class Ring: ManagedObject {
    @ToOne(deleteRule: .cascade) var next: Ring?
}
