import Foundation
import ObjectMapping
import Observation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ContextTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = ObjectContext(store)
    }

    private func savedEmployee() throws -> Employee {
        let ann = context.employee(1, "Ann")
        try context.save()
        return ann
    }

    // MARK: Identity

    @Test func `a context has one object for each row`() throws {
        let ann = try savedEmployee()
        let id = ann.managed.id
        #expect(try context.object(with: id) === ann)
        #expect(try ObjectContext(store).object(with: id) !== ann)
    }

    @Test func `objects without changes live as long as the program holds them`() throws {
        weak var released: Employee?
        let id: ObjectID
        do {
            let ann = try savedEmployee()
            id = ann.managed.id
            released = ann
        }
        #expect(released == nil && context.registeredObjects.isEmpty)
        let again: Employee = try context.object(with: id)
        again.name = "Bea"
        #expect(context.registeredObjects.count == 1)
    }

    @Test func `each row has one object while many others are created and released`() throws {
        var kept: [Int: Employee] = [:]
        for round in 0..<4 {
            // New objects have their own rows, so that the table of rows grows and shrinks.
            for number in 1...2500 {
                let employee = context.employee(round * 2500 + number, "Ann")
                if number % 500 == 0 { kept[round * 2500 + number] = employee }
            }
            try context.save()
            for (number, employee) in kept { #expect(try context.find(Employee.self, number) === employee) }
        }
        #expect(context.registeredObjects == Set(kept.values))
        let all = try context.fetch(Employee.all)
        #expect(all.count == 10_000 && Set(all).count == 10_000 && Set(all).isSuperset(of: kept.values))
    }

    @Test func `finding many objects does not retain released ones`() throws {
        for number in 1...5000 { _ = context.employee(number, "Ann") }
        try context.save()
        let other = ObjectContext(store)
        let first = try #require(try other.find(Employee.self, 1))
        for number in 1...5000 { #expect(try other.find(Employee.self, number)?.number == number) }
        #expect(other.core.identities.allSatisfy { $0.count <= 1000 })
        #expect(try other.find(Employee.self, 1) === first)
    }

    @Test func `a temporary ID finds the object after the save, in every context`() throws {
        let ann = context.employee(1, "Ann")
        let id = ann.managed.id
        #expect(id.isTemporary)
        let other = ObjectContext(store)
        let early = #expect(throws: StoreError.self) { try other.object(with: id) }
        #expect(early?.kind == .missingObject)
        try context.save()
        #expect(ann.managed.id.isTemporary == false)
        #expect(try context.object(with: id) === ann)
        let read: Employee = try other.object(with: id)
        #expect(read.name == "Ann")
    }

    @Test func `an identity that was not assigned is null and identifies nothing`() throws {
        let (first, second) = (Employee(in: context), Employee(in: context))
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Employee WHERE number IS NULL")?.integer == 2)
        context.refresh()
        #expect(first.number == 0 && second.number == 0)
        for _ in 1...2 { #expect(try context.find(Employee.self, 0) == nil) }
        let zero = context.employee(0, "Zoe")
        try context.save()
        first.name = "Ann"
        #expect(try context.find(Employee.self, 0) === zero)
        #expect(try context.fetch(Employee.where { $0.number == 0 }) == [zero])
        second.number = 3
        try context.save()
        #expect(try context.find(Employee.self, 3) === second && context.find(Employee.self, 0) === zero)
        let other = ObjectContext(store)
        let read = try other.fetch(Employee.where { $0.name == "Ann" })
        read.first?.name = "Anna"
        let found = try other.find(Employee.self, 0)
        #expect(found?.name == "Zoe" && found != read.first)
    }

    @Test func `a new object whose identity exists adopts the row, and keeps assigned attributes`() throws {
        let ann = try savedEmployee()
        ann.nicknames = ["A"]
        try context.save()
        let other = ObjectContext(store)
        let again = other.employee(1, "Anna")
        try other.save()
        #expect(again.nicknames == ["A"] && again.name == "Anna")
        #expect(again.managed.id == ann.managed.id)
        #expect(try context.value("SELECT count(*) FROM Employee")?.integer == 1)
    }

    @Test func `an identity that another object of the context has is an error`() throws {
        let ann = try savedEmployee()
        let again = context.employee(1, "Anna")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .identityTaken)
        #expect(error?.message.contains("by Employee/1, which is registered in the context") == true)
        again.number = 2
        try context.save()
        again.number = 1
        let taken = #expect(throws: StoreError.self) { try context.save() }
        #expect(taken?.kind == .identityTaken)
        #expect(
            taken?.description == """
                cannot save the object \(again.managed.id): its identity (number) is taken by another \
                object; delete the other object first
                """)
        context.rollback()
        #expect(again.number == 2 && ann.number == 1)
    }

    @Test func `two new objects with one identity are an error`() throws {
        _ = (context.employee(1, "Ann"), context.employee(1, "Bob"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .identityTaken)
        #expect(try context.value("SELECT count(*) FROM Employee")?.integer == 0)
    }

    // MARK: Saving

    @Test func `a save has all problems of all objects and writes nothing`() throws {
        let (ann, badge, room) = (context.employee(1, "Ann"), Badge(in: context), Department(in: context))
        ann.share = .nan
        _ = (badge, room)
        context.employee(2, "Bob").share = 2
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObjects)
        #expect(
            error?.problems.map { "\($0.object.entity).\($0.property ?? "-"): \($0.message)" } == [
                "Employee.share: NaN cannot be stored as double",
                "Badge.owner: an object is required, found nil; assign one, or delete this object",
                "Department.title: a value is required, found nil",
                "Employee.-: the share is above 1",
            ])
        #expect(error?.message == "cannot save 4 invalid objects, nothing was saved")
        #expect(context.insertedObjects.count == 4)
        #expect(try context.value("SELECT count(*) FROM Employee")?.integer == 0)
    }

    /// Values that a column cannot hold, and the attribute.
    static let unstorable: [(String, @Sendable (Sample) -> Void)] = [
        ("date", { $0.date = Date(timeIntervalSince1970: -1e11) }),
        ("date", { $0.date = Date(timeIntervalSince1970: .nan) }),
        ("optionalDate", { $0.optionalDate = Date(timeIntervalSince1970: 1e300) }),
        ("decimal", { $0.decimal = .nan }),
        ("optionalDecimal", { $0.optionalDecimal = .nan }),
        ("numbers", { $0.numbers = [1, .nan] }),
        ("moments", { $0.moments = [Date(timeIntervalSince1970: 1e300)] }),
    ]

    @Test(arguments: unstorable.indices)
    func `a value that a column cannot hold is refused, and not saved as null`(_ index: Int) throws {
        let (name, assign) = Self.unstorable[index]
        let context = ObjectContext(try ManagedModel.store())
        let sample = Sample(in: context)
        assign(sample)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.property) == [name])
        #expect(error?.problems.first?.message.contains("cannot be stored as") == true)
    }

    @Test func `willSave may change the object`() throws {
        let ann = context.employee(1, "shout")
        try context.save()
        #expect(ann.name == "SHOUT")
        #expect(try context.value("SELECT name FROM Employee")?.text == "SHOUT")
    }

    @Test func `only changes are written`() throws {
        let ann = try savedEmployee()
        let log = StatementLog(store)
        ann.name = "Bea"
        ann.name = "Ann"
        try context.save()
        #expect(!log.take().contains { $0.hasPrefix("UPDATE") })
        ann.share = 0.1
        try context.save()
        #expect(log.take().contains(#"UPDATE "Employee" SET "share" = ? WHERE "_id" = ? AND "share" IS ?"#))
        try context.save()
        #expect(log.take().isEmpty)
    }

    @Test func `row numbers are never used again`() throws {
        let ann = try savedEmployee()
        context.delete(ann)
        try context.save()
        let bob = context.employee(2, "Bob")
        try context.save()
        #expect(bob.managed.id.description == "Employee/2")
    }

    @Test func `an object may be deleted and its identity given to a new one in one save`() throws {
        context.delete(try savedEmployee())
        let again = context.employee(1, "Anna")
        try context.save()
        #expect(again.managed.id.description == "Employee/2")
    }

    @Test func `a unique attribute that repeats is an error that names the object`() throws {
        let (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        (ann.mail, bob.mail) = ("a@example.com", "a@example.com")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .constraint)
        #expect(
            error?.message.hasSuffix("another object of 'Employee' has the same value of 'mail', which must be unique")
                == true)
        #expect(error?.violation?.description == "Employee.mail" && error?.violation?.values == ["a@example.com"])
        #expect(try context.value("SELECT count(*) FROM Employee")?.integer == 0)
    }

    @Test func `an object whose class is not in the model cannot be saved`() throws {
        context.insert(Ring.self)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.message == "the class Ring is not part of the store's model")
    }

    // MARK: Undoing

    @Test func `rollback undoes changes, insertions and deletions`() throws {
        let (ann, bob) = (try savedEmployee(), context.employee(2, "Bob"))
        let sales = Department(in: context)
        (sales.code, sales.title) = ("S", "Sales")
        try context.save()
        ann.name = "Bea"
        ann.department = sales
        ann.friends = [bob]
        context.delete(bob)
        let new = context.employee(3, "Cem")
        context.rollback()
        #expect(!context.hasChanges)
        #expect(ann.name == "Ann" && ann.department == nil && ann.friends.isEmpty && sales.staff.isEmpty)
        #expect(bob.managed.state == .unchanged && bob.name == "Bob")
        #expect(
            new.managed.state == .detached && new.name == "Cem" && new.managed.id.description == "Employee/detached")
        new.name = "Cemre"
        try context.save()
        #expect(try context.value("SELECT count(*) FROM Employee")?.integer == 2)
    }

    @Test func `refresh reads the values again at their next use`() throws {
        let ann = try savedEmployee()
        let other = ObjectContext(store)
        let same: Employee = try other.object(with: ann.managed.id)
        same.name = "Bea"
        try other.save()
        #expect(ann.name == "Ann")
        context.refresh(ann)
        #expect(ann.managed.isFault)
        #expect(ann.name == "Bea" && !ann.managed.isFault)
    }

    @Test func `a fault whose row was deleted has defaults, and saving it is an error`() throws {
        let ann = try savedEmployee()
        context.refresh(ann)
        try store.write { (connection) throws(StoreError) in try connection.run("DELETE FROM Employee") }
        #expect(ann.name == "nobody")
        #expect(ann.managed.error?.message == "the object Employee/1 is no longer in the store")
        ann.share = 0
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .missingObject)
    }

    @Test func `an object is readable after its context is released`() throws {
        var temporary: ObjectContext? = ObjectContext(store)
        let id = try savedEmployee().managed.id
        let ann: Employee = try #require(temporary).object(with: id)
        let sales = try Department(in: #require(temporary))
        sales.code = "S"
        temporary = nil
        #expect(ann.name == "Ann" && sales.code == "S" && ann.managed.context == nil)
        #expect(ann.friends.isEmpty && ann.department == nil)
        #expect(ann.managed.error?.message == "the context of the object is gone")
        ann.name = "Bea"
        #expect(ann.name == "Bea")
    }

    @Test func `a required object of another context is one problem`() throws {
        let badge = Badge(in: context)
        let other = ObjectContext(store)
        badge.owner = other.employee(1, "Ann")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.problems.map(\.description) == [
                "Badge.owner of \(badge.managed.id): "
                    + "the object belongs to another context; fetch it in this one by its ID"
            ])
    }

    @Test func `a relationship to an object of another context is refused by the save`() throws {
        let ann = context.employee(1, "Ann")
        let other = ObjectContext(store)
        let sales = Department(in: other)
        (sales.code, sales.title) = ("S", "Sales")
        ann.department = sales
        #expect(ann.department == nil)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.problems.first?.description
                == "Employee.department of \(ann.managed.id): "
                + "the object belongs to another context; fetch it in this one by its ID")
        try other.save()
        ann.department = try context.object(with: sales.managed.id, as: Department.self)
        try context.save()
    }

    // MARK: Other writers

    @Test(arguments: [MergePolicy.throwConflict, .storeWins, .objectWins])
    func `the policy decides about an attribute that others changed, too`(_ policy: MergePolicy) throws {
        let ann = try savedEmployee()
        let other = ObjectContext(store)
        let same: Employee = try other.object(with: ann.managed.id)
        (same.name, same.share) = ("Theirs", 0.1)
        try other.save()
        (ann.name, ann.rank) = ("Mine", .senior)
        context.mergePolicy = policy
        let error: StoreError?
        do throws(StoreError) {
            try context.save()
            error = nil
        } catch let thrown {
            error = thrown
        }
        if policy == .throwConflict {
            #expect(error?.kind == .conflict)
            #expect(
                error?.conflicts.map { "\($0.property) \($0.base ?? .null) \($0.mine) \($0.theirs)" }
                    == ["name 'Ann' 'Mine' 'Theirs'"])
            #expect(ann.name == "Mine")
        } else {
            #expect(error == nil)
            #expect(ann.name == (policy == .storeWins ? "Theirs" : "Mine"))
            #expect(ann.rank == .senior && ann.share == 0.1)
        }
    }

    @Test func `a change of another attribute is not a conflict`() throws {
        let ann = try savedEmployee()
        let other = ObjectContext(store)
        let same: Employee = try other.object(with: ann.managed.id)
        same.share = 0.1
        try other.save()
        ann.name = "Mine"
        try context.save()
        context.refresh(ann)
        #expect(ann.share == 0.1 && ann.name == "Mine")
    }

    @Test func `contexts on several threads lose no change of the same row`() async throws {
        let id = try savedEmployee().managed.id
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        try await store.perform { context in
                            let ann: Employee = try context.object(with: id)
                            ann.number += 1
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try context.value("SELECT number FROM Employee")?.integer == 161)
    }

    @Test func `objects may be released on any thread`() async throws {
        let store = store
        for round in 0..<20 {
            let context = ObjectContext(store)
            nonisolated(unsafe) let objects = (0..<50).map { context.employee(round * 100 + $0 + 10, "x") }
            try await context.save()
            await withTaskGroup(of: Int.self) { group in
                for index in 0..<4 { group.addTask { objects[index].number } }
            }
        }
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func `perform discards unsaved changes`() async throws {
        try await store.perform { context in _ = context.employee(5, "Eve") }
        #expect(try context.value("SELECT count(*) FROM Employee")?.integer == 0)
    }

    @Test @MainActor func `objects of the main context report reads and changes to observers`() throws {
        let context = store.mainContext
        #expect(context === store.mainContext)
        let ann = context.employee(1, "Ann")
        try context.save()
        nonisolated(unsafe) var changes = 0
        withObservationTracking {
            _ = (ann.name, ann.friends)
        } onChange: {
            changes += 1
        }
        ann.share = 0
        #expect(changes == 0)
        ann.name = "Bea"
        #expect(changes == 1)
        withObservationTracking {
            _ = ann.friends
        } onChange: {
            changes += 1
        }
        ann.friends.append(ann)
        #expect(changes == 2)
    }

    // MARK: Faulting

    @Test func `awakeFromFetch may read other objects, also in a store in memory`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Album.self, Track.self))
        let context = ObjectContext(store)
        let album = Album(in: context)
        album.tracks = [Track(in: context), Track(in: context)]
        try context.save()
        let other = ObjectContext(store)
        let read: Album = try other.object(with: album.managed.id)
        #expect(read.trackCount == 2)
    }

    @Test func `a relationship is read for all objects of a fetch in one query`() throws {
        for index in 1...30 {
            let department = Department(in: context)
            (department.code, department.title) = ("\(index)", "x")
            for number in 0..<3 { context.employee(index * 10 + number, "e").department = department }
        }
        try context.save()
        let other = ObjectContext(store)
        let employees = store.entities[1]
        let page = try other.core.read(employees, rows: (1...90).map { Int64($0) }).compactMap { $0 as? Employee }
        #expect(page.count == 90)
        let log = StatementLog(store)
        #expect(page.compactMap { $0.department?.code }.count == 90)
        #expect(log.take().count == 1)
        let departments = page.compactMap(\.department)
        #expect(departments.allSatisfy { $0.staff.count == 3 })
        #expect(log.take().count == 1)
        #expect(page.allSatisfy { $0.notes.isEmpty })
        #expect(log.take().count == 1)
        other.refresh()
        #expect(page.filter { $0.name == "e" }.count == 90)
        #expect(log.take().count == 1)
    }

    @Test func `the targets of 10,000 objects are read in one query for each thousand`() throws {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
        try context.write(
            sql: #"INSERT INTO "Department"("_id", "code", "title") \#(numbers) SELECT i, 'd' || i, 'x' FROM n"#)
        try context.write(
            sql: #"INSERT INTO "Employee"("_id", "number", "department") \#(numbers) SELECT i, i, i FROM n"#)
        let other = ObjectContext(store)
        let employees = try other.fetch(Employee.all)
        let log = StatementLog(store)
        let departments = employees.compactMap(\.department)
        #expect(departments.count == 10_000 && departments[9_999].code == "d10000")
        #expect(log.take().count == 10)
    }
}

/// A class whose objects count their tracks when they are read.
final class Album: ManagedObject {
    @Stored(.transient) var trackCount = 0
    @ToMany(inverse: \Track.album) var tracks: [Track]

    override func awakeFromFetch() { trackCount = tracks.count }
}

final class Track: ManagedObject {
    @ToOne var album: Album?
}
