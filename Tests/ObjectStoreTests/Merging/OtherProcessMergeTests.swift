import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The calls that find commits of other processes.
@Suite struct OtherProcessMergeTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext
    let ann: Employee
    let bob: Employee
    /// A connection outside of the store, whose commits are like those of another process.
    let other: SQLiteDatabase

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = ObjectContext(store)
        (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        try context.save()
        _ = try context.find(Employee.self, 2)
        other = try SQLiteDatabase(path: folder.path + "/company.sqlite", mode: .readWrite)
    }

    @Test(arguments: MergePointTests.calls.indices)
    func `calls that read the store look for other processes`(_ index: Int) throws {
        let (name, call) = MergePointTests.calls[index]
        try other.execute("UPDATE Employee SET name = 'Anna' WHERE number = 1")
        #expect(ann.name == "Ann")
        try call(context)
        // An object of the context is found without a statement.
        #expect(ann.name == (name == "find a known object" ? "Ann" : "Anna"), "\(name)")
    }

    @Test(arguments: [
        "fetch", "count", "find", "find a known object", "save", "save changes", "update", "delete", "write", "map",
    ])
    func `awaited calls that read the store look for other processes`(_ name: String) async throws {
        if name == "save changes" { bob.name = "Bobby" }
        try other.execute("UPDATE Employee SET name = 'Anna' WHERE number = 1")
        switch name {
        case "fetch": _ = try await context.fetch(Skill.all)
        case "count": _ = try await context.count(Skill.all)
        case "find": _ = try await context.find(Skill.self, "x")
        case "find a known object": _ = try await context.find(Employee.self, 2)
        case "update": try await context.update(Skill.all) { $0.set(\.name, to: "x") }
        case "delete": try await context.delete(Skill.all)
        case "write": try await context.write(sql: #"DELETE FROM "Skill""#)
        case "map": _ = try await context.map("[]", with: Mapping(Skill.self) { Attribute("name", \.name) })
        default: try await context.save()
        }
        #expect(ann.name == (name == "find a known object" ? "Ann" : "Anna"))
        #expect(!context.hasChanges)
    }

    @Test func `a save merges what other processes committed before it at its end`() throws {
        bob.name = "Bobby"
        try other.execute("UPDATE Employee SET name = 'Anna' WHERE number = 1")
        try context.save()
        #expect(ann.name == "Anna" && bob.name == "Bobby" && !context.hasChanges)
        let log = StatementLog(store)
        bob.name = "Bob"
        try context.save()
        #expect(!log.take().contains { $0.hasPrefix("SELECT") && $0.contains("json_each") })
    }

    @Test func `a save that throws merges nothing at its end`() throws {
        (ann.name, bob.name) = ("Mine", "Bobby")
        try other.execute("UPDATE Employee SET name = 'Theirs', share = 0.25 WHERE number = 1")
        #expect(throws: StoreError.self) { try context.save() }
        #expect(ann.name == "Mine" && ann.share == 0.5 && bob.name == "Bobby")
        _ = try context.count(Skill.all)
        #expect(ann.name == "Mine" && ann.share == 0.25)
    }

    @Test func `the writer is not awaited to look for other processes`() async throws {
        try other.execute("UPDATE Employee SET name = 'Anna' WHERE number = 1")
        let writer = HeldWriter(store)
        _ = try await context.count(Skill.all)
        try { try context.save() }()
        #expect(ann.name == "Ann")
        writer.release()
        func merge() -> Bool { (try? context.count(Skill.all)) == 0 && ann.name == "Anna" }
        #expect(await eventually { merge() })
    }
}
