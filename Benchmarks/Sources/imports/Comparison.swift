import Foundation
import ObjectStore

/// A participant of a comparison.
@MainActor struct Peer {
    let name: String
    let writer: any Writer.Type
    /// Whether it takes part in the first rounds only.
    let isSlow: Bool

    init(_ name: String, _ writer: any Writer.Type, isSlow: Bool = false) {
        self.name = name
        self.writer = writer
        self.isSlow = isSlow
    }

    static let store = Peer("store", ImportWriter.self)
    static let loop = Peer("C", LoopWriter.self)
    #if GRDB
        static let slow = [Peer("GRDB", GRDBWriter.self, isSlow: true)]
    #else
        static let slow: [Peer] = []
    #endif
}

/// Measures peers that write the same payloads alternately, and compares the written rows.
@MainActor struct Comparison {
    /// Payloads that are measured together.
    private struct Case {
        let name: String
        let number: Int
        let payloads: [Payload]
        /// The number of times that the case repeats the same work.
        var repeats = 1
    }

    private let folder: URL
    private let rounds: Int
    private let slowRounds: Int

    init(_ folder: URL, rounds: Int, slowRounds: Int) throws {
        self.folder = folder
        self.rounds = rounds
        self.slowRounds = slowRounds
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Compares imports of the texts in a folder.
    func run(_ data: URL) async throws {
        let peers = [.store, .loop] + Peer.slow
        let empty = try await template("empty", [])
        let owners = try data.owners()
        let tasks = try Payload(.tasks, data.appending(path: "tasks.json"))
        let batches = data.batches
        let count = owners.reduce(tasks.rows.count) { $0 + $1.rows.count }
        try await report(
            [
                Case(name: "empty", number: count, payloads: owners + [tasks]),
                Case(name: "again", number: count, payloads: owners + [tasks]),
            ], peers, from: empty)
        let shuffled = try Payload(.tasks, data.appending(path: "shuffled.json"))
        try await report([Case(name: "shuffled", number: count, payloads: owners + [shuffled])], peers, from: empty)

        let owned = try await template("owned", owners)
        try await report(
            [Case(name: "context", number: tasks.rows.count, payloads: batches.map { try Payload(.tasks, $0) })],
            [Peer("store", ContextWriter.self), .loop] + Peer.slow, from: owned)

        // All tasks wait for their project, but not for their user.
        let early = try batches.prefix(100).map { try Payload(.tasks, $0) }
        let waiting = try await template("waiting", [owners[0]] + early)
        try await report(
            [Case(name: "waiting", number: early.reduce(0) { $0 + $1.rows.count }, payloads: [owners[1]])],
            [.store, Peer("C", WiringLoopWriter.self)], from: waiting)
    }

    /// Compares imports of 50 elements, of which half exist, into a file with many rows.
    func few(_ file: URL) async throws {
        let (repeats, count) = (20, try await ObjectContext(.tasks(at: file)).count(ProjectTask.all))
        var next = count
        let payloads = try (0..<repeats).map { _ in
            let elements = (0..<50).map { index in
                if index % 2 == 0 { next += 1 }
                let id = index % 2 == 0 ? next : next * 7919 % count + 1
                return #"{"task_id":\#(id),"name":"task \#(id)","project":{"id":\#(id % 200 + 1)},"#
                    + #""assigned_user_id":\#(id % 50 + 1),"created_at":"2026-01-02T03:04:05Z","tags":["home"],"#
                    + #""done":true,"cost":12.5}"#
            }
            return try Payload(.tasks, Data("[\(elements.joined(separator: ","))]".utf8))
        }
        try await report(
            [Case(name: "few", number: count, payloads: payloads, repeats: repeats)], [.store, .loop] + Peer.slow,
            from: file)
    }

    /// Creates a store with some payloads.
    private func template(_ name: String, _ payloads: [Payload]) async throws -> URL {
        let file = folder.appending(path: "\(name).sqlite")
        let writer = try ImportWriter(file)
        for payload in payloads { try await writer.write(payload) }
        try ManagedObjectStore.tasks(at: file).checkpoint()
        return file
    }

    // MARK: Rounds

    /// Runs the peers alternately, each with a copy of a file, and prints the median of each.
    private func report(_ cases: [Case], _ peers: [Peer], from template: URL) async throws {
        var times: [[[Duration]]] = cases.map { _ in peers.map { _ in [] } }
        // The first round is a warm-up of caches and memory pages.
        for round in 0...rounds {
            var expected: UInt64?
            for (index, peer) in peers.enumerated() where !peer.isSlow || 1...slowRounds ~= round {
                let file = folder.appending(path: "turn.sqlite")
                try FileManager.default.copyItem(at: template, to: file)
                // A checkpoint would wait until all pages of the copy are on the disk.
                try FileHandle(forUpdating: file).synchronize()
                let found = try await turn(peer, cases, file)
                for (name, time) in found.times.enumerated() where round > 0 { times[name][index].append(time) }
                guard found.checksum == expected ?? found.checksum else {
                    throw Disagreement(description: "\(peer.name) wrote other rows than \(peers[0].name)")
                }
                expected = found.checksum
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
            }
        }
        for (measured, times) in zip(cases, times) {
            let medians = zip(peers, times).map { peer, times in
                "\(peer.name)=\(times.sorted()[times.count / 2] / .nanoseconds(1) / Double(measured.repeats))"
            }
            print(measured.name, measured.number, "ns", medians.joined(separator: "\t"), separator: "\t")
        }
    }

    /// Measures the cases of a peer, sequentially in the same file.
    private func turn(_ peer: Peer, _ cases: [Case], _ file: URL) async throws -> (times: [Duration], checksum: UInt64)
    {
        var times: [Duration] = []
        do {
            let writer = try peer.writer.init(file)
            for measured in cases {
                let start = ContinuousClock.now
                for payload in measured.payloads { try await writer.write(payload) }
                times.append(.now - start)
            }
        }
        return (times, try SQLiteFile(path: file.path).checksum())
    }
}
