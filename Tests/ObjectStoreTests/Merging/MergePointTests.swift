import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// What a context receives from others, and when.
@Suite struct MergePointTests {
    let store: ManagedObjectStore
    let context: ObjectContext
    let other: ObjectContext
    let sales: Department
    let lab: Department
    let ann: Employee
    let bob: Employee

    init() throws {
        store = try Company.store()
        context = ObjectContext(store)
        other = ObjectContext(store)
        (sales, lab) = (Department(in: context), Department(in: context))
        (sales.code, sales.title, lab.code, lab.title) = ("S", "Sales", "L", "Lab")
        (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        ann.department = sales
        ann.notes = [Note(in: context), Note(in: context)]
        (ann.notes[0].text, ann.notes[1].text) = ("a", "b")
        try context.save()
    }

    /// Changes an employee in the other context, and saves.
    private func others(_ number: Int = 1, _ change: (Employee) throws -> Void) throws {
        try change(try #require(try other.find(Employee.self, number)))
        try other.save()
    }

    private func saveError(_ context: ObjectContext? = nil) -> StoreError? {
        do throws(StoreError) {
            try (context ?? self.context).save()
            return nil
        } catch {
            return error
        }
    }

    /// Calls at which a context merges.
    static let calls: [(name: String, call: @Sendable (ObjectContext) throws -> Void)] = [
        ("fetch", { _ = try $0.fetch(Skill.all) }), ("first", { _ = try $0.fetchFirst(Skill.all) }),
        ("sql", { _ = try $0.fetch(Skill.self, sql: #"SELECT "_id" FROM "Skill""#) }),
        ("count", { _ = try $0.count(Skill.all) }), ("ids", { _ = try $0.ids(Skill.all) }),
        ("snapshots", { _ = try $0.snapshots(Skill.all) }), ("values", { _ = try $0.values(of: \.name, Skill.all) }),
        ("aggregate", { _ = try $0.aggregate(Skill.all) { $0.name.max() } }),
        ("find", { _ = try $0.find(Skill.self, "x") }), ("find a known object", { _ = try $0.find(Employee.self, 2) }),
        ("save", { try $0.save() }), ("refresh", { $0.refresh() }),
        ("map", { _ = try $0.map("[]", with: Mapping(Skill.self) { Attribute("name", \.name) }) }),
        ("update", { try $0.update(Skill.all) { $0.set(\.name, to: "x") } }), ("delete", { try $0.delete(Skill.all) }),
        ("write", { try $0.write(sql: #"DELETE FROM "Skill""#) }),
    ]

    @Test(arguments: calls.indices)
    func `every call that reads or saves is a merge point`(_ index: Int) throws {
        _ = try context.find(Employee.self, 2)
        try others { ($0.name, $0.department) = ("Anna", nil) }
        try others(2) { other.delete($0) }
        #expect(
            ann.name == "Ann" && ann.department === sales && sales.staff == [ann] && bob.managed.state == .unchanged)
        try Self.calls[index].call(context)
        #expect(ann.name == "Anna" && ann.department == nil && sales.staff == [], "\(Self.calls[index].name)")
        #expect(bob.managed.state == .deleted && bob.managed.context == nil && bob.name == "Bob")
    }

    @Test func `properties, relationships and states are no merge points`() throws {
        try others { ($0.name, $0.department) = ("Anna", nil) }
        try others(2) { other.delete($0) }
        context.delete(try #require(ann.notes.first))
        _ = context.insert(Skill.self)
        _ = (context.hasChanges, context.updatedObjects, ann.managed.state, ann.managed.changes, ann.managed.snapshot())
        #expect(try context.object(with: ann.managed.id) === ann)
        context.discardInvalidObjects()
        #expect(
            ann.name == "Ann" && ann.department === sales && sales.staff == [ann] && bob.managed.state == .unchanged)
    }

    /// Ways in which others write rows.
    enum Writer: CaseIterable { case save, map, importJSON, update, contextSQL, storeSQL, otherStore }

    @Test(arguments: Writer.allCases)
    func `the rows of every writer are merged`(_ writer: Writer) async throws {
        let folder = try TemporaryDirectory()
        let store = try Company.store(in: folder)
        let (context, other) = (ObjectContext(store), ObjectContext(store))
        let (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        try await context.save()
        let mapping = Mapping(Employee.self) {
            Attribute("number", \.number)
            Attribute("name", \.name)
        }
        let (json, sql) = (
            #"{"number": 1, "name": "Anna"}"#, #"UPDATE "Employee" SET "name" = 'Anna' WHERE "number" = 1"#
        )
        switch writer {
        case .save:
            try await other.find(Employee.self, 1)?.name = "Anna"
            try await other.save()
        case .map:
            _ = try await other.map(json, with: mapping)
            try await other.save()
        case .importJSON: _ = try await store.importJSON(Data(json.utf8), with: mapping)
        case .update: try await other.update(Employee.where { $0.number == 1 }) { $0.set(\.name, to: "Anna") }
        case .contextSQL: try await other.write(sql: sql)
        case .storeSQL: try store.write(sql: sql)
        case .otherStore: try Company.store(in: folder).write(sql: sql)
        }
        #expect(ann.name == "Ann")
        _ = try await context.fetch(Skill.all)
        #expect(ann.name == "Anna" && bob.name == "Bob")
        #expect(!context.hasChanges)
    }

    @Test func `a merge reads the rows of each entity with one query, and no rows that others left alone`() throws {
        let people = (10..<60).map { context.employee($0, "n\($0)") }
        try context.save()
        try other.update(Employee.where { $0.number > 20 }) { $0.set(\.share, to: 0.25) }
        for department in try other.fetch(Department.all) { department.title = "x" }
        try other.save()
        let log = StatementLog(store)
        _ = try context.count(Skill.all)
        let reads = log.take()
        #expect(reads.count == 3, "\(reads)")
        #expect(people.map(\.share) == (10..<60).map { $0 > 20 ? 0.25 : 0.5 } && sales.title == "x")
        #expect(log.take() == [])
        _ = try context.count(Skill.all)
        #expect(log.take().count == 1)
    }

    @Test func `the own saves of a context are not merged`() throws {
        _ = try other.fetch(Employee.all)
        (ann.name, bob.name) = ("Anna", "Bobby")
        try context.save()
        let log = StatementLog(store)
        _ = try context.count(Skill.all)
        #expect(log.take().count == 1)
        _ = try other.count(Skill.all)
        // Its objects were released: nothing is read for them.
        #expect(log.take().count == 1)
    }

    // MARK: Unsaved changes

    @Test func `changed objects keep what was assigned, and receive the rest`() throws {
        (ann.name, ann.department) = ("Mine", lab)
        try others { ($0.name, $0.share, $0.department) = ("Theirs", 0.75, nil) }
        _ = try context.fetch(Skill.all)
        #expect(ann.name == "Mine" && ann.share == 0.75 && ann.department === lab && lab.staff == [ann])
        #expect(ann.managed.changes.map { [$0.old, $0.new] } == [["Ann", "Mine"]])
        #expect(
            saveError()?.conflicts.map { [$0.base, $0.mine, $0.theirs] }
                == [["Ann", "Mine", "Theirs"], [1, 2, .null]])
        context.rollback()
        #expect(ann.name == "Theirs" && ann.share == 0.75 && ann.department == nil && lab.staff == [])
    }

    @Test func `a value that is assigned again is no change, and does not hide that of others`() throws {
        (ann.name, ann.department) = ("Mine", lab)
        (ann.name, ann.department) = ("Ann", sales)
        try others { ($0.name, $0.department) = ("Theirs", nil) }
        _ = try context.count(Skill.all)
        #expect(ann.name == "Theirs")
        try context.save()
        #expect(ann.name == "Theirs" && ann.department == nil && sales.staff == [])
    }

    @Test func `a value that is assigned again after a merge of another one conflicts with it`() throws {
        (ann.name, ann.department) = ("Mine", lab)
        try others { ($0.name, $0.department) = ("Theirs", nil) }
        _ = try context.count(Skill.all)
        (ann.name, ann.department) = ("Ann", sales)
        #expect(ann.name == "Ann" && sales.staff == [ann])
        #expect(
            saveError()?.conflicts.map { [$0.base, $0.mine, $0.theirs] } == [["Ann", "Ann", "Theirs"], [1, 1, .null]])
        context.rollback()
        #expect(ann.name == "Theirs" && ann.department == nil && sales.staff == [])
    }

    @Test(arguments: [MergePolicy.throwConflict, .storeWins, .objectWins])
    func `an object that is changed here and deleted there keeps its changes until they are saved or discarded`(
        _ policy: MergePolicy
    ) throws {
        context.mergePolicy = policy
        bob.name = "Bobby"
        try others(2) { other.delete($0) }
        _ = try context.fetch(Employee.all)
        #expect(bob.name == "Bobby" && bob.managed.state == .updated)
        #expect(saveError()?.kind == .missingObject && bob.name == "Bobby")
        context.rollback()
        #expect(bob.managed.state == .deleted && bob.managed.context == nil)
        ann.name = "Anna"
        try context.save()
        #expect(try context.fetch(Employee.all) == [ann])
    }

    @Test func `an object that is deleted here and changed there is deleted`() throws {
        context.delete(bob)
        try others(2) { $0.name = "Bobby" }
        #expect(try context.fetch(Employee.all) == [ann])
        try context.save()
        #expect(try other.fetch(Employee.all).map(\.name) == ["Ann"])
    }

    @Test func `an object that is deleted on both sides is gone`() throws {
        context.delete(bob)
        try others(2) { other.delete($0) }
        try context.save()
        #expect(bob.managed.state == .deleted && !context.hasChanges)
        #expect(try other.fetch(Employee.all).map(\.name) == ["Ann"])
    }

    @Test func `a reference to an object that others deleted is nil, and an unsaved one is an error of the save`()
        throws
    {
        bob.department = lab
        try other.delete(Department.all)
        _ = try context.fetch(Skill.all)
        #expect(ann.department == nil && bob.department == nil && sales.managed.state == .deleted)
        #expect(saveError()?.kind == .missingObject)
        bob.department = nil
        try context.save()
        let third = context.employee(3, "Cem")
        ann.friends = [third, bob]
        try others(2) { other.delete($0) }
        _ = try context.fetch(Skill.all)
        #expect(ann.friends == [third])
        let error = saveError()
        #expect(error?.kind == .invalidObjects && error?.problems.map(\.property) == ["friends"])
        ann.friends = [third]
        try context.save()
        #expect(try context.value("PRAGMA foreign_key_check") == nil)
    }

    // MARK: Relationships

    @Test func `an object that others gave another owner changes lists`() throws {
        try others { employee in employee.department = try other.find(Department.self, "L") }
        #expect(sales.staff == [ann] && lab.staff == [])
        _ = try context.fetch(Skill.all)
        #expect(ann.department === lab && sales.staff == [] && lab.staff == [ann])
    }

    @Test func `an object that both sides gave another owner is a conflict`() throws {
        ann.department = nil
        try others { employee in employee.department = try other.find(Department.self, "L") }
        _ = try context.fetch(Skill.all)
        #expect(ann.department == nil && sales.staff == [] && lab.staff == [])
        #expect(saveError()?.conflicts.map { [$0.base, $0.mine, $0.theirs] } == [[1, .null, 2]])
        context.mergePolicy = .storeWins
        try context.save()
        #expect(ann.department === lab && sales.staff == [] && lab.staff == [ann])
    }

    @Test func `new members appear in lists, with those that are not saved`() throws {
        let new = context.employee(3, "new")
        new.department = sales
        #expect(sales.staff == [ann, new])
        try others(2) { employee in employee.department = try other.find(Department.self, "S") }
        _ = try context.fetch(Skill.all)
        #expect(sales.staff == [ann, bob, new])
    }

    @Test func `the order of a list is merged`() throws {
        let (a, b) = (ann.notes[0], ann.notes[1])
        try others { $0.notes.swapAt(0, 1) }
        #expect(ann.notes == [a, b])
        _ = try context.fetch(Skill.all)
        #expect(ann.notes == [b, a])
        try others { employee in
            let note = Note(in: other)
            (note.text, note.author) = ("c", employee)
        }
        _ = try context.fetch(Skill.all)
        #expect(ann.notes.map(\.text) == ["b", "a", "c"])
    }

    @Test func `a list that is assigned here keeps its order, and its save adds what others added`() throws {
        ann.notes.swapAt(0, 1)
        try others { employee in
            let note = Note(in: other)
            (note.text, note.author) = ("c", employee)
        }
        _ = try context.fetch(Skill.all)
        #expect(ann.notes.map(\.text) == ["b", "a"])
        try context.save()
        #expect(ann.notes.map(\.text) == ["b", "a", "c"])
    }

    @Test func `an object to which others gave another owner leaves a list that is assigned here`() throws {
        let (a, b) = (ann.notes[0], ann.notes[1])
        ann.notes = [b, a]
        let bobs = bob.notes
        try others { $0.notes[0].author = try other.find(Employee.self, 2) }
        _ = try context.fetch(Skill.all)
        #expect(bobs == [] && a.author === bob && bob.notes == [a] && ann.notes == [b])
        try context.save()
        #expect(ann.notes == [b] && bob.notes == [a])
        #expect(try other.find(Employee.self, 1)?.notes.map(\.text) == ["b"])
    }

    @Test func `a list that only its members changed here receives what others added`() throws {
        let mine = Note(in: context)
        (mine.text, mine.author) = ("mine", ann)
        #expect(ann.notes.map(\.text) == ["a", "b", "mine"])
        try others { employee in
            let note = Note(in: other)
            (note.text, note.author) = ("theirs", employee)
        }
        _ = try context.fetch(Skill.all)
        #expect(ann.notes.map(\.text) == ["a", "b", "theirs", "mine"])
        try context.save()
        #expect(ann.notes.map(\.text) == ["a", "b", "theirs", "mine"])
        let stored = try #require(try other.find(Employee.self, 1)).notes.map(\.text)
        #expect(stored == ["a", "b", "theirs", "mine"])
    }

    @Test func `both sides of one-to-one and many-to-many relationships are merged`() throws {
        let (skill, badge) = (Skill(in: context), Badge(in: context))
        (skill.name, badge.owner) = ("Swift", ann)
        skill.people = [ann]
        try context.save()
        #expect(ann.skills == [skill] && bob.skills == [] && bob.badge == nil)
        try others(2) { employee in
            let skill = try #require(try other.find(Skill.self, "Swift"))
            employee.skills = [skill]
            employee.badge = try other.fetch(Badge.all).first
        }
        _ = try context.fetch(Department.all)
        #expect(skill.people == [ann, bob] && bob.skills == [skill] && ann.skills == [skill])
        #expect(badge.owner === bob && bob.badge === badge && ann.badge == nil)
        try others { $0.skills = [] }
        _ = try context.fetch(Department.all)
        #expect(skill.people == [bob] && ann.skills == [])
    }

    @Test func `an import is merged into relationships`() async throws {
        let mapping = Mapping(Employee.self) {
            Attribute("number", \.number)
            Relationship("department", \.department, Mapping(Department.self) { Attribute("code", \.code) })
        }
        #expect(sales.staff == [ann] && lab.staff == [])
        let json = #"[{"number": 1, "department": {"code": "L"}}, {"number": 9, "department": {"code": "S"}}]"#
        _ = try await store.importJSON(Data(json.utf8), with: mapping)
        #expect(sales.staff == [ann] && ann.department === sales)
        _ = try await context.fetch(Skill.all)
        #expect(sales.staff.map(\.number) == [9] && lab.staff == [ann] && ann.department === lab)
    }

    // MARK: Attributes

    @Test(arguments: 0..<22)
    func `an attribute of every type is merged, kept and compared`(_ property: Int) throws {
        let context = ObjectContext(try ManagedModel.store())
        let sample = Sample(in: context)
        sample.sampleID = 1
        var values = RandomQueries(random: SeededGenerator(seed: property))
        values.fill(sample, property)
        try context.save()
        let other = ObjectContext(context.store)
        let theirs = try #require(try other.find(Sample.self, 1))
        func state(_ sample: Sample) -> [StoredValue] { sample.managed.snapshot().values }
        /// Assigns another value than that of two samples.
        func change(_ sample: Sample, unlike a: [StoredValue], _ b: [StoredValue]) {
            repeat { values.fill(sample, property) } while state(sample) == a || state(sample) == b
        }
        let first = state(sample)
        change(theirs, unlike: first, first)
        try other.save()
        #expect(state(sample) == first)
        _ = try context.count(Sample.all)
        let second = state(theirs)
        #expect(state(sample) == second && first != second && !context.hasChanges)
        change(sample, unlike: second, second)
        let mine = state(sample)
        change(theirs, unlike: second, second)
        try other.save()
        _ = try context.count(Sample.all)
        #expect(state(sample) == mine)
        let error = saveError(context)
        let index = try #require(mine.indices.first { mine[$0] != second[$0] })
        #expect(error?.kind == .conflict && error?.conflicts.count == 1)
        #expect(error?.conflicts.first?.base == second[index] && error?.conflicts.first?.mine == mine[index])
        #expect(error?.conflicts.first?.theirs == state(theirs)[index])
        context.rollback()
        #expect(state(sample) == state(theirs))
    }
}
