import Foundation
import ObjectMapping
import TestSupport
import Testing

struct ParallelTests {
    private static let policies: [MappingReport.Policy] = [.fail, .skipElement, .collect]

    /// Compares one thread with several for a text; returns the maximum number of chunks.
    @discardableResult private func compare(
        _ text: String, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), chunkSizes: [Int] = [64, 1500], _ note: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Int {
        let counter = ParallelCounter()
        for policy in Self.policies {
            let expected = ParallelOutcome(try GuardedText(text), at: keyPath, each: shape, policy, options, in: nil)
            for size in chunkSizes {
                let found = ParallelOutcome(
                    try GuardedText(text), at: keyPath, each: shape, policy, options,
                    in: counter.settings(chunkSize: size))
                let isEqual = found == expected
                #expect(isEqual, "\(note), \(policy), chunks of \(size)", sourceLocation: location)
                if !isEqual {
                    #expect(found.issues == expected.issues, sourceLocation: location)
                    #expect(found.rejected == expected.rejected, sourceLocation: location)
                    #expect(found.models.count == expected.models.count, sourceLocation: location)
                }
            }
        }
        return counter.chunkCounts.max() ?? 0
    }

    @Test(arguments: [1, 2, 3, 4])
    func `An array gives the same result on several threads`(seed: Int) throws {
        var texts = ParallelTexts(seed: seed)
        texts.hasNulls = seed.isMultiple(of: 2)
        texts.newline = seed.isMultiple(of: 3) ? "\n" : ""
        let sound = texts.array(150)
        #expect(try compare(sound) > 20)
        #expect(
            try compare(#"{"meta": {"tasks": [{"id": 1}]}, "tasks": \#(sound), "next": [{"id": 5}]}"#, at: "tasks") > 20
        )
        texts.faults = ParallelTexts.Fault.allCases
        #expect(try compare(texts.array(150)) > 20)
        texts.faults = [.mismatch, .repeated]
        #expect(try compare(" \n" + texts.array(150)) > 20)
    }

