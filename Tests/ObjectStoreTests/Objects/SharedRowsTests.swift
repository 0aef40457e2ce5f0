import Dispatch
import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// A class whose objects many contexts write.
final class Counter: ManagedObject {
    @Stored(.identity) var name = ""
    @Stored var value = 0
    @Stored var note: String? = nil
    @ToMany(inverse: \Tick.counter) var ticks: [Tick]
}

final class Tick: ManagedObject {
    @Stored(.identity) var writer = 0
    @Stored(.identity) var number = 0
    @ToOne var counter: Counter?
}

/// A context within an actor.
private actor Writer {
    let context: ObjectContext
    let number: Int

    init(_ number: Int, _ store: ManagedObjectStore) {
        context = ObjectContext(store)
        self.number = number
    }

    func run(_ rounds: Int) throws {
        for round in 0..<rounds { try SharedRowsTests.write(number, round, in: context) }
    }
}

@Suite struct SharedRowsTests {
    static let writers = 32
    static let rounds = 8
    static let names = ["a", "b", "c"]

    let folder: TemporaryDirectory
    let model: ObjectModel

    init() throws {
        folder = try TemporaryDirectory()
        model = try ObjectModel(Counter.self, Tick.self)
    }

    private func store() throws -> ManagedObjectStore {
        try ManagedObjectStore(at: folder.file("shared.sqlite"), model: model)
    }

    /// Adds one to every counter, and a tick to one of them; repeats it after conflicts.
    static func write(_ writer: Int, _ round: Int, in context: ObjectContext) throws {
        while try !tryToWrite(writer, round, in: context) { context.rollback() }
    }

    private static func tryToWrite(_ writer: Int, _ round: Int, in context: ObjectContext) throws -> Bool {
        let counters = try context.fetch(Counter.all)
        for counter in counters { counter.value += 1 }
        let tick = try context.findOrCreate(Tick.self, writer, round)
        tick.counter = counters[(writer + round) % counters.count]
        do throws(StoreError) {
            try context.save()
        } catch {
            guard error.kind == .conflict else { throw error }
            return false
        }
        return true
    }

    private static func perform(_ number: Int, _ store: ManagedObjectStore) async throws {
        for round in 0..<rounds {
            try await store.perform { try write(number, round, in: $0) }
        }
    }

    /// Inserts an object with the same identity as others in each round.
    private static func insert(_ number: Int, in context: ObjectContext) throws {
        for round in 0..<rounds {
            let counter = Counter(in: context)
            counter.name = "\(round)"
            if number == round { counter.note = "set by one" }
            try context.save()
        }
    }

    private func expectEverything(in store: ManagedObjectStore) throws {
        let total = Self.writers * Self.rounds
        let context = ObjectContext(store)
        let counters = try context.fetch(Counter.all.sorted(by: \.name))
        #expect(counters.map(\.name) == Self.names)
        #expect(counters.map(\.value) == Self.names.map { _ in total })
        #expect(counters.map(\.ticks.count).reduce(0, +) == total)
        #expect(try context.count(Tick.all) == total)
        #expect(try SeedDatabase(at: folder.file("shared.sqlite")).damages().isEmpty)
    }

    // MARK: Saves

    @Test(arguments: [1, 2])
    func `32 tasks with their own contexts lose nothing when they write the same rows`(stores count: Int)
        async throws
    {
        let stores = try (0..<count).map { _ in try store() }
        let context = ObjectContext(stores[0])
        for name in Self.names { Counter(in: context).name = name }
        try await context.save()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<Self.writers {
            let store = stores[number % count]
            tasks.append(
                number % 4 < 2
                    ? Task { try await Writer(number, store).run(Self.rounds) }
                    : Task { try await Self.perform(number, store) })
        }
        for task in tasks { try await task.value }
        try expectEverything(in: stores[0])
    }

    @Test(arguments: [1, 2])
    func `32 tasks that insert the same identities make no duplicates`(stores count: Int) async throws {
        let stores = try (0..<count).map { _ in try store() }
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<Self.writers {
            let store = stores[number % count]
            tasks.append(
                number.isMultiple(of: 2)
                    ? Task { try await store.perform { try Self.insert(number, in: $0) } }
                    : Task { try Self.insert(number, in: ObjectContext(store)) })
        }
        for task in tasks { try await task.value }
        let counters = try await ObjectContext(stores[0]).fetch(Counter.all)
        #expect(Set(counters.map(\.name)).count == Self.rounds && counters.count == Self.rounds)
        #expect(counters.allSatisfy { $0.note == "set by one" })
    }

    @Test func `32 threads that save concurrently wait for each other without an error`() throws {
        let store = try store()
        let group = DispatchGroup()
        let failures = Failures()
        let context = ObjectContext(store)
        for name in Self.names { Counter(in: context).name = name }
        try context.save()
        for number in 0..<Self.writers {
            let thread = Thread {
                let context = ObjectContext(store)
                do {
                    for round in 0..<Self.rounds { try Self.write(number, round, in: context) }
                } catch {
                    failures.add(error)
                }
                group.leave()
            }
            group.enter()
            thread.start()
        }
        group.wait()
        #expect(failures.texts == [])
        try expectEverything(in: store)
    }

    // MARK: Releases

    @Test func `a context fetches objects while other threads release them`() async throws {
        let store = try store()
        let context = ObjectContext(store)
        for number in 0..<200 { Tick(in: context).number = number }
        try await context.save()
        var tasks: [Task<Int, Never>] = []
        for _ in 0..<60 {
            let ticks = try await context.fetch(Tick.all)
            // Objects that are being released are not returned again.
            #expect(Set(ticks.map(\.number)).count == 200 && Set(ticks).count == 200)
            #expect(ticks.allSatisfy { $0.managed.context === context })
            for part in 0..<3 { tasks.append(Self.release(ticks.filter { $0.number % 3 == part })) }
        }
        for task in tasks { _ = await task.value }
        #expect(context.registeredObjects.isEmpty)
    }

    /// Releases objects on another thread.
    private static func release(_ ticks: [Tick]) -> Task<Int, Never> {
        nonisolated(unsafe) let captured = ticks
        return Task.detached { captured.count }
    }
}

/// Errors of several threads.
private final class Failures: @unchecked Sendable {  // guarded by its lock
    private let lock = NSLock()
    private var all: [String] = []
    var texts: [String] { lock.withLock { all } }

    func add(_ error: any Error) { lock.withLock { all.append("\(error)") } }
}
