import Foundation
import ObjectMapping
import Synchronization
import TestSupport

/// An element whose lists contain objects similar to elements.
struct ParallelSample: Mappable, Equatable {
    var id = 0
    var name = ""
    var cost: Double?
    var tags: [String] = []
    var items: [ParallelSample] = []

    static let mapping: Mapping<ParallelSample> = Mapping(ParallelSample.init) {
        Attribute("id", \.id).required
        Attribute("name", \.name)
        Attribute("cost", \.cost)
        Attribute("tags", \.tags)
        Relationship("items", \.items)
    }
}

/// Random texts of elements.
struct ParallelTexts {
    var random: SeededGenerator
    /// The possible mistakes of an element.
    var faults: [Fault] = []
    var newline = ""
    var hasNulls = false

    enum Fault: CaseIterable { case mismatch, missing, repeated, noObject }

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    mutating func element(_ number: Int, depth: Int = 2) -> String {
        var members = [#""id":\#(number)"#]
        members.append(
            #""name":"\#(random.pick(["a", "},{\\\"id\\\":1,", "{", "[{", "\\\\", "für 東京", String(repeating: "x", count: 70)]))""#
        )
        if random.chance(in: 2) { members.append(#""cost": \#(number).5"#) }
        if random.chance(in: 3) { members.append(#""tags":["x","{\"id\":2}","y, {"]"#) }
        if random.chance(in: 3) { members.append(#""other":{"id":1,"list":[[{"id":3},{"id":4}],{}]}"#) }
        if depth > 0, random.chance(in: 3) {
            let items = (0..<Int.random(in: 0...4, using: &random)).map { element($0, depth: depth - 1) }
            members.append("\"items\":[\(items.joined(separator: ","))]")
        }
        switch faults.isEmpty || !random.chance(in: 3) ? nil : random.pick(faults) {
        case .mismatch?: members.append(#""cost":"dear""#)
        case .missing?: members.removeFirst()
        case .repeated?: members.append(#""name":"again""#)
        case .noObject?: return random.pick(["5", "[{\"id\":1},{\"id\":2}]", "\"},{\\\"id\\\":1\"", "[]"])
        case nil: break
        }
        let separator = newline.isEmpty ? "," : ",\(newline)  "
        return "{" + members.joined(separator: separator) + "}"
    }

    mutating func elements(_ count: Int) -> [String] {
        (0..<count).map { hasNulls && random.chance(in: 5) ? "null" : element($0) }
    }

    /// The text of an array of them.
    mutating func array(_ count: Int) -> String { "[\(elements(count).joined(separator: ",\(newline)"))]" }

    mutating func members(_ count: Int) -> String {
        let members = elements(count).enumerated().map { #""key\#($0)\n" : \#($1)"# }
        return "{\(members.joined(separator: ",\(newline)"))}"
    }

    mutating func lines(_ count: Int) -> String {
        elements(count).map { $0 + random.pick(["\n", "\r\n", "\n\n"]) }.joined()
    }
}

/// The result of `mapAll`, as text.
struct ParallelOutcome: Equatable {
    var models: [ParallelSample] = []
    var report = ""
    var rejected: [RejectedElement] = []
    var issues: [MappingIssue] = []

    init(
        _ text: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        _ policy: MappingReport.Policy = .fail, _ options: MappingOptions = MappingOptions(),
        in settings: ParallelReading?
    ) {
        var found = MappingReport(policy: policy)
        do throws(MappingError) {
            models = try ParallelSample.mapping.mapAll(
                text, at: keyPath, each: shape, options: options, parallel: settings, report: &found)
        } catch {
            issues = error.issues
        }
        report = found.details
        rejected = found.rejected
        issues += found.issues
    }
}

/// Settings that divide even short texts, and the number of chunks of the models.
final class ParallelCounter: Sendable {
    private let counts = Mutex<[Int]>([])

    /// The number of chunks of each divided decode.
    var chunkCounts: [Int] { counts.withLock { $0 } }

    func settings(chunkSize: Int, threads: Int = 4) -> ParallelReading {
        var settings = ParallelReading()
        settings.threadCount = threads
        settings.shortestText = 0
        (settings.shortestChunk, settings.longestChunk) = (chunkSize, chunkSize)
        settings.log = { count in self.counts.withLock { $0.append(count) } }
        return settings
    }
}
