import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// The classes of the tracker's seed.
final class TrackerUser: ManagedObject {
    override class var entityName: String { "User" }
    @Stored(.identity) var id = 0
    @Stored var name: String? = nil
}

final class TrackerProject: ManagedObject {
    override class var entityName: String { "Project" }
    @Stored(.identity) var id = 0
    @Stored var name = "unnamed"
    @Stored var startedAt: Date? = nil
    @Stored var ownerID: Int? = nil
    @ToOne var owner: TrackerUser?
}

final class TrackerTask: ManagedObject {
    override class var entityName: String { "Task" }
    @Stored(.identity) var id = 0
    @Stored(.indexed) var name: String? = nil
    @Stored var hours: Double? = nil
    @Stored var projectID: Int? = nil
    @Stored var assignedUserID: Int? = nil
    @ToOne var project: TrackerProject?
    @ToOne var assignedUser: TrackerUser?
}

@Suite struct StoreFileTests {
    let folder: TemporaryDirectory
    let seed: URL
    let url: URL
    let model: ObjectModel

    init() throws {
        folder = try TemporaryDirectory()
        url = folder.file("app.sqlite")
        seed = folder.file("seed.sqlite")
        // Written by the last version that wrote format 1.
        let fixture = resource("Tests/ObjectStoreTests/Fixtures/tracker-format1.sqlite")
        try FileManager.default.copyItem(at: fixture, to: seed)
        let sum = try String(contentsOf: URL(fileURLWithPath: fixture.path + ".sha256"), encoding: .utf8)
        try folder.write("\(sum.prefix(64))  seed.sqlite\n", to: "seed.sqlite.sha256")
        model = try ObjectModel(TrackerUser.self, TrackerProject.self, TrackerTask.self)
    }

    private func open(_ options: ManagedObjectStore.Options = .init()) async throws -> ManagedObjectStore {
        try await .open(at: url, model: model, seed: seed, options: options)
    }

    private func expectError(
        _ kind: StoreError.Kind, _ text: String, at location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        var error: StoreError?
        do { try await body() } catch let thrown { error = thrown as? StoreError }
        #expect(error?.kind == kind, sourceLocation: location)
        let message = error?.description.replacingOccurrences(of: folder.path, with: "…") ?? ""
        #expect(message.contains(text), "\(message)", sourceLocation: location)
    }

    // MARK: Seeds

