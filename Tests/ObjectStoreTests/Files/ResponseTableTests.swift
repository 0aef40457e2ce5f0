import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ResponseTableTests {
    private let create =
        "CREATE TABLE \(LoadRecord.table)(\"number\", \"request\", \"account\", \"mapping\", \"tag\", \"date\", \"parts\", "
        + "\"rows\", \"entities\", \"time\")"
    private let insert = "INSERT INTO \(LoadRecord.table)(\"tag\", \"entities\") VALUES('v1', '[\"Skill\"]')"

    private func save(_ name: String, in store: ManagedObjectStore) throws {
        let context = ObjectContext(store)
        Skill(in: context).name = name
        try context.save()
    }

    @Test func `A table whose creation was rolled back is not used, also if another change has its version`() throws {
        let store = try Company.store()
        try store.write { (connection) throws(StoreError) in
            let before = try connection.schemaVersion()
            do throws(StoreError) {
                try connection.transaction { () throws(StoreError) in
                    try connection.database.execute(create)
                    #expect(try LoadRecord.isUsable(connection))
                    throw StoreError(.misuse, "rolled back")
                }
            } catch { #expect(error.message == "rolled back") }
            #expect(try connection.schemaVersion() == before)
            try connection.transaction { () throws(StoreError) in
                try connection.database.execute("CREATE TABLE other(value)")
                #expect(try connection.schemaVersion() == before + 1)
                #expect(try !LoadRecord.isUsable(connection))
            }
        }
        try save("sailing", in: store)
    }

    @Test func `A table whose removal was rolled back is used`() throws {
        let store = try Company.store()
        try store.write { (connection) throws(StoreError) in
            try connection.database.execute(create)
            do throws(StoreError) {
                try connection.transaction { () throws(StoreError) in
                    try connection.database.execute("DROP TABLE \(LoadRecord.table)")
                    #expect(try !LoadRecord.isUsable(connection))
                    throw StoreError(.misuse, "rolled back")
                }
            } catch { #expect(error.message == "rolled back") }
            try connection.database.execute("CREATE TABLE other(value)")
            #expect(try LoadRecord.isUsable(connection))
        }
    }

    @Test func `A save finds a table that another connection creates, deletes and replaces`() throws {
        let folder = try TemporaryDirectory()
        let store = try Company.store(in: folder)
        let other = try SQLiteDatabase(path: folder.file("company.sqlite").path, mode: .readWrite)
        let context = ObjectContext(store)
        let skill = Skill(in: context)
        for name in ["sailing", "rowing", "diving"] {
            skill.name = name
            try context.save()
            try other.execute("\(create); \(insert)")
            skill.name += " at night"
            try context.save()
            #expect(try other.integer("SELECT count(\"tag\") FROM \(LoadRecord.table)") == 0)
            try other.execute("DROP TABLE \(LoadRecord.table)")
        }
    }

    @Test func `Only the first save reads the columns of the table`() throws {
        let store = try Company.store()
        let log = StatementLog(store)
        for count in [1, 0, 0] {
            try save("skill \(count)", in: store)
            #expect(log.take().count { $0.contains("pragma_table_info") } == count)
        }
    }
}
