import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `SQLite` {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ mode: SQLiteDatabase.Mode = .create) throws -> SQLiteDatabase {
        try SQLiteDatabase(path: directory.file("test.sqlite").path, mode: mode, busyTimeout: 0)
    }

    @Test(
        arguments: [
            .null, 0, -1, .integer(.max), .integer(.min), 1.5, -0.0, "", "nul\0inside\0", "it's", "😀", .blob([]),
            .blob([0, 255]),
        ] as [StoredValue])
    func `values are returned as they were bound`(value: StoredValue) throws {
        let database = try open()
        #expect(try database.value("SELECT ?", [value]) == value)
        try database.execute("CREATE TABLE t(a)")
        try database.run("INSERT INTO t VALUES(?)", [value])
        #expect(try database.value("SELECT a FROM t") == value)
    }

    @Test func `borrowed texts and blobs are stored completely, even empty ones`() throws {
        let database = try open()
        try database.execute("CREATE TABLE t(a, b)")
        let insertion = try database.prepare("INSERT INTO t VALUES(?, ?)")
        for text in ["", "a\0b", "plain"] {
            try Array(text.utf8).withView { bytes in
                try insertion.bindText(lent: bytes, at: 1)
                try insertion.bindBlob(lent: bytes, at: 2)
                try insertion.run()
            }
        }
        let nothing = ByteView.empty
        try insertion.bindText(lent: nothing, at: 1)
        try insertion.bindBlob(lent: nothing, at: 2)
        try insertion.run()
        let rows = try database.prepare("SELECT typeof(a), length(CAST(a AS BLOB)), typeof(b), length(b) FROM t")
        var lengths: [Int64] = []
        while try rows.step() {
            #expect(rows.value(at: 0) == "text")
            #expect(rows.value(at: 2) == "blob")
            #expect(rows.integer(at: 1) == rows.integer(at: 3))
            lengths.append(rows.integer(at: 1))
        }
        #expect(lengths == [0, 3, 5, 0])
    }

    @Test func `a full disk has its own error`() throws {
        let database = try open()
        try database.execute("PRAGMA max_page_count = 3; CREATE TABLE t(a)")
        let error = #expect(throws: StoreError.self) {
            try database.run("INSERT INTO t VALUES(?)", [.blob(Array(repeating: 1, count: 100_000))])
        }
        #expect(error?.kind == .full)
        #expect(error?.code == 13)
        #expect(error?.description.contains("no space left to write '\(directory.file("test.sqlite").path)'") == true)
        #expect(error?.description.contains("free some space") == true)
    }

    @Test func `a store reports a full disk`() throws {
        let model = try ObjectModel(entities: [
            EntityDescription("Note", attributes: [AttributeDescription("text", AttributeType(.string))])
        ])
        let store = try RowStore(at: directory.file("test.sqlite").path, model: model)
        try store.database.execute("PRAGMA max_page_count = 10")
        let error = #expect(throws: StoreError.self) {
            for _ in 0..<100 {
                try store.insert(TestObject("Note", ["text": .value(.text(String(repeating: "x", count: 5000)))]))
            }
        }
        #expect(error?.kind == .full)
    }

    @Test func `kinds of files that cannot be opened are distinguished`() throws {
        let folder = #expect(throws: StoreError.self) {
            try SQLiteDatabase(path: directory.file("no/such/folder.sqlite").path, mode: .create)
        }
        #expect(folder?.kind == .cannotOpen)
        #expect(folder?.advice == "check that the folder exists and is writable")
        let missing = #expect(throws: StoreError.self) { try open(.readOnly) }
        #expect(missing?.kind == .cannotOpen)
        #expect(throws: StoreError.self) { try SQLiteDatabase(path: "/tmp/a\0b", mode: .create) }
        try Data(repeating: 7, count: 5000).write(to: directory.file("test.sqlite"))
        let noise = #expect(throws: StoreError.self) { try open().integer("PRAGMA user_version") }
        #expect(noise?.kind == .corrupt)
    }

    @Test func `a database that another connection holds is busy`() throws {
        let first = try open()
        try first.execute("CREATE TABLE t(a); BEGIN EXCLUSIVE")
        let error = #expect(throws: StoreError.self) { try open().execute("INSERT INTO t VALUES(1)") }
        #expect(error?.kind == .busy)
    }

    @Test(arguments: [(code: Int32(6922), kind: StoreError.Kind.replaced, opened: 2), (266, .inputOutput, 1)])
    func `a reader that SQLite has ended because its file was moved is not used again`(
        code: Int32, kind: StoreError.Kind, opened: Int
    ) throws {
        let path = directory.file("test.sqlite").path
        try open().execute("CREATE TABLE t(a)")
        let count = Mutex(0)
        let writer = StoreConnection(try open())
        let pool = ConnectionPool(writer: writer, isReadOnly: true, timeout: .seconds(1)) { () throws(StoreError) in
            count.withLock { $0 += 1 }
            return StoreConnection(try SQLiteDatabase(path: path, mode: .readOnly))
        }
        let error = #expect(throws: StoreError.self) {
            try pool.read { (_) throws(StoreError) in
                throw StoreError(code: code, message: "disk I/O error", path: path, sql: nil)
            }
        }
        #expect(error?.kind == kind && error?.code == code)
        let rows = try pool.read { (reader) throws(StoreError) in try reader.integer("SELECT count(*) FROM t") }
        #expect(rows == 0)
        #expect(count.withLock { $0 } == opened)
    }

    @Test func `a broken constraint is reported with the statement, without values`() throws {
        let database = try open()
        try database.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES('secret')")
        let error = #expect(throws: StoreError.self) { try database.run("INSERT INTO t VALUES(?)", ["secret"]) }
        #expect(error?.description == "UNIQUE constraint failed: t.a (SQLite code 2067) in: INSERT INTO t VALUES(?)")
        #expect(error?.kind == .constraint)
    }

    @Test func `a statement can be interrupted`() throws {
        let path = directory.file("test.sqlite").path
        let database = try SQLiteDatabase(path: path, mode: .create, shouldStop: { true })
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = #expect(throws: StoreError.self) { try database.value(endless) }
        #expect(error?.kind == .interrupted)
        #expect(error?.message == "the operation on '\(path)' was interrupted")
    }

    @Test func `a private file is not locked`() throws {
        let own = try SQLiteDatabase(path: directory.file("test.sqlite").path, mode: .create, isShared: false)
        try own.execute("CREATE TABLE t(a); BEGIN EXCLUSIVE")
        #expect(try open().integer("PRAGMA user_version") == 0)
    }

    @Test func `a closed database is an error`() throws {
        let database = try open()
        database.close()
        let error = #expect(throws: StoreError.self) { try database.execute("SELECT 1") }
        #expect(error?.message == "the database was closed")
    }
}
