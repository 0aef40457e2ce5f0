import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Files that a store cannot use, and files of 0 bytes, which it can.
@Suite struct UnusableFileTests {
    let folder: TemporaryDirectory
    let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        url = folder.file("company.sqlite")
    }

    private func save() throws {
        let store = try Company.store(in: folder)
        let context = ObjectContext(store)
        for number in 0..<500 { _ = context.employee(number, "an employee with the number \(number)") }
        try context.save()
        try store.checkpoint()
        store.close()
    }

    private func text(_ error: StoreError?) -> String? {
        error?.description.replacingOccurrences(of: folder.path, with: "…")
    }

    // MARK: Empty files

    @Test func `a file of 0 bytes becomes an empty store`() async throws {
        try folder.write("", to: "company.sqlite")
        let store = try await ManagedObjectStore.open(at: url, model: Company.model())
        #expect(try await store.perform { try $0.count(Employee.all) } == 0)
        #expect(try SeedDatabase(at: url).damages().isEmpty)
    }

    @Test func `a file of 0 bytes is replaced by the seed`() async throws {
        try save()
        try FileManager.default.moveItem(at: url, to: folder.file("seed.sqlite"))
        try folder.write("", to: "company.sqlite")
        let store = try await ManagedObjectStore.open(
            at: url, model: Company.model(), seed: folder.file("seed.sqlite"))
        #expect(try await store.perform { try $0.count(Employee.all) } == 500)
    }

    @Test func `a file or seed of 0 bytes cannot be read`() async throws {
        try folder.write("", to: "company.sqlite")
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let error = await #expect(throws: StoreError.self) {
            _ = try await ManagedObjectStore.open(at: url, model: Company.model(), options: options)
        }
        #expect(error?.kind == .foreign && text(error) == "'…/company.sqlite' is empty: it has no database")
        let seed = await #expect(throws: StoreError.self) {
            _ = try await ManagedObjectStore.open(
                at: folder.file("new.sqlite"), model: Company.model(), seed: url)
        }
        #expect(seed?.kind == .foreign && text(seed) == "'…/company.sqlite' is empty: it has no database")
        #expect(try folder.names == ["company.sqlite"] && folder.data(of: "company.sqlite").isEmpty)
    }

    // MARK: Damage

    @Test func `damage inside a file is an error of the fetch that reads it, and changes nothing`() throws {
        try save()
        var data = try Data(contentsOf: url)
        // The last pages have rows.
        for index in stride(from: data.count - 8 * 4096, to: data.count, by: 64) { data[index] = 0xFF }
        try data.write(to: url)
        let store = try Company.store(in: folder)
        let context = ObjectContext(store)
        let error = #expect(throws: StoreError.self) { try context.fetch(Employee.all) }
        #expect(error?.kind == .corrupt)
        #expect(
            text(error)?.hasPrefix(
                "'…/company.sqlite' is not a valid SQLite database: database disk image is malformed; "
                    + "build or copy it again (SQLite code ") == true, "\(text(error) ?? "-")")
        store.close()
        #expect(try Data(contentsOf: url) == data)
    }

    // MARK: Permissions

    @Test(arguments: ["file", "folder"])
    func `a save without write permission is an error that names the file`(
        _ kind: String
    ) async throws {
        try save()
        let data = try folder.data(of: "company.sqlite")
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: kind == "file" ? 0o444 : 0o666], ofItemAtPath: url.path)
        try files.setAttributes([.posixPermissions: kind == "file" ? 0o777 : 0o555], ofItemAtPath: folder.path)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            // Root may write everything.
            if geteuid() == 0 { #expect(setuid(65534) == 0) }
            let error = #expect(throws: StoreError.self) {
                let store = try ManagedObjectStore(
                    at: URL(fileURLWithPath: path + "/company.sqlite"), model: Company.model())
                let context = ObjectContext(store)
                #expect(try context.count(Employee.all) == 500)
                _ = context.employee(1000, "new")
                try context.save()
            }
            #expect(error?.kind == .readOnly)
            let text =
                "cannot write '\(path)/company.sqlite': attempt to write a readonly database; "
                + "check the permissions of the file and its folder (SQLite code "
            #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "-")")
        }
        #expect(try folder.data(of: "company.sqlite") == data)
    }

    @Test func `a folder without write permission is an error for a new file`() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            if geteuid() == 0 { #expect(setuid(65534) == 0) }
            let error = #expect(throws: StoreError.self) {
                try ManagedObjectStore(at: URL(fileURLWithPath: path + "/company.sqlite"), model: Company.model())
            }
            #expect(error?.kind == .cannotOpen)
            #expect(error?.message == "cannot open '\(path)/company.sqlite'")
        }
        #expect(try folder.names.isEmpty)
    }

    // MARK: Files that are damaged while they are open

    @Test(arguments: [true, false])
    func `a file without the table of its model is corrupt`(isReadOnly: Bool) throws {
        try save()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = isReadOnly
        let store = try ManagedObjectStore(at: url, model: Company.model(), options: options)
        let other = try SQLiteDatabase(path: url.path, mode: .readWrite)
        try other.execute(#"DROP TABLE "_mappingkit""#)
        other.close()
        for error in [
            #expect(throws: StoreError.self) { try ObjectContext(store).fetch(Employee.all) },
            #expect(throws: StoreError.self) {
                try ManagedObjectStore(at: url, model: Company.model(), options: options)
            },
        ] {
            #expect(error?.kind == .corrupt)
            #expect(
                text(error)?.hasPrefix("'…/company.sqlite' lacks '_mappingkit', the table with its model; restore")
                    == true, "\(text(error) ?? "")")
        }
    }

    @Test func `a file that others truncate to 0 bytes is corrupt for a read-only store`() throws {
        try save()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let store = try ManagedObjectStore(at: url, model: Company.model(), options: options)
        #expect(try ObjectContext(store).count(Employee.all) == 500)
        #expect(truncate(url.path, 0) == 0)
        let error = #expect(throws: StoreError.self) { try ObjectContext(store).fetch(Employee.all) }
        #expect(error?.kind == .corrupt && text(error)?.contains("'…/company.sqlite'") == true, "\(text(error) ?? "")")
    }

    @Test func `a log that others truncate is an error of kind replaced`() throws {
        let store = try Company.store(in: folder)
        let context = ObjectContext(store)
        for number in 0..<500 { _ = context.employee(number, "an employee with the number \(number)") }
        try context.save()
        #expect(truncate(url.path + "-wal", 0) == 0)
        let error = #expect(throws: StoreError.self) { try ObjectContext(store).fetch(Employee.all) }
        #expect(error?.kind == .replaced)
        #expect(
            text(error)?.hasPrefix(
                "the file '…/company.sqlite-wal' was deleted, replaced or truncated while it was open") == true,
            "\(text(error) ?? "")")
    }
}
