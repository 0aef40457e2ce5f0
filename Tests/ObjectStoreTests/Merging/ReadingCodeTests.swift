import Foundation
import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// The results of reads in code that an operation of a context calls.
private final class ReadResults: Sendable {
    @TaskLocal static var current: ReadResults?
    private let texts = Mutex<[String]>([])

    func note(_ read: () throws(StoreError) -> String) {
        let text: String
        do throws(StoreError) { text = try read() } catch { text = error.description }
        texts.withLock { $0.append(text) }
    }

    var all: [String] { texts.withLock { $0 } }
}

/// Ends the loop of a task.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

/// Reads the store in its hooks.
private final class Invoice: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToOne var previous: Invoice?

    static let mapping = Mapping(Invoice.self) {
        Attribute("number", \.number)
        Attribute("name", \.name)
    }

    private func note() {
        guard let context = managed.context else { return }
        ReadResults.current?.note { () throws(StoreError) in
            let first = try context.fetch(Invoice.where { $0.number == 1 }).first
            return "\(try context.count(Invoice.all)) \(first?.previous?.name ?? "-")"
        }
    }

    override func awakeFromInsert() { note() }
    override func awakeFromFetch() { note() }
}

/// Observers and hooks that read while an awaited call is in progress.
@Suite @MainActor struct ReadingCodeTests {
    private let store: ManagedObjectStore
    private let results = ReadResults()

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Invoice.self))
        let context = ObjectContext(store)
        for (number, name) in [(1, "a"), (2, "b")] {
            let invoice = Invoice(in: context)
            (invoice.number, invoice.name) = (number, name)
        }
        try context.find(Invoice.self, 1)?.previous = context.find(Invoice.self, 2)
        try context.save()
    }

    private func rename(_ number: Int, _ name: String) async throws {
        try await store.perform { context in
            try context.find(Invoice.self, number)?.name = name
            try context.save()
        }
    }

    @Test(arguments: ["fetch", "map", "commit"])
    func `an observer that an awaited call notifies can read`(_ call: String) async throws {
        let main = store.mainContext
        let invoice = try #require(try await main.find(Invoice.self, 1))
        withObservationTracking {
            _ = invoice.name
        } onChange: { [store, results] in
            MainActor.assumeIsolated {
                results.note { () throws(StoreError) in
                    let all = try store.mainContext.fetch(Invoice.all.sorted(by: \.number))
                    return "\(all.count) \(all[0].previous?.name ?? "-")"
                }
            }
        }
        switch call {
        case "fetch":
            try await rename(1, "A")
            _ = try await main.fetch(Invoice.where { $0.number > 1 })
        case "map": _ = try await main.map(#"[{"number": 1, "name": "A"}, {"number": 9}]"#, with: Invoice.mapping)
        default: try await rename(1, "A")
        }
        #expect(await eventually { !results.all.isEmpty })
        #expect(results.all == [call == "map" ? "3 b" : "2 b"])
        #expect(invoice.name == "A")
    }

    @Test(arguments: ["fetch", "map"])
    func `a hook that an awaited call calls can read, and is called once for each object`(_ call: String) async throws {
        let context = ObjectContext(store)
        try await ReadResults.$current.withValue(results) {
            if call == "fetch" {
                _ = try await context.fetch(Invoice.where { $0.number == 2 })
                // The hook fetches another object.
                #expect(results.all == ["2 b", "2 b"])
            } else {
                let new = try await context.map(#"{"number": 3, "name": "c"}"#, with: Invoice.mapping)
                #expect(
                    new.map(\.number) == [3] && results.all.first == "2 b" && results.all.allSatisfy { $0 == "2 b" })
            }
        }
        #expect(!results.all.contains { $0.contains("thread") }, "\(results.all)")
    }

    // MARK: Reads that others overtake

    @Test func `an awaited read ends although its context saves all the time`() async throws {
        let context = ObjectContext(store)
        let invoice = try #require(try await context.find(Invoice.self, 1))
        var (rounds, count) = (0, 0)
        let reading = Task { @MainActor in count = try await context.fetch(Invoice.all).count }
        while count == 0, rounds < 1000 {
            rounds += 1
            invoice.name = "\(rounds)"
            try await context.save()
        }
        try await reading.value
        #expect(count == 2 && rounds < 1000)
    }

    @Test(arguments: [false, true])
    func `an awaited read ends although its context reads all the time`(isAwaited: Bool) async throws {
        let context = ObjectContext(store)
        let invoice = try #require(try await context.find(Invoice.self, 1))
        var (rounds, count) = (0, 0)
        func read() throws { _ = try context.fetch(Invoice.where { $0.number == 1 }) }
        let reading = Task { @MainActor in count = try await context.fetch(Invoice.all.sorted(by: \.name)).count }
        while count == 0, rounds < 5000 {
            rounds += 1
            if isAwaited { _ = try await context.fetch(Invoice.where { $0.number == 1 }) } else { try read() }
            await Task.yield()
        }
        try await reading.value
        #expect(count == 2 && rounds < 5000 && invoice.number == 1)
    }

    @Test func `awaited reads of the main context end although others commit in a loop`() async throws {
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(at: folder.file("invoices.sqlite"), model: ObjectModel(Invoice.self))
        let isOver = Flag()
        try await store.perform { context in
            for number in 0..<2000 { Invoice(in: context).number = number }
            try context.save()
        }
        let main = store.mainContext
        let all = try await main.fetch(Invoice.all)
        let writing = Task.detached {
            var round = 0
            while !isOver.isSet {
                round += 1
                try await store.perform { [round] context in
                    try context.find(Invoice.self, round % 2000)?.name = "\(round)"
                    try context.save()
                }
            }
        }
        for _ in 0..<20 {
            let found = try await main.fetch(Invoice.all)
            #expect(found.count == 2000)
        }
        isOver.set()
        try await writing.value
        #expect(all.count == 2000)
    }
}
