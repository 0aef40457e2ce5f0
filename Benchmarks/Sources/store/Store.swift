import Foundation
import ObjectStore
import SQLiteLoop

#if GRDB
    import GRDB
#endif

/// The store compared with GRDB, SQLite in C, plain classes and dictionaries. `Benchmarks/run` calls it:
///
///     store FOLDER COUNT ROUNDS [CASE]
///
/// A case, such as `fetch`, is for profilers: only it runs.
///
/// Each line of the output is a case, a number, a unit, and for each peer its name and the median of its rounds, separated
/// by tabs.
@main enum StoreComparison {
    @MainActor static func main() throws {
        let arguments = CommandLine.arguments
        guard (4...5).contains(arguments.count), let count = Int(arguments[2]), let rounds = Int(arguments[3]) else {
            print("usage: store FOLDER COUNT ROUNDS [CASE]")
            exit(1)
        }
        let folder = URL(fileURLWithPath: arguments[1])
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let comparison = try Comparison(folder, count: count, rounds: rounds)
        let cases = [
            "fetch": comparison.fetch, "find": comparison.find, "properties": comparison.properties,
            "single": { try comparison.save(1000, each: 1, "save single") },
            "many": { try comparison.save(10_000, each: 10_000, "save many") }, "memory": comparison.memory,
        ]
        for name in arguments.dropFirst(4).first.map({ [$0] }) ?? Self.order { try cases[name]?() }
    }

    private static let order = ["fetch", "find", "properties", "single", "many", "memory"]
}

/// The state that the cases share: a file with rows, which all peers read.
@MainActor struct Comparison {
    private let folder: URL
    private let count: Int
    private let rounds: Int
    private let store: ManagedObjectStore
    private let loop: SQLiteLoop

    init(_ folder: URL, count: Int, rounds: Int) throws {
        self.folder = folder
        self.count = count
        self.rounds = rounds
        let url = folder.appendingPathComponent("items.sqlite")
        store = try ManagedObjectStore(at: url, model: ObjectModel(Item.self))
        let context = ObjectContext(store)
        for key in 1...count { Item(in: context).fill(key) }
        try context.save()
        try store.checkpoint()
        loop = try SQLiteLoop(url, creates: false)
    }

    // MARK: Cases

    func fetch() throws {
        let store = store
        let expected = count * (count + 1) / 2
        var peers: [Peer] = [
            Peer("store") {
                try check(sumOfKeys(ObjectContext(store).fetch(Item.all)), expected)
            },
            Peer("C") { try check(loop.fetch(), expected) },
        ]
        #if GRDB
            let queue = try DatabaseQueue(path: folder.appendingPathComponent("items.sqlite").path)
            peers += [
                Peer("GRDB, Codable") {
                    try check(queue.read { try sumOfKeys(CodableItem.fetchAll($0)) }, expected)
                },
                Peer("GRDB, columns by name") {
                    try check(queue.read { try sumOfKeys(NamedItem.fetchAll($0)) }, expected)
                },
                Peer("GRDB, columns by position") {
                    try check(queue.read { try sumOfKeys(PositionedItem.fetchAll($0)) }, expected)
                },
            ]
        #endif
        try report("fetch", count, peers)
    }

    func find() throws {
        let (store, count) = (store, min(count, 10_000))
        let expected = count * (count + 1) / 2
        try report(
            "find in file", count,
            [
                Peer("store") {
                    let context = ObjectContext(store)
                    var sum = 0
                    for key in 1...count { sum += try Item.find(key, in: context)?.itemID ?? 0 }
                    try check(sum, expected)
                },
                Peer("C") { try check(loop.find(count), expected) },
            ])
        let context = ObjectContext(store)
        let objects = try context.fetch(Item.all)
        _ = try Item.find(1, in: context)
        let dictionary = Dictionary(objects.map { ($0.itemID, $0) }, uniquingKeysWith: { first, _ in first })
        try report(
            "find in memory", count,
            [
                Peer("store") {
                    var sum = 0
                    for key in 1...count { sum += try Item.find(key, in: context)?.itemID ?? 0 }
                    try check(sum, expected)
                },
                Peer("Dictionary") {
                    var sum = 0
                    for key in 1...count { sum += dictionary[key]?.itemID ?? 0 }
                    try check(sum, expected)
                },
            ])
        withExtendedLifetime(objects) {}
    }

