import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Which statements `write(sql:)` and `rows(sql:)` run.
@Suite struct StatementRuleTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = ObjectContext(store)
        let sales = Department(in: context)
        (sales.code, sales.title) = ("S", "Sales")
        for number in 1...3 { context.employee(number, "employee \(number)").department = sales }
        try context.save()
    }

    private func expectIntact() throws {
        // Reads and saves work, in this store and in another one.
        let second = try Company.store(in: folder)
        let context = ObjectContext(second)
        let employee = context.employee(99, "new")
        try context.save()
        #expect(try ObjectContext(store).count(Employee.all) == 4)
        context.delete(employee)
        try context.save()
        #expect(try store.rows(sql: "SELECT count(*) FROM Employee").first?.values == [3])
    }

    static let refusedByBoth = [
        ("BEGIN", "BEGIN"), ("/* one */ BEGIN IMMEDIATE -- two", "BEGIN"), ("COMMIT", "COMMIT"), ("END", "COMMIT"),
        ("ROLLBACK", "ROLLBACK"), ("SAVEPOINT s", "SAVEPOINT, RELEASE or ROLLBACK TO"),
        ("RELEASE s", "SAVEPOINT, RELEASE or ROLLBACK TO"), ("PRAGMA query_only = 1", "PRAGMA query_only"),
        ("pragma/**/locking_mode=EXCLUSIVE", "PRAGMA locking_mode"),
        ("PRAGMA user_version = 7", "PRAGMA user_version"), ("PRAGMA application_id(7)", "PRAGMA application_id"),
        ("PRAGMA main.journal_mode = DELETE", "PRAGMA journal_mode"),
        ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"), ("PRAGMA writable_schema = 1", "PRAGMA writable_schema"),
        ("ATTACH ':memory:' AS other", "ATTACH"), ("DETACH main", "DETACH"),
    ]

    @Test(arguments: refusedByBoth) func `statements that change a connection or the file's header are refused by name`(
        _ sql: String, _ name: String
    ) throws {
        let write = #expect(throws: StoreError.self) { try store.write(sql: sql) }
        #expect(write?.kind == .misuse && write?.message == "expected a statement that changes rows, found \(name)")
        let inContext = #expect(throws: StoreError.self) { try context.write(sql: sql) }
        #expect(inContext == write)
        let read = #expect(throws: StoreError.self) { try store.rows(sql: sql) }
        #expect(read?.kind == .misuse && read?.message == "expected a statement that reads, found \(name)")
        let fetch = #expect(throws: StoreError.self) { try context.fetch(Employee.self, sql: sql) }
        #expect(fetch == read)
        let seed = #expect(throws: StoreError.self) {
            try SeedDatabase(at: folder.file("company.sqlite")).rows(sql: sql)
        }
        #expect(seed?.message == read?.message)
        try expectIntact()
    }

    @Test(arguments: [
        ("CREATE TABLE t(a)", "a change of the schema"), ("DROP TABLE Note", "a change of the schema"),
        ("CREATE TEMP TABLE t AS SELECT 1", "a change of the schema"),
        ("ALTER TABLE Note ADD COLUMN x", "a change of the schema"),
        ("CREATE TRIGGER t AFTER INSERT ON Note BEGIN SELECT 1; END", "a change of the schema"),
        ("VACUUM", "VACUUM"), ("VACUUM INTO 'x'", "VACUUM"), ("REINDEX", "REINDEX"),
        ("ANALYZE", "a change of the schema"),
        ("SELECT 1", "a statement that reads"), ("EXPLAIN DELETE FROM Note", "a statement that reads"),
        ("PRAGMA integrity_check", "PRAGMA integrity_check"),
        ("DELETE FROM _mappingkit", "a change of '_mappingkit', a table of MappingKit"),
        (
            "INSERT INTO \"_MappingKit_Pending\" DEFAULT VALUES",
            "a change of '_mappingkit_pending', a table of MappingKit"
        ),
        ("UPDATE main.[_mappingkit] SET value = 1", "a change of '_mappingkit', a table of MappingKit"),
    ]) func `write(sql:) refuses other statements than those that change rows`(_ sql: String, _ name: String) throws {
        let error = #expect(throws: StoreError.self) { try store.write(sql: sql) }
        #expect(error?.kind == .misuse && error?.message == "expected a statement that changes rows, found \(name)")
        try expectIntact()
    }

    @Test(arguments: [
        "DELETE FROM Note", "INSERT INTO Note(text) VALUES('x')", "VACUUM", "CREATE TABLE t(a)",
        "WITH w AS (SELECT 1) DELETE FROM Note", "REPLACE INTO Note(text) VALUES('x')",
    ]) func `rows(sql:) refuses statements that write`(_ sql: String) throws {
        let error = #expect(throws: StoreError.self) { try store.rows(sql: sql) }
        #expect(error?.kind == .misuse)
        #expect(error?.message.hasPrefix("expected a statement that reads, found a ") == true)
        try expectIntact()
    }

    @Test(arguments: [
        "UPDATE Employee SET name = 'x' WHERE number = 1; -- the first one",
        "-- the first one\nUPDATE Employee SET name = 'x' WHERE number = 1",
        " ; /* a */ UPDATE Employee SET name = 'x' WHERE number = 1;;/* b */",
        "UPDATE Employee SET name = 'x' WHERE number = 1; /* not ended",
        "WITH n AS (SELECT 1 AS n) UPDATE Employee SET name = 'x' WHERE number IN (SELECT n FROM n) RETURNING name",
        "REPLACE INTO Skill(name) VALUES('x')", "INSERT INTO Skill(name) SELECT 'PRAGMA query_only = 1; BEGIN'",
        "DELETE FROM Employee WHERE number = 3",
    ]) func `one statement that changes rows may have comments and a common table expression`(_ sql: String) throws {
        #expect(try store.write(sql: sql) == 1)
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: [
        "UPDATE Note SET text = 'x'; DELETE FROM Note", "UPDATE Note SET text = 'x'; -- a\n BEGIN",
        "UPDATE Note SET text = 'x'; x",
    ]) func `two statements are refused`(_ sql: String) throws {
        let error = #expect(throws: StoreError.self) { try store.write(sql: sql) }
        #expect(error?.kind == .misuse && error?.message == "more than one statement")
    }

    @Test(arguments: [
        "SELECT 1 -- one", "EXPLAIN QUERY PLAN SELECT * FROM Employee", "PRAGMA integrity_check", "PRAGMA user_version",
        "PRAGMA table_info(Employee)", "VALUES(1)", "SELECT * FROM _mappingkit",
        "SELECT * FROM pragma_table_info('Note')",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n",
    ]) func `rows(sql:) runs statements that read`(_ sql: String) throws {
        #expect(try !store.rows(sql: sql).isEmpty)
    }

    @Test func `a statement of the package does not permit the same text of a user`() throws {
        let memory = try Company.store()
        let context = ObjectContext(memory)
        _ = context.employee(1, "Ann")
        try context.save()
        for sql in ["BEGIN IMMEDIATE", "COMMIT"] {
            #expect(throws: StoreError.self) { try memory.rows(sql: sql) }
            #expect(throws: StoreError.self) { try memory.write(sql: sql) }
        }
        _ = context.employee(2, "Bob")
        try context.save()
        #expect(try context.count(Employee.all) == 2)
    }

    // MARK: References

    @Test func `a deletion that would leave references without targets is refused`() throws {
        let error = #expect(throws: StoreError.self) { try store.write(sql: "DELETE FROM Department") }
        #expect(error?.kind == .constraint && error?.entity == "Employee")
        #expect(
            error?.message
                == "the statement would leave 3 references of 'Employee.department' to rows of 'Department' that do not "
                + "exist; nothing was changed")
        #expect(try context.count(Department.all) == 1)
        try store.write(sql: "UPDATE Employee SET department = NULL")
        #expect(try store.write(sql: "DELETE FROM Department") == 1)
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `a deletion that would leave members of a list without a target is refused`() throws {
        let employees = try context.fetch(Employee.all)
        employees[0].friends = [employees[1]]
        try context.save()
        let error = #expect(throws: StoreError.self) {
            try context.write(sql: "DELETE FROM Employee WHERE number = ?", arguments: [2])
        }
        #expect(error?.message.contains("1 reference of 'Employee.friends' to rows of 'Employee'") == true)
        #expect(try context.count(Employee.all) == 3)
        #expect(try context.write(sql: "DELETE FROM Employee WHERE number = 3") == 1)
    }

    @Test(arguments: [
        "UPDATE Employee SET department = 77", "INSERT INTO Employee(number, department) VALUES(7, 77)",
        "UPDATE Department SET _id = 5", "REPLACE INTO Department(_id, code) VALUES(8, 'S')",
    ]) func `other statements that would leave references without targets are refused`(_ sql: String) throws {
        let error = #expect(throws: StoreError.self) { try store.write(sql: sql) }
        #expect(error?.kind == .constraint && error?.entity == "Employee", "\(error?.description ?? "-")")
        #expect(error?.message.contains("'Employee.department' to rows of 'Department'") == true)
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
        // Saves are not checked, and work as before.
        let employee = context.employee(50, "new")
        try context.save()
        #expect(employee.managed.id.description == "Employee/4")
    }

    @Test func `references that others have broken do not prevent other statements`() throws {
        let other = try SQLiteDatabase(path: folder.file("company.sqlite").path, mode: .readWrite)
        try other.execute("UPDATE Employee SET department = 77 WHERE number = 1")
        #expect(try store.write(sql: "UPDATE Employee SET name = 'x'") == 3)
        #expect(try store.write(sql: "DELETE FROM Employee WHERE number = 1") == 1)
    }

    @Test func `rows that a statement inserts do not have the numbers of deleted rows`() throws {
        let last = try #require(try context.find(Employee.self, 3)).managed.id
        try store.write(sql: "DELETE FROM Employee WHERE number = 3")
        try store.write(sql: "INSERT INTO Employee(number, name) VALUES(8, 'eight'), (9, 'nine')")
        #expect(try context.ids(Employee.all).map(\.row) == [1, 2, 4, 5])
        #expect(throws: StoreError.self) { try ObjectContext(store).object(with: last) }
    }

    @Test func `the numbers of rows that a statement deletes are not used again`() throws {
        let last = try #require(try context.find(Employee.self, 3)).managed.id
        try store.write(sql: "DELETE FROM Employee WHERE number = 3")
        let new = context.employee(4, "new")
        try context.save()
        #expect(last.description == "Employee/3" && new.managed.id.description == "Employee/4")
        try store.write(sql: "DELETE FROM Employee")
        _ = context.employee(5, "new")
        try context.save()
        #expect(try context.ids(Employee.all).map(\.description) == ["Employee/5"])
    }
}
