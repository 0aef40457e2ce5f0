import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Seeds that are in use, and files of earlier databases next to a new one.
@Suite struct SeedCopyTests {
    let folder: TemporaryDirectory
    let seed: URL
    let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        seed = folder.file("seed.sqlite")
        url = folder.file("company.sqlite")
    }

    private func open(_ options: ManagedObjectStore.Options = .init()) async throws -> ManagedObjectStore {
        try await .open(at: url, model: Company.model(), seed: seed, options: options)
    }

    private func addEmployees(_ numbers: Range<Int>, to store: ManagedObjectStore) throws {
        let context = ObjectContext(store)
        for number in numbers { _ = context.employee(number, "an employee with the number \(number)") }
        try context.save()
    }

    private func expectError(
        _ kind: StoreError.Kind, _ text: String, at location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: StoreError.self, sourceLocation: location) { try await body() }
        let message = error?.description.replacingOccurrences(of: folder.path, with: "…") ?? ""
        #expect(error?.kind == kind && message.contains(text), "\(message)", sourceLocation: location)
    }

    // MARK: Seeds in use

    @Test func `a copy has the rows in the WAL of its seed`() async throws {
        let other = try ManagedObjectStore(at: seed, model: Company.model())
        try addEmployees(0..<20, to: other)
        try other.checkpoint()
        try addEmployees(20..<30, to: other)
        let store = try await open()
        #expect(try await store.perform { try $0.count(Employee.all) } == 30)
        try addEmployees(30..<40, to: other)
        #expect(try await store.perform { try $0.count(Employee.all) } == 30)
        #expect(try await ObjectContext(other).count(Employee.all) == 40)
        #expect(try SeedDatabase(at: url).damages().isEmpty)
    }

    @Test func `a copy has the rows of a seed that another process writes`() async throws {
        let other = try ManagedObjectStore(at: seed, model: Company.model())
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let store = try ManagedObjectStore(
                at: URL(fileURLWithPath: path + "/seed.sqlite"), model: Company.model())
            let context = ObjectContext(store)
            _ = context.employee(1, "Ann")
            try context.save()
        }
        let store = try await open()
        #expect(try await store.perform { try $0.fetch(Employee.all).map(\.name) } == ["Ann"])
        withExtendedLifetime(other) {}
    }

    @Test func `a seed that was killed while it was written is copied with its last commit`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let store = try ManagedObjectStore(
                at: URL(fileURLWithPath: path + "/seed.sqlite"), model: Company.model())
            let context = ObjectContext(store)
            _ = context.employee(1, "Ann")
            try context.save()
            kill(getpid(), SIGKILL)
        }
        #expect(try await open().perform { try $0.count(Employee.all) } == 1)
        #expect(folder.contains("seed.sqlite-wal"))
    }

    @Test func `a seed with a checksum and changes in its WAL is refused`() async throws {
        let other = try ManagedObjectStore(at: seed, model: Company.model())
        try other.checkpoint()
        let sum = try await runShell("sha256sum '\(seed.path)' > '\(seed.path).sha256'")
        try #require(sum.status == 0)
        try addEmployees(0..<1, to: other)
        await expectError(
            .corrupt,
            "the seed '…/seed.sqlite' has changes in its '-wal' file, which seed.sqlite.sha256 does not include"
        ) { _ = try await open() }
        #expect(!folder.contains("company.sqlite"))
        try other.checkpoint()
        await expectError(.corrupt, "the seed '…/seed.sqlite' is damaged") { _ = try await open() }
    }

    @Test func `a copy of a seed is complete while its seed is deleted afterwards`() async throws {
        let other = try ManagedObjectStore(at: seed, model: Company.model())
        try addEmployees(0..<1, to: other)
        let store = try await open()
        other.close()
        try FileManager.default.removeItem(at: seed)
        await expectError(.cannotOpen, "the seed '…/seed.sqlite' does not exist") { _ = try await store.reset() }
        #expect(try await store.perform { try $0.count(Employee.all) } == 1)
        try addEmployees(1..<3, to: store)
        #expect(try await store.perform { try $0.count(Employee.all) } == 3)
    }

    // MARK: Files of an earlier database

    @Test(arguments: ["-wal", "-journal"], [true, false])
    func `a file of an earlier database is neither applied nor deleted`(_ suffix: String, _ hasSeed: Bool) async throws
    {
        let old = try ManagedObjectStore(at: url, model: Company.model())
        try addEmployees(0..<20, to: old)
        let left = try folder.data(of: "company.sqlite-wal")
        old.close()
        try FileManager.default.removeItem(at: url)
        try folder.write(left, to: "company.sqlite" + suffix)
        if hasSeed { try ManagedObjectStore(at: seed, model: Company.model()).close() }
        let text =
            "cannot create '…/company.sqlite': 'company.sqlite\(suffix)' has changes of a database with this name that "
            + "does not exist any more; restore the database, or move 'company.sqlite\(suffix)' away"
        await expectError(.cannotOpen, text) {
            _ = try await ManagedObjectStore.open(at: url, model: Company.model(), seed: hasSeed ? seed : nil)
        }
        #expect(try folder.data(of: "company.sqlite" + suffix) == left && !folder.contains("company.sqlite"))
        // The same next to an empty file, and to a backup.
        try folder.write("", to: "company.sqlite")
        await expectError(.cannotOpen, text) {
            _ = try await ManagedObjectStore.open(at: url, model: Company.model(), seed: hasSeed ? seed : nil)
        }
        try FileManager.default.removeItem(at: url)
        await expectError(.cannotOpen, text) { try Company.store().backup(to: url) }
        #expect(try folder.data(of: "company.sqlite" + suffix) == left)
        try FileManager.default.removeItem(at: folder.file("company.sqlite" + suffix))
        let store = try await ManagedObjectStore.open(at: url, model: Company.model(), seed: hasSeed ? seed : nil)
        #expect(try await store.perform { try $0.count(Employee.all) } == 0)
    }

    // MARK: Reset

    @Test func `a store that was opened for reading only is not reset`() async throws {
        try addEmployees(0..<3, to: ManagedObjectStore(at: url, model: Company.model()))
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let store = try ManagedObjectStore(at: url, model: Company.model(), options: options)
        await expectError(.readOnly, "the store was opened for reading only") { _ = try await store.reset() }
        #expect(try await store.perform { try $0.count(Employee.all) } == 3)
    }

    @Test func `options stay after a reset`() async throws {
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(50)
        options.requiresChecksum = true
        let store = try ManagedObjectStore(at: url, model: Company.model(), options: options)
        let fresh = try await store.reset()
        #expect(fresh.options.busyTimeout == .milliseconds(50) && fresh.options.requiresChecksum)
        let other = try SQLiteDatabase(path: url.path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        await expectError(.busy, "is locked by another process") { try addEmployees(0..<1, to: fresh) }
        #expect(ContinuousClock.now - start < .seconds(4))
    }

    @Test(arguments: [4096, 8192]) func `another process sees the content after a reset`(_ pageSize: Int) async throws {
        let builder = try SQLiteDatabase(path: seed.path, mode: .create)
        try builder.execute("PRAGMA page_size = \(pageSize); VACUUM")
        builder.close()
        try addEmployees(0..<2, to: ManagedObjectStore(at: seed, model: Company.model()))
        let empty = try ManagedObjectStore(at: url, model: Company.model())
        try addEmployees(5..<9, to: empty)
        empty.close()
        // The file has pages of another size than the seed.
        let store = try await open()
        let other = try ManagedObjectStore(at: url, model: Company.model())
        #expect(try await ObjectContext(other).count(Employee.all) == 4)
        let fresh = try await store.reset()
        #expect(try await ObjectContext(other).count(Employee.all) == 2)
        try addEmployees(10..<11, to: other)
        #expect(try await fresh.perform { try $0.count(Employee.all) } == 3)
        await expectError(.closed, "the store was closed") { try addEmployees(20..<21, to: store) }
        #expect(try SeedDatabase(at: url).damages().isEmpty)
    }

    @Test func `a store with another link to its file is opened with its own files`() throws {
        let target = folder.file("target.sqlite")
        for _ in 0..<2 {
            try? FileManager.default.removeItem(at: url)
            try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "target.sqlite")
            let store = try ManagedObjectStore(at: url, model: Company.model())
            try addEmployees(0..<1, to: store)
            store.close()
        }
        #expect(try SeedDatabase(at: target).count(of: "Employee") == 1)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: url.path) == "target.sqlite")
    }

    @Test func `the staged files of a killed process are deleted a day later`() async throws {
        try addEmployees(0..<2, to: ManagedObjectStore(at: seed, model: Company.model()))
        let (old, new) = (UUID().uuidString, UUID().uuidString)
        let names = [
            ".company.sqlite.\(old).tmp", ".company.sqlite.\(old).tmp-journal", ".company.sqlite.\(new).tmp",
            ".company.sqlite.\(new).tmp-wal", ".company.sqlite.notes.tmp", ".other.sqlite.\(old).tmp",
        ]
        for name in names {
            try folder.write("x", to: name)
            // The log of a copy is newer than its file.
            let date = Date(timeIntervalSinceNow: name.hasSuffix("-wal") ? -60 : -2 * 24 * 3600)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.file(name).path)
        }
        try await open().close()
        #expect(try folder.names.filter { $0.hasPrefix(".") }.sorted() == names[2...].sorted())
    }

    // MARK: Checkpoints

    @Test func `a checkpoint that another reader prevents is an error, and moves everything later`() throws {
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(50)
        let store = try ManagedObjectStore(at: url, model: Company.model(), options: options)
        try addEmployees(0..<1, to: store)
        let reader = try SQLiteDatabase(path: url.path, mode: .readOnly)
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM Employee")
        try addEmployees(1..<10, to: store)
        let error = #expect(throws: StoreError.self) { try store.checkpoint() }
        #expect(error?.kind == .busy)
        #expect(error?.message.hasPrefix("not all changes were moved into '\(url.path)'") == true)
        try reader.execute("COMMIT")
        try store.checkpoint()
        #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
        #expect(try folder.data(of: "company.sqlite-wal").isEmpty)
        try Company.store().checkpoint()
    }

    // MARK: Several processes

    @Test(arguments: ["missing", "empty", "seed", "rollback mode"])
    func `eight processes that open a file and write at once behave as one after another`(
        _ kind: String
    ) async throws {
        if kind == "empty" { try folder.write("", to: "company.sqlite") }
        if kind == "seed" { try ManagedObjectStore(at: seed, model: Company.model()).close() }
        if kind == "rollback mode" {
            try Company.store(in: folder).close()
            let database = try SQLiteDatabase(path: url.path, mode: .readWrite)
            try database.execute("PRAGMA journal_mode = DELETE")
            database.close()
        }
        let (path, hasSeed): (String, Bool) = (folder.path, kind == "seed")
        await withTaskGroup { group in
            for process in 0..<8 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String, process = process as Int, hasSeed = hasSeed as Bool] in
                        // An error that is thrown here would only be a signal.
                        do { try await saveEmployees(of: process, in: path, hasSeed) } catch {
                            Testing.Issue.record(error)
                        }
                    }
                }
            }
        }
        let file = try SeedDatabase(at: url)
        #expect(try file.count(of: "Employee") == 80 && file.damages().isEmpty)
        #expect(try file.value(sql: "SELECT count(*) FROM Employee WHERE name = 'saved again'") == 80)
        #expect(try !folder.names.contains { $0.hasSuffix(".tmp") })
    }
}

/// Opens a file when all of eight processes are ready, and saves ten employees twice.
private func saveEmployees(of process: Int, in path: String, _ hasSeed: Bool) async throws {
    try Data().write(to: URL(fileURLWithPath: path + "/ready-\(process)"))
    for _ in 0..<20_000
    where try FileManager.default.contentsOfDirectory(atPath: path).filter({ $0.hasPrefix("ready-") }).count < 8 {
        usleep(1000)
    }
    var options = ManagedObjectStore.Options()
    options.busyTimeout = .seconds(60)
    let store = try await ManagedObjectStore.open(
        at: URL(fileURLWithPath: path + "/company.sqlite"), model: Company.model(),
        seed: hasSeed ? URL(fileURLWithPath: path + "/seed.sqlite") : nil, options: options)
    let context = ObjectContext(store)
    for number in 0..<10 {
        let employee = context.employee(process * 100 + number, "new")
        try await context.save()
        employee.name = "saved again"
        try await context.save()
    }
}