    @Test func `Elements can be much shorter or longer than the first ones`() throws {
        let long = (0..<20).map { #"{"id":\#($0),"name":"\#(String(repeating: "x", count: 2_000))"}"# }
        let short = (0..<3_000).map { #"{"id":\#($0)}"# }
        for elements in [long + short, short + long] {
            #expect(try compare("[" + elements.joined(separator: ",") + "]", chunkSizes: [1_500, 8_000]) > 5)
            #expect(try compare(elements.joined(separator: "\n"), each: .line, chunkSizes: [8_000]) > 5)
            #expect(try compare("[" + elements.joined(separator: ",") + ",]", chunkSizes: [1_500]) == 0)
        }
    }

    @Test(arguments: [1, 2, 3])
    func `Members and lines give the same result on several threads`(seed: Int) throws {
        var texts = ParallelTexts(seed: seed)
        texts.newline = seed == 3 ? "\n" : ""
        #expect(try compare(texts.members(120), each: .member) > 10)
        #expect(try compare(#"{"a": \#(texts.members(120)), "b": 1}"#, at: "a", each: .member) > 10)
        texts.faults = ParallelTexts.Fault.allCases
        #expect(try compare(texts.members(120), each: .member) > 10)
        texts.newline = ""
        texts.hasNulls = true
        let lines = texts.lines(150)
        #expect(try compare(lines, each: .line) > 20)
        #expect(try compare(lines.replacing("{\"id\":1", with: "{\"id\" 1"), each: .line) > 20)
        #expect(try compare("\n\n" + lines + "{\"id\":", each: .line) > 20)
    }

    @Test func `A collection in several parts gives the same result on several threads`() throws {
        var texts = ParallelTexts(seed: 7)
        texts.faults = [.mismatch]
        let parts = (0..<4).map { _ in #"{"n": {"id": 1}, "tasks": \#(texts.array(60))}"# }
        try compare("[\(parts.joined(separator: ",\n"))]", at: "tasks")
        try compare("[\(texts.array(60)), null, \(texts.array(60))]", at: "")
    }

    @Test func `A broken text gives the same issue on several threads`() throws {
        var texts = ParallelTexts(seed: 8)
        let sound = Array(texts.array(120).utf8)
        for (number, place) in stride(from: 0, to: sound.count, by: 211).enumerated() {
            var broken = sound
            switch number % 4 {
            case 0: broken.removeSubrange(place...)
            case 1: broken.remove(at: place)
            case 2: broken.insert(contentsOf: "}".utf8, at: place)
            default: broken[place] = 0xFF
            }
            for policy in Self.policies {
                let expected = ParallelOutcome(broken, policy, in: nil)
                let found = ParallelOutcome(broken, policy, in: ParallelCounter().settings(chunkSize: 600))
                let isEqual = found == expected
                #expect(isEqual, "\(number), byte \(place), \(policy)")
            }
        }
    }

    @Test func `Limits are the same on several threads`() throws {
        var texts = ParallelTexts(seed: 9)
        texts.faults = [.mismatch]
        let text = texts.array(120)
        for count in [0, 1, 60, 119, 120, 121] {
            try compare(text, options: MappingOptions(limits: MappingLimits(elementCount: count)), "\(count) elements")
        }
        for limits in [
            MappingLimits(depth: 3), MappingLimits(byteCount: 500), MappingLimits(elementByteCount: 90),
            MappingLimits(issueCount: 1), MappingLimits(issueCount: 17),
        ] { try compare(text, options: MappingOptions(limits: limits), "\(limits)") }
    }

    @Test func `Lines that exceed a limit give the same result on several threads`() throws {
        var texts = ParallelTexts(seed: 12)
        texts.faults = [.mismatch, .noObject]
        let lines = texts.lines(100) + "{\"id\": 1, \"other\": [[[[]]]]}\n{\"id\": 2} \u{FEFF}\n{\"id\": 3}\0\n"
        for depth in 1...6 {
            try compare(lines, each: .line, options: MappingOptions(limits: MappingLimits(depth: depth)), "\(depth)")
        }
    }

    @Test(arguments: [
        "", " ", "[]", "{}", "null", "5", "[", "[{}", #"{"id": 1}"#, #"[{"id": 1}]"#, "[null, null]", "\u{FEFF}[]",
    ])
    func `Short texts give the same result on several threads`(text: String) throws {
        try compare(text)
        try compare(text, each: .line)
        try compare(text, each: .member)
        try compare(#"{"a": \#(text)}"#, at: "a")
        try compare(text, at: "a.b")
    }

    @Test func `A long element among short ones gives the same result on several threads`() throws {
        var texts = ParallelTexts(seed: 10)
        let items = texts.array(400)
        let long = #"{"id": 1, "items": \#(items), "name": "long"}"#
        try compare("[\(long)]")
        try compare("[\((texts.elements(50) + [long] + texts.elements(50)).joined(separator: ","))]")
        try compare("[\((texts.elements(50) + [long, long]).joined(separator: ","))]")
    }

    @Test func `Objects are in the order of the text`() throws {
        let count = 5000
        let text =
            "[" + (0..<count).map { #"{"id": \#($0), "name": "task number \#($0)"}"# }.joined(separator: ",") + "]"
        let counter = ParallelCounter()
        var report = MappingReport()
        let objects = try NumberedObject.mapping.mapAll(
            text, parallel: counter.settings(chunkSize: 4096), report: &report)
        #expect(objects.map(\.id) == Array(0..<count))
        #expect(objects.last?.name == "task number \(count - 1)")
        #expect(counter.chunkCounts.first ?? 0 > 20)
    }

    @Test func `A payload of usual size is divided among threads`() throws {
        let count = 20_000
        let text =
            "[" + (0..<count).map { #"{"id": \#($0), "name": "task number \#($0)"}"# }.joined(separator: ",") + "]"
        #expect(try ParallelSample.mapping.mapAll(text, parallel: true).map(\.id) == Array(0..<count))
        var report = MappingReport(policy: .skipElement)
        let models = try ParallelSample.mapping.mapAll(
            #"{"tasks": \#(text)}"#, at: "tasks", parallel: true, report: &report)
        #expect(models.count == count && report.issues.isEmpty)
    }

    @Test func `Concurrent tasks can read on several threads`() async throws {
        var texts = ParallelTexts(seed: 11)
        let text = texts.array(150)
        let expected = ParallelOutcome(text, in: nil)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    ParallelOutcome(text, in: ParallelCounter().settings(chunkSize: 512)) == expected
                }
            }
            for await isEqual in group { #expect(isEqual) }
        }
    }

    @Test func `Elements that depend on each other, or on outer values, are read by one thread`()
        throws
    {
        let text = "[" + (0..<200).map { #"{"id": \#($0 % 50)}"# }.joined(separator: ",") + "]"
        let counter = ParallelCounter()
        let settings = counter.settings(chunkSize: 64)
        var report = MappingReport()
        let places = try IndexedElement.mapping.mapAll(text, parallel: settings, report: &report)
        #expect(places.map(\.index) == Array(0..<200))
        let objects = try NumberedObject.mapping.identified(by: \.id).mapAll(
            text, dataSource: MappingSession(), parallel: settings, report: &report)
        #expect(objects[0] === objects[50])
        #expect(counter.chunkCounts.isEmpty)
    }
}

private final class NumberedObject: Mappable {
    var id = 0
    var name = ""

    static var mapping: Mapping<NumberedObject> {
        Mapping({ NumberedObject() }) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
    }
}

private struct IndexedElement: Mappable {
    var index = 0
    static let mapping = Mapping(IndexedElement.init) { Attribute(.index, \.index) }
}
