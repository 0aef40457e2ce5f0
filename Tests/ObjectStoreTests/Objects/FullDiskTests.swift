import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Saves and imports on a full disk, and again after space is freed.
@Suite struct FullDiskTests {
    /// Fills a store until a save fails, checks the error, frees space and saves again.
    ///
    /// Runs in a separate process.
    private static func fill(
        _ file: URL, limit: () throws -> Void, release: () throws -> Void, expecting expected: StoreError.Kind,
        _ message: String
    ) throws {
        let store = try ManagedObjectStore(at: file, model: Company.model())
        let context = ObjectContext(store)
        let ann = context.employee(0, "Ann")
        try context.save()
        try limit()
        let text = String(repeating: "x", count: 100_000)
        var (number, error) = (0, StoreError?.none)
        while error == nil, number < 100 {
            number += 1
            ann.name = "Ann \(number)"
            _ = context.employee(number, text)
            do throws(StoreError) { try context.save() } catch let thrown { error = thrown }
        }
        #expect(number > 1 && error?.kind == expected)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "no error")")
        #expect(error?.description.contains("'\(file.path)'") == true)
        // The context keeps the unsaved changes, the file the saved ones.
        #expect(context.insertedObjects.count == 1 && context.updatedObjects == [ann] && ann.name == "Ann \(number)")
        #expect(try context.value("PRAGMA integrity_check")?.text == "ok")
        #expect(try context.count(Employee.all) == number)
        #expect(try context.value("SELECT name FROM Employee WHERE number = 0")?.text == "Ann \(number - 1)")
        #expect(throws: StoreError.self) { try context.save() }
        try release()
        try context.save()
        #expect(!context.hasChanges)
        #expect(try context.count(Employee.all) == number + 1)
        #expect(try context.value("SELECT name FROM Employee WHERE number = 0")?.text == "Ann \(number)")
        store.close()
        #expect(try SeedDatabase(at: file).damages().isEmpty)
    }

    @Test func `a save beyond the limit of file sizes is an error, and succeeds after the limit was raised`()
        async throws
    {
        let folder = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            // Ignored, so that writes fail instead.
            signal(SIGXFSZ, SIG_IGN)
            try Self.fill(
                URL(fileURLWithPath: path + "/company.sqlite"), limit: { setFileSizeLimit(500_000) },
                release: { setFileSizeLimit(nil) }, expecting: .inputOutput,
                "check the disk, its quota and the limit of file sizes")
        }
    }

    @Test func `an import beyond the limit of file sizes keeps its batches, and continues after the limit is raised`()
        async throws
    {
        let folder = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let file = URL(fileURLWithPath: path + "/tickets.sqlite")
            let store = try ManagedObjectStore(at: file, model: ObjectModel(Ticket.self, Person.self, Board.self))
            let name = String(repeating: "x", count: 10_000)
            let elements = (1...100).map { #"{"id":\#($0),"name":"\#(name)"}"# }
            let text = Data("[\(elements.joined(separator: ","))]".utf8)
            setFileSizeLimit(500_000)
            let error = await #expect(throws: ImportError.self) {
                try await store.importJSON(text, with: Ticket.mapping, commit: .every(10))
            }
            let committed = error?.committed.elements ?? 0
            #expect((error?.cause as? StoreError)?.kind == .inputOutput && (10..<100).contains(committed))
            let count = "SELECT count(*) FROM Ticket"
            #expect(committed % 10 == 0)
            #expect(try store.rows(sql: count).first?.values == [.integer(Int64(committed))])
            setFileSizeLimit(nil)
            let report = try await store.importJSON(text, with: Ticket.mapping, commit: .every(10))
            #expect(report["Ticket"]?.unchanged == committed && report["Ticket"]?.inserted == 100 - committed)
            store.close()
            #expect(try SeedDatabase(at: file).damages().isEmpty)
        }
    }

    #if os(Linux)
        @Test(.enabled(if: isAvailable(geteuid() == 0, otherwise: "only root may mount a small disk")))
        func `a save on a full disk is an error, and succeeds after space is freed`() async throws {
            let folder = try TemporaryDirectory()
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                try mountSmallDisk(at: path)
                let ballast = URL(fileURLWithPath: path + "/ballast")
                try Data(count: 400_000).write(to: ballast)
                try Self.fill(
                    URL(fileURLWithPath: path + "/company.sqlite"), limit: {},
                    release: { try FileManager.default.removeItem(at: ballast) }, expecting: .full,
                    "no space left to write")
            }
        }
    #endif
}

/// Sets the maximum size of files of this process; nil for the maximum that is permitted.
private func setFileSizeLimit(_ bytes: UInt?) {
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(resource, &limit)
}

#if os(Linux)
    /// Mounts a disk of a megabyte that only this thread sees, and that is unmounted with it.
    private func mountSmallDisk(at path: String) throws {
        // Glibc's module has no declaration of `unshare`.
        let symbol = try #require(dlsym(nil, "unshare"))
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        let newNamespace: Int32 = 0x20000
        let isPrivate: UInt = 1 << 18 | 1 << 14
        try #require(unshare(newNamespace) == 0 && mount(nil, "/", nil, isPrivate, nil) == 0)
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=1m") == 0)
    }
#endif
