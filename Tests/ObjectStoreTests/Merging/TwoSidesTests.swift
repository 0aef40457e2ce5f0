import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The same objects, changed by a context and by others.
@Suite struct TwoSidesTests {
    static let policies = [MergePolicy.throwConflict, .storeWins, .objectWins]

    /// A change of the same attribute by both sides.
    struct Case: Sendable {
        let property: Int
        let policy: MergePolicy
        /// Whether a merge point is between the commit of the others and the save.
        let isMerged: Bool

        static let all = (0..<22).flatMap { property in
            policies.flatMap { policy in
                [false, true].map { Case(property: property, policy: policy, isMerged: $0) }
            }
        }
    }

    @Test(arguments: Case.all)
    func `an attribute of every type that both sides change is decided by the policy`(_ test: Case) throws {
        let context = ObjectContext(try ManagedModel.store())
        context.mergePolicy = test.policy
        var values = RandomQueries(random: SeededGenerator(seed: test.property + 100))
        func state(_ sample: Sample) -> [StoredValue] { sample.managed.snapshot().values }
        /// Assigns a value unlike the base, and unlike that of the other side if the type has a third one.
        func change(_ sample: Sample, from base: [StoredValue], unlike other: [StoredValue]? = nil) {
            for _ in 0..<200 {
                values.fill(sample, test.property)
                if state(sample) != base, state(sample) != other { return }
            }
            repeat { values.fill(sample, test.property) } while state(sample) == base
        }
        let sample = Sample(in: context)
        sample.sampleID = 1
        values.fill(sample, test.property)
        try context.save()
        let base = state(sample)
        let other = ObjectContext(context.store)
        let theirs = try #require(try other.find(Sample.self, 1))
        change(sample, from: base)
        let mine = state(sample)
        change(theirs, from: base, unlike: mine)
        let stored = state(theirs)
        try other.save()
        if test.isMerged { _ = try context.count(Sample.all) }
        #expect(state(sample) == mine)
        do throws(StoreError) {
            try context.save()
            #expect(test.policy != .throwConflict)
            #expect(state(sample) == (test.policy == .storeWins ? stored : mine))
        } catch {
            let index = try #require(mine.indices.first { mine[$0] != base[$0] })
            #expect(test.policy == .throwConflict && error.kind == .conflict)
            #expect(
                error.conflicts.map { [$0.base, $0.mine, $0.theirs] } == [[base[index], mine[index], stored[index]]])
            context.rollback()
            #expect(state(sample) == stored)
        }
        #expect(!context.hasChanges)
        #expect(state(try #require(try ObjectContext(context.store).find(Sample.self, 1))) == state(sample))
    }

    // MARK: Owners

    enum Relationship: CaseIterable { case toOne, list, oneToOne, manyToMany }

    @Test(arguments: Relationship.allCases, policies)
    func `an object that both sides give another owner has one owner afterwards`(
        _ relationship: Relationship, _ policy: MergePolicy
    ) throws {
        let store = try Company.store()
        let (context, other) = (ObjectContext(store), ObjectContext(store))
        context.mergePolicy = policy
        let people = (1...3).map { context.employee($0, "n\($0)") }
        let departments = ["a", "b", "c"].map { code in
            let department = Department(in: context)
            (department.code, department.title) = (code, code)
            return department
        }
        let (note, badge, skill) = (Note(in: context), Badge(in: context), Skill(in: context))
        skill.name = "Swift"
        /// Gives the object to an owner, by its own side or by that of the owner.
        func move(_ index: Int, in context: ObjectContext, byOwner: Bool) throws {
            let owner = try #require(try context.find(Employee.self, index + 1))
            switch relationship {
            case .toOne:
                let member = try #require(try context.find(Employee.self, 1))
                let department = try #require(try context.find(Department.self, ["a", "b", "c"][index]))
                if byOwner { department.staff.append(member) } else { member.department = department }
            case .list:
                let note = try #require(try context.fetch(Note.all).first)
                if byOwner { owner.notes.append(note) } else { note.author = owner }
            case .oneToOne:
                let badge = try #require(try context.fetch(Badge.all).first)
                if byOwner { owner.badge = badge } else { badge.owner = owner }
            case .manyToMany:
                let skill = try #require(try context.find(Skill.self, "Swift"))
                for person in skill.people where person !== owner { person.skills = [] }
                if byOwner { owner.skills = [skill] } else { skill.people = [owner] }
            }
        }
        func owners(_ context: ObjectContext) throws -> [[Int]] {
            let (people, departments) = (
                try context.fetch(Employee.all.sorted(by: \.number)),
                try context.fetch(Department.all.sorted(by: \.code))
            )
            return switch relationship {
            case .toOne: departments.map { $0.staff.map(\.number) }
            case .list: people.map { $0.notes.map { _ in 0 } }
            case .oneToOne: people.map { $0.badge == nil ? [] : [0] }
            case .manyToMany: people.map { $0.skills.map { _ in 0 } }
            }
        }
        (note.author, badge.owner, skill.people) = (people[0], people[0], [people[0]])
        people[0].department = departments[0]
        try context.save()
        _ = try (owners(context), owners(other))
        try move(1, in: context, byOwner: true)
        try move(2, in: other, byOwner: false)
        try other.save()
        do throws(StoreError) {
            try context.save()
        } catch {
            #expect(error.kind == .conflict && policy == .throwConflict)
            context.rollback()
        }
        let (mine, theirs) = (try owners(context), try owners(other))
        #expect(mine == theirs)
        #expect(mine == (try owners(ObjectContext(store))))
        // A many-to-many relationship has the additions of both.
        if relationship != .manyToMany { #expect(mine.joined().count == 1, "\(mine)") }
        #expect(mine[0].isEmpty)
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
        #expect(!context.hasChanges && departments.count == 3)
    }

    // MARK: Deletions

    @Test(arguments: MergePointTests.Writer.allCases, [false, true])
    func `an object that is deleted here and edited by any writer is deleted`(
        _ writer: MergePointTests.Writer, isMerged: Bool
    ) async throws {
        let folder = try TemporaryDirectory()
        let store = try Company.store(in: folder)
        let context = ObjectContext(store)
        let ann = context.employee(1, "Ann")
        try await context.save()
        context.delete(ann)
        try await writer.rename(1, "Anna", in: store, folder)
        if isMerged { _ = try await context.count(Skill.all) }
        #expect(ann.managed.state == .deleted)
        try await context.save()
        #expect(try await ObjectContext(store).count(Employee.all) == 0)
    }

    @Test(arguments: MergePointTests.Writer.allCases)
    func `unsaved values of an object that another writer deletes are kept, and its save is an error`(
        _ writer: MergePointTests.Writer
    ) async throws {
        let folder = try TemporaryDirectory()
        let store = try Company.store(in: folder)
        let context = ObjectContext(store)
        let (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        try await context.save()
        (ann.name, bob.name) = ("Mine", "Mine, too")
        try await writer.delete(1, in: store, folder)
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.kind == .missingObject && ann.name == "Mine")
        context.rollback()
        // A merge point, for the deletion by another store.
        _ = try await context.count(Skill.all)
        #expect(ann.managed.context == nil && bob.name == "Bob")
        bob.name = "Bobby"
        try await context.save()
        #expect(try await ObjectContext(store).values(of: \.name, Employee.all) == ["Bobby"])
    }

    // MARK: Between merge points

    /// All properties of objects: the values of attributes, and the rows of the objects in relationships.
    private func properties(_ objects: [ManagedObject]) -> [[String]] {
        objects.map { object in
            guard let core = object.core else { return [] }
            object.fireIfFault()
            let type = core.entity(of: object).type
            return type.attributes.filter { !$0.isTransient }.map {
                "\($0.name) \(String(describing: $0.storedValue(of: object)))"
            }
                + type.relationships.indices.map { "\($0) \(core.targets(of: object, $0).map(\.row))" }
        }
    }

    private func all(_ context: ObjectContext) throws -> [ManagedObject] {
        try context.fetch(Employee.all.sorted(by: \.number)) + context.fetch(Department.all.sorted(by: \.code))
            + context.fetch(Note.all) + context.fetch(Skill.all) + context.fetch(Badge.all)
    }

    @Test(arguments: MergePointTests.Writer.allCases)
    func `no property of any object changes before a merge point, whoever writes`(_ writer: MergePointTests.Writer)
        async throws
    {
        let folder = try TemporaryDirectory()
        let store = try Company.store(in: folder)
        let context = ObjectContext(store)
        let people = (1...4).map { context.employee($0, "n\($0)") }
        let (department, skill, badge) = (Department(in: context), Skill(in: context), Badge(in: context))
        (department.code, department.title, skill.name, badge.owner) = ("a", "A", "Swift", people[1])
        department.staff = [people[0], people[1]]
        people[0].notes = (0..<3).map { _ in Note(in: context) }
        (people[2].skills, people[0].friends) = ([skill], [people[1], people[3]])
        try await context.save()
        let objects = try all(context)
        people[3].name = "Mine"
        var before = properties(objects)
        try await writer.rename(1, "Anna", in: store, folder)
        try await writer.delete(2, in: store, folder)
        try store.write(sql: #"UPDATE "Employee_notes" SET "position" = 9 - "position""#)
        #expect(properties(objects) == before)
        _ = (context.hasChanges, context.updatedObjects, people[0].managed.snapshot())
        people[2].share = 0.75
        before[2] = properties([people[2]])[0]
        #expect(properties(objects) == before)
        _ = try await context.count(Skill.all)
        let fresh = ObjectContext(store)
        let stored = try all(fresh)
        (people[3].name, people[2].share) = ("n4", 0.5)
        let kept = objects.filter { $0.managed.context != nil }
        #expect(kept.count == objects.count - 2 && properties(kept) == properties(stored))
        #expect(people[0].name == "Anna" && people[0].friends == [people[3]] && department.staff == [people[0]])
    }
}

extension MergePointTests.Writer {
    /// Changes the name of an employee.
    func rename(_ number: Int, _ name: String, in store: ManagedObjectStore, _ folder: TemporaryDirectory) async throws
    {
        let other = ObjectContext(store)
        let sql = #"UPDATE "Employee" SET "name" = '\#(name)' WHERE "number" = \#(number)"#
        let json = #"{"number": \#(number), "name": "\#(name)"}"#
        let mapping = Mapping(Employee.self) {
            Attribute("number", \.number)
            Attribute("name", \.name)
        }
        switch self {
        case .save:
            try await other.find(Employee.self, number)?.name = name
            try await other.save()
        case .map:
            _ = try await other.map(json, with: mapping)
            try await other.save()
        case .importJSON: _ = try await store.importJSON(Data(json.utf8), with: mapping)
        case .update: try await other.update(Employee.where { $0.number == number }) { $0.set(\.name, to: name) }
        case .contextSQL: try await other.write(sql: sql)
        case .storeSQL: try store.write(sql: sql)
        case .otherStore: try Company.store(in: folder).write(sql: sql)
        }
    }

    /// Deletes an employee, and what refers to it.
    func delete(_ number: Int, in store: ManagedObjectStore, _ folder: TemporaryDirectory) async throws {
        let other = ObjectContext(store)
        let statements = [
            #"UPDATE "Employee" SET "badge" = NULL WHERE "number" = \#(number)"#,
            #"DELETE FROM "Badge" WHERE "owner" IN (SELECT "_id" FROM "Employee" WHERE "number" = \#(number))"#,
            #"DELETE FROM "Employee_friends" WHERE "target" IN (SELECT "_id" FROM "Employee" WHERE "number" = \#(number))"#,
            #"DELETE FROM "Employee" WHERE "number" = \#(number)"#,
        ]
        switch self {
        case .save, .map, .importJSON:
            other.delete(try #require(try await other.find(Employee.self, number)))
            try await other.save()
        case .update: try await other.delete(Employee.where { $0.number == number })
        case .contextSQL: for sql in statements { try await other.write(sql: sql) }
        case .storeSQL: for sql in statements { try store.write(sql: sql) }
        case .otherStore:
            let store = try Company.store(in: folder)
            for sql in statements { try store.write(sql: sql) }
        }
    }
}