    @Test func `a store opens while another one writes`() throws {
        let store = try ManagedObjectStore(at: url, model: model)
        try store.write { (connection) throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                var options = ManagedObjectStore.Options()
                options.busyTimeout = .zero
                let second = try ManagedObjectStore(at: url, model: model, options: options)
                let count = try ObjectContext(second).count(TrackerTask.all)
                #expect(count == 0)
            }
        }
    }

    @Test func `a URL that is not of a file is refused`() async throws {
        let remote = try #require(URL(string: "https://example.com/app.sqlite"))
        let store = try ManagedObjectStore(inMemory: model)
        let text = "'https://example.com/app.sqlite' is not a file URL"
        await expectError(.cannotOpen, text) { _ = try ManagedObjectStore(at: remote, model: model) }
        await expectError(.cannotOpen, text) { _ = try await ManagedObjectStore.open(at: remote, model: model) }
        await expectError(.cannotOpen, text) {
            _ = try await ManagedObjectStore.open(at: url, model: model, seed: remote)
        }
        await expectError(.cannotOpen, text) { try store.backup(to: remote) }
        await expectError(.cannotOpen, text) { _ = try SeedDatabase(at: remote) }
        let missing = folder.file("missing").appending(path: "copy.sqlite")
        await expectError(.cannotOpen, "cannot create '…/missing/copy.sqlite'") { try store.backup(to: missing) }
    }

    @Test func `the model of a store opens another one`() async throws {
        let store = try await open()
        let copy = try ManagedObjectStore(inMemory: store.model)
        #expect(copy.model == store.model)
        #expect(try await ObjectContext(copy).count(TrackerUser.all) == 0)
        #expect(try await store.reset().model == store.model)
    }

    @Test func `a seed of format 1 is copied, opened and edited`() async throws {
        let original = try Data(contentsOf: seed)
        let store = try await open()
        try await store.perform { context in
            let tasks = try context.core.read(store.entities[2], rows: [1, 2, 3, 4, 5]).compactMap {
                $0 as? TrackerTask
            }
            #expect(tasks.count == 5)
            #expect(tasks.compactMap { $0.project?.name }.count == 5)
            let task = TrackerTask(in: context)
            (task.id, task.name, task.project) = (99, "new", tasks[0].project)
            try context.save()
            #expect(task.managed.id.description == "Task/6")
        }
        #expect(try Data(contentsOf: seed) == original)
        try store.checkpoint()
        let file = try SeedDatabase(at: url)
        #expect(try file.count(of: "Task") == 6)
        #expect(try file.damages().isEmpty)
        #expect(try file.value(sql: "PRAGMA user_version") == 2)
    }

    @Test func `an existing file is opened, and the seed is not copied again`() async throws {
        try await open().perform { context in
            TrackerUser(in: context).id = 77
            try context.save()
        }
        try Data("damaged".utf8).write(to: seed)
        let count = try await open().perform { try $0.value("SELECT count(*) FROM User")?.integer }
        #expect(count == 4)
    }

    @Test func `reset restores the seed`() async throws {
        let store = try await open()
        try await store.perform { context in
            TrackerUser(in: context).id = 77
            try context.save()
        }
        let fresh = try await store.reset()
        #expect(try await fresh.perform { try $0.value("SELECT count(*) FROM User")?.integer } == 3)
        await expectError(.closed, "the store was closed") {
            _ = try await store.perform { try $0.value("SELECT 1") }
        }
    }

    @Test func `a seed with one flipped byte is refused`() async throws {
        var data = try Data(contentsOf: seed)
        data[60_000] ^= 1
        try data.write(to: seed)
        await expectError(.corrupt, "the seed '…/seed.sqlite' is damaged: its SHA-256 is ") { _ = try await open() }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func `a seed without a checksum is opened unless one is required`() async throws {
        try FileManager.default.removeItem(at: folder.file("seed.sqlite.sha256"))
        var options = ManagedObjectStore.Options()
        options.requiresChecksum = true
        await expectError(.corrupt, "the seed '…/seed.sqlite' has no checksum file 'seed.sqlite.sha256'") {
            _ = try await open(options)
        }
        _ = try await open()
    }

    @Test func `a seed that does not exist is named`() async throws {
        try FileManager.default.removeItem(at: seed)
        await expectError(.cannotOpen, "the seed '…/seed.sqlite' does not exist") { _ = try await open() }
    }

    // MARK: Models

    @Test func `every difference between a file and the classes is named`() async throws {
        let other = try Company.model()
        await expectError(
            .modelMismatch,
            "the file has no entity 'Department'; the file has no entity 'Employee'"
        ) { _ = try await ManagedObjectStore.open(at: url, model: other, seed: seed) }
        let changed = try ObjectModel(ChangedUser.self, TrackerProject2.self, TrackerTask2.self)
        await expectError(
            .modelMismatch,
            "'User' is identified by [\"id\"] in the file and by [\"name\"] in the class; 'User.id' is integer in the file and "
                + "boolean in the class (values cannot be converted without loss); the file has no 'age' in 'User'; "
                + "'Project.owner' is a relationship to one User in the file and a relationship to many User, ordered in the class; "
                + "the class of 'Task' has no property 'hours'"
        ) { _ = try await ManagedObjectStore.open(at: url, model: changed, seed: seed) }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func `null for a property that cannot be nil is read as its default`() async throws {
        let store = try await open()
        try store.write { (connection) throws(StoreError) in try connection.run("UPDATE Project SET name = NULL") }
        let name = try await store.perform { context in
            try context.core.read(store.entities[1], rows: [1]).compactMap { $0 as? TrackerProject }.first?.name
        }
        #expect(name == "unnamed")
    }

    @Test func `a value of another type is an error with column and row`() async throws {
        let store = try await open()
        try store.write { (connection) throws(StoreError) in try connection.run("UPDATE Task SET hours = 'many'") }
        let error = try await store.perform { context in
            try context.core.read(store.entities[2], rows: [1]).first?.managed.error
        }
        #expect(error?.kind == .corrupt)
        #expect(error?.message == "row 1 of 'Task': the value of the column 'hours' cannot be read as double")
    }

    // MARK: Files that cannot be used

    @Test(arguments: ["text", "truncated", "foreign", "newer"])
    func `files that cannot be used are refused and unchanged`(_ kind: String) async throws {
        let (data, expected, text): (Data, StoreError.Kind, String)
        switch kind {
        case "text": (data, expected, text) = (Data("no database at all, but text".utf8), .corrupt, "app.sqlite")
        case "truncated":
            (data, expected, text) = (try Data(contentsOf: seed).prefix(20_000), .corrupt, "app.sqlite")
        case "foreign":
            let file = folder.file("foreign.sqlite")
            let database = try SQLiteDatabase(path: file.path, mode: .create)
            try database.execute("CREATE TABLE t(a)")
            database.close()
            (data, expected, text) = (
                try Data(contentsOf: file), .foreign, "'…/app.sqlite' was not created by MappingKit"
            )
        default:
            let database = try SQLiteDatabase(path: seed.path, mode: .readWrite)
            try database.execute("PRAGMA user_version = 3")
            database.close()
            (data, expected, text) = (
                try Data(contentsOf: seed), .newerFormat,
                "unsupported format 3 of '…/app.sqlite'; this version of MappingKit reads up to 2; update"
            )
        }
        try data.write(to: url)
        await expectError(expected, text) { _ = try await open() }
        #expect(try Data(contentsOf: url) == data)
    }

    @Test func `a store in a folder that does not exist is an error`() async throws {
        await expectError(.cannotOpen, "cannot open '…/none/app.sqlite'") {
            _ = try ManagedObjectStore(at: folder.file("none/app.sqlite"), model: model)
        }
        await expectError(.cannotOpen, "cannot copy the seed to '…/none/app.sqlite'") {
            _ = try await ManagedObjectStore.open(at: folder.file("none/app.sqlite"), model: model, seed: seed)
        }
    }

    @Test func `a store that is opened for reading only refuses to save`() async throws {
        _ = try await open()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let store = try await open(options)
        await expectError(.readOnly, "the store was opened for reading only") {
            try await store.perform { context in
                TrackerUser(in: context).id = 8
                try context.save()
            }
        }
    }

    @Test func `a store that another process locks is busy after the timeout`() async throws {
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(50)
        let store = try await open(options)
        let other = try SQLiteDatabase(path: url.path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        await expectError(.busy, "'…/app.sqlite' is locked by another process") {
            try await store.perform { context in
                TrackerUser(in: context).id = 8
                try context.save()
            }
        }
        try other.execute("ROLLBACK")
        try await store.perform { context in
            TrackerUser(in: context).id = 8
            try context.save()
        }
    }

    @Test func `a save waits for another context and is busy after the timeout`() async throws {
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(50)
        let store = try await open(options)
        let writer = HeldWriter(store)
        defer { writer.release() }
        try await store.perform { context in
            TrackerUser(in: context).id = 8
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .busy)
        }
    }

    @Test func `code that the store calls while it writes cannot write, read in memory or close the store`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(TrackerUser.self))
        try store.write { (_) throws(StoreError) in
            let context = ObjectContext(store)
            TrackerUser(in: context).id = 8
            for call in [{ try context.save() }, { _ = try store.rows(sql: "SELECT 1") }] {
                let error = #expect(throws: StoreError.self) { try call() }
                #expect(error?.kind == .busy)
            }
            store.close()
        }
        #expect(throws: StoreError.closed) { try store.rows(sql: "SELECT 1") }
    }

    // MARK: Copies

    @Test func `a backup is a whole store`() async throws {
        let store = try await open()
        let copy = folder.file("copy.sqlite")
        try store.backup(to: copy)
        await expectError(.cannotOpen, "the file '…/copy.sqlite' exists already") { try store.backup(to: copy) }
        let other = try ManagedObjectStore(at: copy, model: model)
        #expect(try await other.perform { try $0.value("SELECT count(*) FROM Task")?.integer } == 5)
    }

    @Test func `a statement is reported with its time and rows`() async throws {
        let store = try await open()
        let traces = Mutex<[StatementTrace]>([])
        store.trace { trace in traces.withLock { $0.append(trace) } }
        try await store.perform { context in _ = try context.core.read(store.entities[0], rows: [1, 2, 3]) }
        store.trace(nil)
        try await store.perform { context in _ = try context.core.read(store.entities[0], rows: [1]) }
        let noted = traces.withLock { $0 }
        #expect(noted.count == 1)
        #expect(noted.first?.rows == 3)
        #expect(noted.first?.sql.hasPrefix("SELECT \"User\".\"_id\"") == true)
    }

    @Test func `a handler of statements is called after any number of reads`() async throws {
        let store = try await open()
        let count = Atomic(0)
        store.trace { _ in count.wrappingAdd(1, ordering: .relaxed) }
        for _ in 0..<100_000 { try store.tracer.tracing { (_) throws(StoreError) in } }
        _ = try await store.perform { try $0.value("SELECT count(*) FROM Task") }
        #expect(count.load(ordering: .relaxed) > 0)
    }
}

// The classes of a model that differs in every way.
final class ChangedUser: ManagedObject {
    override class var entityName: String { "User" }
    @Stored var id = false
    @Stored(.identity) var name: String? = nil
    @Stored var age = 0
}

final class TrackerProject2: ManagedObject {
    override class var entityName: String { "Project" }
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @Stored var startedAt: Date? = nil
    @Stored var ownerID: Int? = nil
    @ToMany(isOrdered: true) var owner: [ChangedUser]
}

final class TrackerTask2: ManagedObject {
    override class var entityName: String { "Task" }
    @Stored(.identity) var id = 0
    @Stored var name: String? = nil
    @Stored var projectID: Int? = nil
    @Stored var assignedUserID: Int? = nil
    @ToOne var project: TrackerProject2?
    @ToOne var assignedUser: ChangedUser?
}
