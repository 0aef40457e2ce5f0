import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Stores on disks that are full or read-only, and files that several processes open at once.
@Suite(.enabled(if: isAvailable(MountedDisk.problem == nil, otherwise: MountedDisk.problem ?? "")))
struct FileDiskTests {
    private func store(on disk: MountedDisk) throws -> ManagedObjectStore {
        let store = try Company.store(in: disk.folder)
        let context = ObjectContext(store)
        for number in 0..<100 { _ = context.employee(number + 10, "an employee with the number \(number)") }
        try context.save()
        return store
    }

    private func isWhole(_ disk: MountedDisk, _ count: Int) throws -> Bool {
        let file = try SeedDatabase(at: disk.folder.file("company.sqlite"))
        return try file.damages().isEmpty && file.count(of: "Employee") == count
    }

    private func text(_ error: StoreError?, _ disk: MountedDisk) -> String {
        error?.description.replacingOccurrences(of: disk.folder.path, with: "…") ?? "no error"
    }

    // MARK: A full disk

    @Test func `a file that cannot be created on a full disk leaves nothing`() throws {
        let disk = try MountedDisk(size: "1m")
        try disk.fill()
        let error = #expect(throws: StoreError.self) { try Company.store(in: disk.folder) }
        #expect(error?.kind == .full && text(error, disk).hasPrefix("no space left to write '…/company.sqlite'"))
        #expect(try disk.folder.names == ["ballast"])
    }

    @Test func `a backup on a full disk leaves nothing, and the store continues`() throws {
        let disk = try MountedDisk(size: "1m")
        let store = try store(on: disk)
        try disk.fill(except: 40)
        let names = try disk.folder.names
        let error = #expect(throws: StoreError.self) { try store.backup(to: disk.folder.file("copy.sqlite")) }
        #expect(error?.kind == .full && text(error, disk).hasPrefix("no space left to write '…/copy.sqlite'"))
        #expect(try disk.folder.names == names)
        #expect(try ObjectContext(store).count(Employee.all) == 100)
    }

    @Test func `a backup from another disk to a full one leaves nothing`() throws {
        let (disk, folder) = (try MountedDisk(size: "1m"), try TemporaryDirectory())
        try disk.fill(except: 8)
        let store = try Company.store(in: folder)
        let error = #expect(throws: StoreError.self) { try store.backup(to: disk.folder.file("copy.sqlite")) }
        #expect(error?.kind == .full && text(error, disk).hasPrefix("no space left to write '…/copy.sqlite'"))
        #expect(try disk.folder.names == ["ballast"])
        try store.backup(to: folder.file("copy.sqlite"))
        #expect(try folder.names.contains("copy.sqlite"))
    }

    @Test func `a seed that does not fit leaves nothing`() async throws {
        let (disk, folder) = (try MountedDisk(size: "1m"), try TemporaryDirectory())
        try Company.store(in: folder).backup(to: folder.file("seed.sqlite"))
        try disk.fill(except: 20)
        let error = await #expect(throws: StoreError.self) {
            _ = try await ManagedObjectStore.open(
                at: disk.folder.file("company.sqlite"), model: Company.model(), seed: folder.file("seed.sqlite"))
        }
        #expect(error?.kind == .full)
        #expect(try disk.folder.names == ["ballast"])
    }

    @Test func `a reset on a full disk keeps all objects, and the store continues`() async throws {
        let disk = try MountedDisk(size: "1m")
        let store = try store(on: disk)
        try disk.fill(except: 8)
        let error = await #expect(throws: StoreError.self) { _ = try await store.reset() }
        #expect(error?.kind == .full)
        try FileManager.default.removeItem(at: disk.folder.file("ballast"))
        let context = ObjectContext(store)
        #expect(try await context.count(Employee.all) == 100)
        _ = context.employee(1, "Ann")
        try await context.save()
        #expect(try isWhole(disk, 101))
        let fresh = try await store.reset()
        #expect(try await fresh.perform { try $0.count(Employee.all) } == 0)
    }

    // MARK: A read-only disk

    @Test func `a store on a read-only file system is read`() async throws {
        let disk = try MountedDisk(size: "2m")
        try store(on: disk).close()
        try disk.makeReadOnly()
        let data = try disk.folder.data(of: "company.sqlite")
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let outcomes = await FileLife.outcomes(in: disk.folder.path, options)
        #expect(
            outcomes == [
                "open: done", "save: readOnly: the store was opened for reading only",
                "import: readOnly: the store was opened for reading only",
                "backup: cannotOpen: cannot create '…/copy.sqlite'",
                "checkpoint: readOnly: the store was opened for reading only",
                "reset: readOnly: the store was opened for reading only",
            ])
        let store = try ManagedObjectStore(
            at: disk.folder.file("company.sqlite"), model: Company.model(), options: options)
        #expect(try await store.perform { try $0.fetch(Employee.all).count } == 100)
        let folder = try TemporaryDirectory()
        try store.backup(to: folder.file("copy.sqlite"))
        #expect(try SeedDatabase(at: folder.file("copy.sqlite")).count(of: "Employee") == 100)
        #expect(try disk.folder.data(of: "company.sqlite") == data && disk.folder.names == ["company.sqlite"])
        #expect(try isWhole(disk, 100))
    }

    @Test func `a store on a read-only file system is not opened for writing`() throws {
        let disk = try MountedDisk(size: "2m")
        try store(on: disk).close()
        try disk.makeReadOnly()
        let error = #expect(throws: StoreError.self) { try Company.store(in: disk.folder) }
        #expect(error?.kind == .cannotOpen)
        #expect(text(error, disk).contains("'…/company.sqlite'"), "\(text(error, disk))")
    }

    @Test func `changes in a WAL on a read-only file system are read, or the file is refused by name`() throws {
        let disk = try MountedDisk(size: "4m")
        let store = try store(on: disk)
        // As after a crash.
        for suffix in ["", "-wal"] {
            let name = "company.sqlite" + suffix
            try disk.folder.write(try disk.folder.data(of: name), to: "copy/" + name)
        }
        store.close()
        try disk.makeReadOnly()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let error = #expect(throws: StoreError.self) {
            _ = try ManagedObjectStore(
                at: disk.folder.file("copy/company.sqlite"), model: Company.model(), options: options)
        }
        #expect(error?.kind == .cannotOpen)
        #expect(
            text(error, disk).hasPrefix(
                "cannot read '…/copy/company.sqlite' without write permission for its folder: 'company.sqlite-wal' has "
                    + "changes that are not in the file; open it once with write permission, or copy both files"),
            "\(text(error, disk))")
    }

    @Test func `a seed in WAL mode on a read-only file system is copied`() async throws {
        let (disk, folder) = (try MountedDisk(size: "2m"), try TemporaryDirectory())
        try store(on: disk).close()
        try disk.makeReadOnly()
        let store = try await ManagedObjectStore.open(
            at: folder.file("company.sqlite"), model: Company.model(), seed: disk.folder.file("company.sqlite"))
        #expect(try await store.perform { try $0.count(Employee.all) } == 100)
    }
}
