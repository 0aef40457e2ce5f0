import Dispatch
import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// The threads of contexts, and the effect of a save.
@Suite struct PerformTests {
    let store: ManagedObjectStore

    init() throws { store = try Company.store() }

    @Test func `bodies of perform run one at a time and in order`() async throws {
        let running = Atomic<Int>(0)
        let order = Mutex<[Int]>([])
        // The calls are made in order: a task that starts later can call first.
        let tasks = (0..<20).map { number in
            let body = { @Sendable (_: ObjectContext) in
                #expect(running.add(1, ordering: .relaxed).newValue == 1)
                usleep(200)
                order.withLock { $0.append(number) }
                running.subtract(1, ordering: .relaxed)
            }
            return Task { [store] in try await store.perform(body) }
        }
        for task in tasks { try await task.value }
        #expect(order.withLock { $0.sorted() } == Array(0..<20))
        for number in 0..<10 { try await store.perform { _ in order.withLock { $0.append(number) } } }
        #expect(order.withLock { Array($0.suffix(10)) } == Array(0..<10))
    }

    @Test func `bodies of perform run outside the cooperative pool`() async throws {
        let hasTask = try await store.perform { _ in withUnsafeCurrentTask { $0 != nil } }
        #expect(!hasTask)
        // Other tasks run, although the blocked bodies would fill the pool.
        let gate = DispatchSemaphore(value: 0)
        let stores = try (0..<16).map { _ in try Company.store() }
        let blocked = stores.map { store in Task { try await store.perform { _ in gate.wait() } } }
        #expect(await Task.detached { 7 }.value == 7)
        for _ in stores { gate.signal() }
        for task in blocked { try await task.value }
    }

    @Test func `perform returns results, and rethrows the error of its body`() async throws {
        #expect(try await store.perform { try $0.count(Employee.all) } == 0)
        let error = await #expect(throws: ValidationFailure.self) {
            try await store.perform { _ in throw ValidationFailure("of the body") }
        }
        #expect(error?.message == "of the body")
    }

    @Test func `a save is one transaction`() async throws {
        let folder = try TemporaryDirectory()
        let store = try Company.store(in: folder)
        let log = StatementLog(store)
        try await store.perform { context in
            let ann = context.employee(1, "Ann")
            ann.notes = [Note(in: context)]
            try context.save()
            context.delete(ann.notes[0])
            (ann.name, context.employee(2, "Bob").department) = ("Anna", nil)
            _ = log.take()
            try context.save()
        }
        let statements = log.take()
        #expect(statements.first == "BEGIN IMMEDIATE" && statements.last == "COMMIT")
        #expect(statements.filter { $0 == "BEGIN IMMEDIATE" || $0 == "COMMIT" }.count == 2)
        for start in ["DELETE FROM \"Note\"", "UPDATE \"Employee\" SET \"name\"", "INSERT INTO \"Employee\""] {
            #expect(statements.contains { $0.hasPrefix(start) })
        }
    }

    @Test @MainActor func `an object of the main context has a registrar once a property was read`() async throws {
        try await store.perform { context in
            _ = context.employee(1, "Ann")
            try context.save()
        }
        let ann = try #require(try await store.mainContext.fetch(Employee.all).first)
        #expect(ann.observer == nil)
        #expect(ann.name == "Ann" && ann.observer != nil && ann.state == nil)
    }

    @Test func `a context belongs to an actor that creates it`() async throws {
        let shelf = Shelves(try ManagedObjectStore(inMemory: ObjectModel(Shelf.self, Book.self)))
        for number in 1...3 { try await shelf.add(number, "title \(number)") }
        #expect(try await shelf.titles == ["title 1", "title 2", "title 3"])
    }

    @Test func `the file needs no function of the library`() throws {
        // Other SQLite tools can read it: decimals are strings, and only statements compare them with a function.
        let sql = try store.rows(sql: "SELECT sql FROM sqlite_schema").compactMap { $0["sql"]?.text }
        let other = try SQLiteDatabase(path: ":memory:", mode: .create)
        for statement in sql { try other.execute(statement) }
        try other.execute("INSERT INTO Employee(number, salary) VALUES(1, '10.5')")
        #expect(try other.integer("SELECT count(*) FROM Employee WHERE salary = '10.5'") == 1)
    }
}

private actor Shelves {
    private let context: ObjectContext

    init(_ store: ManagedObjectStore) { context = ObjectContext(store) }

    var titles: [String] {
        get throws { try context.fetch(Book.all.sorted(by: \.number)).map(\.title) }
    }

    func add(_ number: Int, _ title: String) throws {
        let book = Book(in: context)
        (book.number, book.title) = (number, title)
        try context.save()
    }
}
