import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// How a context handles changes that another process, a SQL tool or another context saves.
@Suite struct OtherWriterTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext
    let sales: Department
    let ann: Employee
    let bob: Employee

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = ObjectContext(store)
        sales = Department(in: context)
        (sales.code, sales.title) = ("S", "Sales")
        (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        ann.department = sales
        try context.save()
    }

    /// Runs statements in another process.
    private func otherProcess(runs sql: String) async {
        await #expect(processExitsWith: .success) { [path = folder.path as String, sql = sql as String] in
            let database = try SQLiteDatabase(path: path + "/company.sqlite", mode: .readWrite)
            try database.execute(sql)
            database.close()
        }
    }

    private func saveError() -> StoreError? {
        do throws(StoreError) {
            try context.save()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Fetches

    @Test func `a fetch has the values, rows and deletions of another process`() async throws {
        #expect(sales.staff == [ann])
        await otherProcess(
            runs: """
                UPDATE Employee SET name = 'Anna', department = NULL WHERE number = 1;
                DELETE FROM Employee WHERE number = 2;
                INSERT INTO Employee(_id, number, name, department) VALUES(7, 3, 'Cem', 1)
                """)
        #expect(ann.name == "Ann" && ann.department === sales)
        let found = try await context.fetch(Employee.all.sorted(by: \.number))
        #expect(found.map(\.name) == ["Anna", "Cem"] && found[0] === ann && ann.name == "Anna")
        #expect(ann.department == nil && found[1].department === sales)
        #expect(try await context.fetch(Employee.where { $0.department == sales }) == [found[1]])
        #expect(bob.name == "Bob" && bob.managed.state == .deleted && bob.managed.context == nil)
    }

    @Test func `a fetched object has the members of its lists that another process saved`() async throws {
        #expect(sales.staff == [ann])
        await otherProcess(runs: "UPDATE Employee SET department = 1")
        #expect(sales.staff == [ann])
        #expect(try await context.fetch(Department.all) == [sales])
        #expect(sales.staff == [ann, bob])
    }

    @Test func `no property changes between merge points`() async throws {
        context.refresh(bob)
        await otherProcess(runs: "UPDATE Employee SET name = name || 2")
        #expect(ann.name == "Ann" && !ann.managed.isFault)
        // A fault has not been read yet.
        #expect(bob.name == "Bob2")
        // Reading the list reads the rows of its members.
        #expect(sales.staff == [ann] && ann.name == "Ann")
        #expect(try await context.object(with: ann.managed.id) === ann && ann.name == "Ann")
        _ = try await context.fetch(Department.all)
        #expect(ann.name == "Ann2")
    }

    @Test func `a fetch keeps assigned attributes and updates the others`() async throws {
        ann.name = "Mine"
        await otherProcess(runs: "UPDATE Employee SET name = 'Theirs', mail = 'ann@example.com' WHERE number = 1")
        #expect(try await context.fetch(Employee.where { $0.mail == "ann@example.com" }) == [ann])
        #expect(ann.name == "Mine" && ann.mail == "ann@example.com")
        #expect(ann.managed.changes.map(\.old) == ["Ann"])
        // A fetched change is still a conflict: the local change was made without it.
        #expect(saveError()?.conflicts.map(\.theirs) == ["Theirs"])
    }

    @Test func `a fetch finds what another process saved by an unsaved change's side`() async throws {
        let new = context.employee(9, "new")
        new.department = sales
        await otherProcess(runs: "INSERT INTO Employee(number, name, department) VALUES(3, 'Cem', 1)")
        let found = try await context.fetch(Employee.where { $0.department == sales }.sorted(by: \.number))
        #expect(found.map(\.name) == ["Ann", "Cem", "new"])
        try await context.save()
        #expect(try await context.ids(Employee.all.sorted(by: \.number)).map(\.description).last == "Employee/4")
    }

    // MARK: Saves

    @Test(arguments: [MergePolicy.throwConflict, .storeWins, .objectWins])
    func `a save of a stale object detects the conflict by its base values`(_ policy: MergePolicy) async throws {
        context.mergePolicy = policy
        (ann.name, ann.rank) = ("Mine", .senior)
        await otherProcess(runs: "UPDATE Employee SET name = 'Theirs', mail = 'ann@example.com' WHERE number = 1")
        let error = saveError()
        switch policy {
        case .throwConflict:
            #expect(error?.kind == .conflict && ann.name == "Mine" && context.updatedObjects == [ann])
            #expect(error?.conflicts.map { [$0.base, $0.mine, $0.theirs] } == [["Ann", "Mine", "Theirs"]])
            #expect(
                error?.description == """
                    save conflict: the same attributes were changed in the store after the objects were read; discard the changes of \
                    these objects with refresh(object) of the context and repeat them, or set mergePolicy
                    - Employee.name of Employee/1 was changed by others
                    """)
            #expect(try context.value("SELECT name || rank FROM Employee WHERE number = 1")?.text == "Theirsjunior")
        case .storeWins, .objectWins:
            let name = policy == .storeWins ? "Theirs" : "Mine"
            #expect(error == nil && ann.name == name && ann.rank == .senior && ann.mail == "ann@example.com")
            #expect(
                try context.value("SELECT name || rank || mail FROM Employee WHERE number = 1")?.text
                    == name + "seniorann@example.com")
        }
    }

    @Test(arguments: [MergePolicy.throwConflict, .storeWins, .objectWins])
    func `a relationship that another process set, too, is decided by the policy`(_ policy: MergePolicy) async throws {
        context.mergePolicy = policy
        ann.department = nil
        await otherProcess(
            runs: """
                INSERT INTO Department(code, title) VALUES('P', 'Press');
                UPDATE Employee SET department = 2 WHERE number = 1
                """)
        let error = saveError()
        #expect(
            error?.conflicts.map { [$0.base, $0.mine, $0.theirs] }
                == (policy == .throwConflict ? [[1, .null, 2]] : nil))
        if policy != .throwConflict { #expect(ann.department?.code == (policy == .storeWins ? "P" : nil)) }
    }

    @Test(arguments: [MergePolicy.throwConflict, .storeWins, .objectWins])
    func `a save of an object that another process deleted is an error`(_ policy: MergePolicy) async throws {
        context.mergePolicy = policy
        await otherProcess(runs: "DELETE FROM Employee WHERE number = 2")
        (ann.name, bob.name) = ("Anna", "Bobby")
        let error = saveError()
        #expect(error?.kind == .missingObject)
        #expect(
            error?.description
                == "cannot save the object Employee/2: others deleted it; roll back, or delete it, too")
        #expect(try context.value("SELECT name FROM Employee WHERE number = 1")?.text == "Ann")
        context.delete(bob)
        try await context.save()
        #expect(try context.value("SELECT name FROM Employee")?.text == "Anna")
    }

    @Test(arguments: ["an update", "an insertion", "a list", "an ordered list"])
    func `a save of a relationship to an object that another process deleted is an error`(_ kind: String) async throws {
        let note = Note(in: context)
        try await context.save()
        switch kind {
        case "an update": bob.department = sales
        case "an insertion": context.employee(3, "Cem").department = sales
        case "a list": bob.friends = [ann]
        default: ann.notes = [note]
        }
        await otherProcess(
            runs: "UPDATE Employee SET department = NULL; DELETE FROM Department; DELETE FROM Employee WHERE number = 1"
        )
        let error = saveError()
        #expect(error?.kind == .missingObject)
        let name = kind.hasSuffix("list") ? "Employee/1" : "Department/1"
        #expect(
            error?.description
                == "cannot save: a relationship refers to the object \(name), which others deleted; refresh the objects, "
                + "or roll back", "\(error?.description ?? "-")")
        context.rollback()
        #expect(try context.value("PRAGMA foreign_key_check") == nil)
    }

    @Test func `a new object takes over the row that another process inserted with its identity`() async throws {
        let new = context.employee(3, "Mine")
        await otherProcess(runs: "INSERT INTO Employee(number, name, mail) VALUES(3, 'Theirs', 'cem@example.com')")
        try await context.save()
        #expect(new.name == "Mine" && new.mail == "cem@example.com" && new.managed.id.description == "Employee/3")
    }

    @Test func `two processes save the same object graph with their own contexts`() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let store = try ManagedObjectStore(
                at: URL(fileURLWithPath: path + "/company.sqlite"), model: Company.model())
            try await store.perform { context in
                let ann = try #require(try context.find(Employee.self, 1))
                ann.notes = [Note(in: context), Note(in: context)]
                ann.notes[1].text = "second"
                context.employee(3, "Cem").department = ann.department
                try context.save()
            }
        }
        let employees = try await context.fetch(Employee.all)
        let cem = try #require(employees.last)
        #expect(cem.department === sales && ann.notes.map(\.text) == ["", "second"])
        cem.department = nil
        ann.notes.swapAt(0, 1)
        try await context.save()
        #expect(try SeedDatabase(at: folder.file("company.sqlite")).damages().isEmpty)
        let other = ObjectContext(store)
        #expect(try await other.find(Employee.self, 1)?.notes.map(\.text) == ["second", ""])
    }

    // MARK: Executors

    @Test @MainActor func `contexts of the main actor and of perform see each other's saves`() async throws {
        let main = store.mainContext
        let ann = try #require(try await main.find(Employee.self, 1))
        let id = ann.managed.id
        let name = try await store.perform { context in
            let same: Employee = try context.object(with: id)
            same.name = "Anna"
            try context.save()
            return same.name
        }
        #expect(name == "Anna")
        #expect(await eventually { ann.name == "Anna" })
        #expect(try await main.fetch(Employee.where { $0.name == "Anna" }) == [ann] && ann.name == "Anna")
        ann.name = "Annie"
        try await main.save()
        #expect(try await store.perform { try $0.object(with: id, as: Employee.self).name } == "Annie")
    }

    @Test @MainActor func `a save on the main actor detects what perform has saved meanwhile`() async throws {
        let main = store.mainContext
        let ann = try #require(try await main.find(Employee.self, 1))
        let id = ann.managed.id
        ann.name = "Mine"
        try await store.perform { context in
            context.delete(try context.find(Employee.self, 2) ?? Employee())
            try context.object(with: id, as: Employee.self).name = "Theirs"
            try context.save()
        }
        let error = #expect(throws: StoreError.self) { try main.save() }
        #expect(error?.conflicts.map(\.theirs) == ["Theirs"])
        main.rollback()
        #expect(ann.name == "Theirs")
        #expect(try await main.fetch(Employee.all) == [ann])
    }
}
