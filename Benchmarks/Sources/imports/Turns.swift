import Foundation

/// A participant of a comparison that works by itself, with a file that it receives.
struct Turn {
    let name: String
    /// The file that is copied for it; `nil` for that of the case.
    let template: URL?
    let run: @MainActor (URL) async throws -> Void

    init(_ name: String, from template: URL? = nil, _ run: @escaping @MainActor (URL) async throws -> Void) {
        self.name = name
        self.template = template
        self.run = run
    }
}

/// Rounds in which peers run alternately.
@MainActor struct Turns {
    let folder: URL
    let rounds: Int

    init(_ folder: URL, rounds: Int) throws {
        self.folder = folder
        self.rounds = rounds
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs the peers alternately, each with a copy of a file if there is one, and prints the median of each.
    func report(_ name: String, _ number: Int, _ turns: [Turn], from template: URL? = nil, repeats: Int = 1)
        async throws
    {
        var times: [[Duration]] = turns.map { _ in [] }
        // The first round is a warm-up of connections, caches and memory pages.
        for round in 0...rounds {
            for (index, turn) in turns.enumerated() {
                let file = try (turn.template ?? template).map { try copy($0, "turn") }
                let start = ContinuousClock.now
                try await turn.run(file ?? folder)
                if round > 0 { times[index].append(.now - start) }
                file.map(remove)
            }
        }
        show(name, number, zip(turns, times).map { ($0.name, $1) }, repeats: repeats)
    }

    /// Prints the median of each peer.
    func show(_ name: String, _ number: Int, _ times: [(name: String, times: [Duration])], repeats: Int = 1) {
        let medians = times.map { peer, times in
            "\(peer)=\(times.sorted()[times.count / 2] / .nanoseconds(1) / Double(repeats))"
        }
        print(name, number, "ns", medians.joined(separator: "\t"), separator: "\t")
    }

    /// The longest time that the main actor is occupied until a condition is met.
    static func longestPause(until isMet: () -> Bool) async -> Duration {
        var (longest, last) = (Duration.zero, ContinuousClock.now)
        while !isMet() {
            await Task.yield()
            let now = ContinuousClock.now
            (longest, last) = (max(longest, now - last), now)
        }
        return longest
    }

    func copy(_ template: URL, _ name: String) throws -> URL {
        let file = folder.appending(path: "\(name).sqlite")
        remove(file)
        try FileManager.default.copyItem(at: template, to: file)
        // A checkpoint would wait until all pages of the copy are on the disk.
        try FileHandle(forUpdating: file).synchronize()
        return file
    }

    func remove(_ file: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    }
}

func check(_ isRight: Bool) throws {
    guard isRight else { throw Disagreement(description: "a peer has another result") }
}