    func properties() throws {
        // Few enough to stay in the processor's cache, so that the access itself is measured.
        let (number, repeats) = (1000, 1000)
        let plain = (1...number).map { key in
            let item = PlainItem()
            item.fill(key)
            return item
        }
        let observable = (1...number).map { ObservableItem($0) }
        let context = ObjectContext(store)
        let objects = try context.fetch(Item.all.limit(number))
        let observed = try store.mainContext.fetch(Item.all.limit(number))
        try report(
            "read", repeats * number,
            [
                Peer("store") { for _ in 0..<repeats { for item in objects { sink &+= item.itemID } } },
                Peer("main context") { for _ in 0..<repeats { for item in observed { sink &+= item.itemID } } },
                Peer("@Observable class") { for _ in 0..<repeats { for item in observable { sink &+= item.itemID } } },
                Peer("plain class") { for _ in 0..<repeats { for item in plain { sink &+= item.itemID } } },
            ])
        try report(
            "read all", repeats * number,
            [
                Peer("store") { for _ in 0..<repeats { for item in objects { sink &+= item.sumOfProperties() } } },
                Peer("main context") {
                    for _ in 0..<repeats { for item in observed { sink &+= item.sumOfProperties() } }
                },
                Peer("plain class") { for _ in 0..<repeats { for item in plain { sink &+= item.sumOfProperties() } } },
            ])
        try report(
            "write", repeats * number,
            [
                Peer("store") { for round in 0..<repeats { for item in objects { item.itemID = round } } },
                Peer("main context") { for round in 0..<repeats { for item in observed { item.itemID = round } } },
                Peer("@Observable class") {
                    for round in 0..<repeats { for item in observable { item.itemID = round } }
                },
                Peer("plain class") { for round in 0..<repeats { for item in plain { item.itemID = round } } },
            ])
        try report(
            "read in place", repeats * number,
            [
                Peer("store") { for item in objects { sink &+= item.read(repeats) } },
                Peer("main context") { for item in observed { sink &+= item.read(repeats) } },
                Peer("plain class") { for item in plain { sink &+= item.read(repeats) } },
            ])
        try report(
            "write in place", repeats * number,
            [
                Peer("store") { for item in objects { item.write(repeats) } },
                Peer("main context") { for item in observed { item.write(repeats) } },
                Peer("plain class") { for item in plain { item.write(repeats) } },
            ])
        context.rollback()
        store.mainContext.rollback()
    }

    func save(_ count: Int, each: Int, _ name: String) throws {
        let files = ["store", "C"].map { folder.appendingPathComponent("\($0)-\(each).sqlite") }
        let store = try ManagedObjectStore(at: files[0], model: ObjectModel(Item.self))
        let loop = try SQLiteLoop(files[1], creates: true)
        let context = ObjectContext(store)
        var (next, nextOfLoop) = (1, 1)
        try report(
            name, count,
            [
                Peer("store") {
                    for index in 1...count {
                        Item(in: context).fill(next)
                        next += 1
                        if index % each == 0 { try context.save() }
                    }
                },
                Peer("C") {
                    try loop.insert(nextOfLoop, count, each: each)
                    nextOfLoop += count
                },
            ])
        for file in [store.url, files[1]] {
            let rows = try SQLiteLoop(file ?? files[1], creates: false).fetch()
            try check(rows, (next - 1) * next / 2)
        }
    }

    func memory() throws {
        let context = ObjectContext(store)
        var start = allocated_bytes()
        let objects = try context.fetch(Item.all)
        let managed = allocated_bytes() - start
        start = allocated_bytes()
        let plain = objects.map { object in
            let item = PlainItem()
            item.fill(object.itemID)
            return item
        }
        let bytes = allocated_bytes() - start
        print("memory\t\(count)\tbytes\tstore=\(managed)\tplain class=\(bytes)")
        withExtendedLifetime((objects, plain)) {}
    }

    // MARK: Rounds

    /// Runs the peers alternately, and prints the median of each.
    private func report(_ name: String, _ number: Int, _ peers: [Peer]) throws {
        var times: [[Duration]] = peers.map { _ in [] }
        // The first round is a warm-up of caches, statements and memory pages.
        for round in 0...rounds {
            for (index, peer) in peers.enumerated() {
                let time = try ContinuousClock().measure { try peer.body() }
                if round > 0 { times[index].append(time) }
            }
        }
        let medians = zip(peers, times).map { peer, times in
            "\(peer.name)=\(times.sorted()[times.count / 2] / .nanoseconds(1))"
        }
        print(name, number, "ns", medians.joined(separator: "\t"), separator: "\t")
    }

    private func check(_ sum: Int, _ expected: Int) throws {
        guard sum == expected else { throw Disagreement(description: "a peer read \(sum), expected \(expected)") }
    }
}

/// The sum of the keys of objects or records; outside the main actor, whose closures check their thread in each call.
func sumOfKeys(_ items: [some KeyedItem]) -> Int { items.reduce(0) { $0 + $1.itemID } }

/// A participant of a case.
@MainActor struct Peer {
    let name: String
    let body: () throws -> Void

    init(_ name: String, _ body: @escaping () throws -> Void) {
        self.name = name
        self.body = body
    }
}

/// Peers that read or wrote different values.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
}

/// Consumes results, so that the compiler cannot omit the work for them.
@MainActor var sink = 0
