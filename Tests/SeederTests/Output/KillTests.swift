import Foundation
import ObjectStore
import TestSupport
import Testing

/// A hundred builds ended at random moments by signals: existing files are intact, and the next build removes the
/// remains.
@Suite struct KillTests {
    enum Mode: CaseIterable {
        case fresh, replacing, updating, skipping

        var manifest: String { self == .skipping ? "bad.json" : "big.json" }
        var options: [String] {
            switch self {
            case .fresh, .replacing: []
            case .updating: ["--update"]
            case .skipping: ["--on-error", "skip", "--update"]
            }
        }
        /// Rows of a finished build: an update keeps the old one, and one is skipped if that is allowed.
        var rows: Int { self == .updating ? KillTests.rows + 1 : KillTests.rows }
    }

    static let rows = 8_000
    /// The last element of the bad dump has no identity.
    static let dumps = ["big": "id", "bad": "no"].mapValues { lastKey in
        let tasks = (1..<rows).map { #"{"id":\#($0),"name":"task \#($0)"}"# }
        return "[\(tasks.joined(separator: ",\n")),{\"\(lastKey)\":\(rows)}]"
    }

    private static func makeFolder() throws -> SeedFolder {
        let folder = try SeedFolder()
        for (name, dump) in dumps.merging(["one": #"[{"id":0,"name":"old"}]"#], uniquingKeysWith: { $1 }) {
            let source = #"{ "file": "\#(name).dump", "entity": "Task" }"#
            try folder.folder.write(dump, to: "\(name).dump")
            try folder.folder.write(taskManifest(sources: source), to: "\(name).json")
        }
        return folder
    }

    /// Each lane has its own folder and sequence of moments.
    @Test(arguments: 0..<4)
    func `a killed build leaves the old or the new output, and the next build removes its files`(
        lane: UInt64
    ) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(state: seed)
        let folder = try Self.makeFolder()
        let given = Set(try folder.folder.names)
        let start = ContinuousClock.now
        #expect(try folder.run("build", "big.json", "-o", "out.sqlite").status == 0)
        let (seconds, attoseconds) = start.duration(to: .now).components
        // A little more than a complete build, so that its end is included.
        let longest = (Double(seconds) + Double(attoseconds) / 1e18) * 1.2
        // Each round updates or replaces the same output.
        #expect(try folder.run("build", "one.json", "-o", "out.sqlite").status == 0)

        var killed = 0
        for round in 0..<25 {
            let mode = Mode.allCases[Int.random(in: 0..<4, using: &random)]
            let signal = [SIGKILL, SIGTERM, SIGINT, SIGKILL][Int.random(in: 0..<4, using: &random)]
            let moment = Double.random(in: 0...longest, using: &random)
            let comment = Comment("round \(round) of seed \(seed): \(mode), signal \(signal) after \(moment) s")
            if mode == .fresh { try folder.removeOutput() }
            let old = try folder.files
            let process = try RunningProcess(
                product("seed-db"), arguments: ["build", mode.manifest, "-o", "out.sqlite"] + mode.options,
                directory: folder.folder.url)
            usleep(UInt32(moment * 1e6))
            process.send(signal)
            let result = try process.wait()

            let isComplete = try folder.isComplete(mode.rows)
            if result.status == 0 {
                #expect(isComplete, comment)
            } else {
                killed += 1
                #expect(result.status == 128 + signal, comment)
                let new = try folder.files
                #expect(isComplete || new["out.sqlite"] == old["out.sqlite"], comment)
                if signal != SIGKILL {
                    #expect(new == old, comment)
                    #expect(try Set(folder.folder.names) == given.union(old.keys), comment)
                }
            }
            try InterruptionTests.checkSum(of: folder)

            let next = try folder.run("build", "one.json", "-o", "out.sqlite")
            #expect(next.status == 0, comment)
            #expect(try Set(folder.folder.names) == given.union(["out.sqlite", "out.sqlite.sha256"]), comment)
            #expect(try folder.isComplete(1), comment)
            try InterruptionTests.checkSum(of: folder)
        }
        #expect(killed > 5, "the builds were over too soon")
    }
}

extension SeedFolder {
    fileprivate var files: [String: Data] {
        get throws {
            try folder.names.filter { $0.hasPrefix("out.sqlite") }.reduce(into: [:]) {
                $0[$1] = try folder.data(of: $1)
            }
        }
    }

    fileprivate func removeOutput() throws {
        for name in try files.keys { try FileManager.default.removeItem(at: folder.file(name)) }
    }

    fileprivate func isComplete(_ rows: Int) throws -> Bool {
        guard folder.contains("out.sqlite") else { return false }
        let seed = try SeedDatabase(at: output)
        return try seed.count(of: "Task") == rows && seed.damages().isEmpty
    }
}

/// Random numbers that a seed repeats.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
