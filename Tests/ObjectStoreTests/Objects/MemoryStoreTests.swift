import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Stores in memory, whose reads use the connection that writes.
@Suite struct MemoryStoreTests {
    let store: ManagedObjectStore

    init() throws {
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .zero
        store = try ManagedObjectStore(
            at: URL(fileURLWithPath: ":memory:"), model: Company.model(), options: options)
    }

    @Test func `a read waits for a write that takes longer than the timeout`() throws {
        let writer = HeldWriter(store)
        writer.releaseSoon()
        #expect(try store.rows(sql: "SELECT count(*) FROM Employee").first?.values == [0])
    }

    @Test func `a suspending fetch and a property wait for a write that takes longer than the timeout`() async throws {
        let context = ObjectContext(store)
        let sales = Department(in: context)
        (sales.code, sales.title) = ("S", "Sales")
        context.employee(1, "Ann").department = sales
        try await context.save()
        let writer = HeldWriter(store)
        writer.releaseSoon()
        #expect(try await context.fetch(Employee.all).map(\.name) == ["Ann"])
        let (other, second) = (ObjectContext(store), HeldWriter(store))
        second.releaseSoon()
        #expect(try await other.fetch(Employee.all).first?.department?.title == "Sales")
    }

    @Test func `a backup waits for a write that takes longer than the timeout`() throws {
        let folder = try TemporaryDirectory()
        let writer = HeldWriter(store)
        writer.releaseSoon()
        try store.backup(to: folder.file("copy.sqlite"))
        #expect(try SeedDatabase(at: folder.file("copy.sqlite")).count(of: "Employee") == 0)
    }

    @Test func `a save throws after the timeout`() throws {
        let writer = HeldWriter(store)
        defer { writer.release() }
        let context = ObjectContext(store)
        _ = context.employee(1, "Ann")
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test func `a read by code that the store calls while it writes is an error`() throws {
        try store.write { (connection) throws(StoreError) in
            let error = #expect(throws: StoreError.self) { try store.rows(sql: "SELECT 1") }
            #expect(error?.kind == .busy)
            #expect(error?.message == "the store is used by code that it calls while it writes")
        }
        #expect(try store.rows(sql: "SELECT 1").count == 1)
    }

    @Test func `options stay after a reset, and the old store is closed`() async throws {
        let fresh = try await store.reset()
        #expect(fresh.options.busyTimeout == .zero && fresh.url == nil)
        let error = #expect(throws: StoreError.self) { try store.rows(sql: "SELECT 1") }
        #expect(error?.kind == .closed)
    }
}
