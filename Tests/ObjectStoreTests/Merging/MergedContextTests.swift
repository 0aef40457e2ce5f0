import Dispatch
import Foundation
import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Contexts of actors and threads, and what happens to the store while they are in use.
@Suite struct MergedContextTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        let context = ObjectContext(store)
        for number in 1...10 { _ = context.employee(number, "n\(number)") }
        try context.save()
    }

    private func rename(_ number: Int, _ name: String) async throws {
        try await store.perform { context in
            try context.find(Employee.self, number)?.name = name
            try context.save()
        }
    }

    @Test func `unsaved values are kept if their object can no longer be read`() throws {
        let (context, other) = (ObjectContext(store), ObjectContext(store))
        let ann = try #require(try context.find(Employee.self, 1))
        ann.name = "Mine"
        try other.write(sql: #"UPDATE "Employee" SET "rank" = 'senior'"#)
        _ = try context.count(Employee.all)
        try other.write(sql: #"DELETE FROM "Employee" WHERE "number" = 1"#)
        #expect(ann.name == "Mine")
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test func `what others commit during an awaited fetch is merged by the next one`() async throws {
        for round in 0..<20 {
            let context = ObjectContext(store)
            async let renaming: Void = rename(round % 10 + 1, "r\(round)")
            let people = try await context.fetch(Employee.all.sorted(by: \.number))
            try await renaming
            _ = try await context.fetch(Employee.all)
            #expect(people[round % 10].name == "r\(round)")
        }
    }

    // MARK: The main context

    private final class Calls: Sendable {
        private let number = Atomic<Int>(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    @MainActor private func observe<Value>(_ read: () -> Value) -> Calls {
        let calls = Calls()
        _ = withObservationTracking(read, onChange: { calls.add() })
        return calls
    }

    @Test @MainActor func `the main context merges after every commit, and notifies observers of what changed`()
        async throws
    {
        let people = try await store.mainContext.fetch(Employee.all.sorted(by: \.number))
        let (name, share, other) = (
            observe { people[0].name }, observe { people[0].share }, observe { people[1].name }
        )
        try await rename(1, "Anna")
        #expect(await eventually { people[0].name == "Anna" })
        #expect(name.count == 1 && share.count == 0 && other.count == 0)
        let rank = observe { people[0].rank }
        try await store.mainContext.write(sql: #"UPDATE "Employee" SET "rank" = 'senior'"#)
        #expect(rank.count == 1 && people[0].rank == .senior)
    }

    @Test @MainActor func `the main context reads on another thread after commits`() async throws {
        let people = try await store.mainContext.fetch(Employee.all.sorted(by: \.number))
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isMain = Mutex<[Bool]>([])
        store.trace { _ in
            let current = DispatchQueue.getSpecific(key: key) ?? false
            isMain.withLock { $0.append(current) }
        }
        try await rename(1, "Anna")
        #expect(await eventually { people[0].name == "Anna" })
        store.trace(nil)
        #expect(isMain.withLock { !$0.isEmpty && !$0.contains(true) })
    }

    @Test @MainActor func `observers of lists are notified by commits of others only if the list changes`() async throws
    {
        let main = store.mainContext
        let sales = Department(in: main)
        (sales.code, sales.title) = ("S", "Sales")
        try await main.save()
        #expect(sales.staff == [])
        let (staff, rooms) = (observe { sales.staff.count }, observe { sales.rooms.count })
        try await store.perform { context in
            try context.find(Employee.self, 3)?.department = try context.find(Department.self, "S")
            try context.save()
        }
        #expect(await eventually { sales.staff.map(\.number) == [3] })
        #expect(staff.count == 1 && rooms.count == 0)
    }

    // MARK: Actors

    private actor Screen {
        let context: ObjectContext
        var people: [Employee] = []

        init(_ store: ManagedObjectStore) { context = ObjectContext(store) }

        func load() throws { people = try context.fetch(Employee.all.sorted(by: \.number)) }
        var names: [String] { people.map(\.name) }
        func merge() async throws -> [String] {
            _ = try await context.count(Skill.all)
            return people.map(\.name)
        }
        func isLost(_ number: Int) -> Bool { people[number - 1].managed.state == .deleted }
    }

    @Test func `a slow actor merges a thousand commits at once`() async throws {
        let screen = Screen(store)
        try await screen.load()
        try await store.perform { context in
            let people = try context.fetch(Employee.all.sorted(by: \.number))
            for round in 1...1000 {
                people[round % 9].name = "round \(round)"
                try context.save()
            }
            context.delete(people[9])
            try context.save()
        }
        #expect(await screen.names == (1...10).map { "n\($0)" })
        let statements = StatementLog(store)
        let names = try await screen.merge()
        #expect(names[0] == "round 999" && names[1] == "round 1000" && names[8] == "round 998" && names[9] == "n10")
        #expect(await screen.isLost(10))
        #expect(statements.take().count == 2)
    }

    @Test func `a context that is far behind merges everything`() async throws {
        let screen = Screen(store)
        try await screen.load()
        let context = ObjectContext(store)
        for number in 0..<12_000 { context.employee(100 + number, "x").share = 0 }
        try await context.save()
        let all = Employee.where { $0.number >= 100 }
        for share in 1...20 {
            try await context.update(all) { $0.set(\.share, to: Double(share)) }
        }
        try await context.update(Employee.where { $0.number == 1 }) { $0.set(\.name, to: "Anna") }
        #expect(store.commits.retainedRows <= 200_000)
        #expect(try await screen.merge().first == "Anna")
        #expect(store.commits.retainedRows == 0)
    }

    @Test func `commits without other contexts are not retained`() async throws {
        for round in 1...10 { try await rename(1, "n\(round)") }
        #expect(store.commits.retainedRows == 0)
        do {
            let context = ObjectContext(store)
            try await rename(1, "x")
            #expect(store.commits.retainedRows > 0)
            withExtendedLifetime(context) {}
        }
        #expect(store.commits.retainedRows == 0)
    }

    @Test func `many contexts merge what many threads save`() async throws {
        let screens = (0..<4).map { _ in Screen(store) }
        for screen in screens { try await screen.load() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...10 {
                group.addTask {
                    for round in 0..<10 { try await rename(number, "\(number).\(round)") }
                }
            }
            for screen in screens {
                group.addTask {
                    for _ in 0..<20 { _ = try await screen.merge() }
                }
            }
            try await group.waitForAll()
        }
        for screen in screens { #expect(try await screen.merge() == (1...10).map { "\($0).9" }) }
    }

    // MARK: The store

    @Test func `a merge point does not wait for a writer in use`() async throws {
        let context = ObjectContext(store)
        let people = try await context.fetch(Employee.all)
        let writer = HeldWriter(store)
        defer { writer.release() }
        _ = try await context.count(Skill.all)
        context.refresh()
        #expect(people.count == 10)
    }

    enum End: CaseIterable { case close, reset, deletion, replacement }

    @Test(arguments: End.allCases)
    func `a merge of a store that is closed, reset, deleted or replaced is an error, and objects keep their values`(
        _ end: End
    ) async throws {
        let context = ObjectContext(store)
        let people = try await context.fetch(Employee.all.sorted(by: \.number))
        people[1].name = "Mine"
        try await rename(1, "Anna")
        let url = folder.url.appending(path: "company.sqlite")
        var next: ManagedObjectStore?
        switch end {
        case .close: store.close()
        case .reset: next = try await store.reset()
        case .deletion: try FileManager.default.removeItem(at: url)
        case .replacement:
            try store.backup(to: folder.url.appending(path: "copy.sqlite"))
            try FileManager.default.removeItem(at: url)
            try FileManager.default.moveItem(at: folder.url.appending(path: "copy.sqlite"), to: url)
        }
        do throws(StoreError) {
            _ = try await context.fetch(Employee.all)
            // Connections that are open can still read a file that was deleted.
            #expect(end == .deletion || end == .replacement)
        } catch {
            #expect(error.kind == .closed || error.kind == .replaced)
            #expect(people[0].name == "n1")
        }
        context.refresh()
        #expect(people[1].name == "Mine")
        await #expect(throws: StoreError.self) { try await context.save() }
        withExtendedLifetime(next) {}
    }

    // MARK: Hooks

    @Test func `code that a merge calls cannot merge`() async throws {
        let context = ObjectContext(store)
        let people = try await context.fetch(Employee.all)
        try await store.perform { context in
            for person in try context.fetch(Employee.all) { person.name = "shout" }
            try context.save()
        }
        _ = try await context.count(Skill.all)
        #expect(people.allSatisfy { $0.name == "SHOUT" })
    }
}
