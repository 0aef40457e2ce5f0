import ObjectMapping
import TestSupport
import Testing

/// A part that reads values of the enclosing objects.
private struct Part: Mappable, Equatable {
    var id = 0
    var owner: Int?
    var kind: String?
    var outer: JSON?
    static let mapping = Mapping(Part.init) {
        Attribute("id", \.id)
        Attribute(.parent("id"), \.owner)
        Attribute(.parent("kind"), \.kind)
        Attribute(.parent("note", levels: 2), \.outer)
    }
}

/// An item whose `kind` selects its mapping; some of the mappings map that key, too.
private struct Item: Mappable, Equatable {
    var shape = ""
    var id = 0
    var kind = ""
    var part: Part?
    var parts: [Part] = []
    var items: [Item] = []

    private static func shape(_ shape: String) -> Mapping<Item> {
        Mapping({ Item(shape: shape) }) {
            Attribute("id", \.id)
            if shape == "b" { Attribute("kind", \.kind) }
            Relationship("part", \.part)
            Relationship("parts", \.parts)
            Relationship("items", \.items)
        }
    }
    private static let (a, b, c, other) = (shape("a"), shape("b"), shape("c"), shape("other"))

    static let mapping: Mapping<Item> = Mapping(matching: {
        Match("kind", in: ["a": a, "b": b, 1: a])
        Match(wrappedIn: "c", c)
        Otherwise(other)
    })
}

/// Texts of items with some repeated keys.
private struct ItemTexts {
    var random: SeededGenerator
    var repeats = true

    mutating func item(depth: Int = 3) -> String {
        var members = [kind(), #""id": \#(Int.random(in: 0...9, using: &random))"#]
        if random.chance(in: 3) { members.removeFirst() }
        if random.chance(in: 2) { members.append(#""part": \#(part())"#) }
        if random.chance(in: 2) { members.append(#""parts": [\#(part()), \#(part())]"#) }
        if random.chance(in: 3) { members.append(#""note": \#(random.pick(["1", "\"\\u0041\"", "[2]", "null"]))"#) }
        if random.chance(in: 3) { members.append(#""more": {"kind": "a", "id": 5}"#) }
        if depth > 0, random.chance(in: 2) {
            members.append(#""items": [\#(item(depth: depth - 1)), \#(item(depth: depth - 1))]"#)
        }
        if depth > 0, random.chance(in: 6) { members.append(#""c": \#(item(depth: depth - 1))"#) }
        if repeats, random.chance(in: 3) { members.append(kind()) }
        if repeats, random.chance(in: 3) { members.append(#""id": 77"#) }
        if repeats, random.chance(in: 5) { members.append(#""note": 78"#) }
        members.shuffle(using: &random)
        return "{" + members.joined(separator: ", ") + "}"
    }

    private mutating func kind() -> String {
        let key = random.pick(["kind", "kind", "kin\\u0064"])
        return #""\#(key)": \#(random.pick(["\"a\"", "\"b\"", "\"x\"", "1", "null", "\"\\u0061\""]))"#
    }

    private mutating func part() -> String {
        let id = #""id": \#(Int.random(in: 0...9, using: &random))"#
        return random.chance(in: 3) ? #"{"kind": "part", \#(id)}"# : "{\(id)}"
    }
}

/// Values that are read before the end of their object: the first value counts.
struct EarlyChoiceTests {
    /// Reads each element separately, with its values known in advance.
    private func readOneByOne(_ text: String) throws -> [Item] {
        let elements = Item.mapping.elements(of: Array(text.utf8))
        var items: [Item] = []
        while let item = try elements.next() { items.append(item) }
        return items
    }

    @Test(arguments: 1...20)
    func `Repeated keys do not change the models`(seed: Int) throws {
        var texts = ItemTexts(random: SeededGenerator(seed: seed), repeats: seed > 5)
        for count in [1, 1, 3, 10, 100] {
            let text = "[" + (0..<count).map { _ in texts.item() }.joined(separator: ", ") + "]"
            var report = MappingReport()
            let expected = try readOneByOne(text)
            #expect(try Item.mapping.mapAll(text, report: &report) == expected)
            #expect(report.issues.allSatisfy { $0.kind == .duplicateKey })
            if count == 1 { #expect(try Item.mapping.map(text) == expected[0]) }
        }
    }

    @Test func `Issues of a text that is read twice are reported once`() throws {
        let text = #"[{"kind": "a", "id": "x", "kind": "b", "part": {}, "kind": "b"}]"#
        var report = MappingReport(policy: .collect)
        let items = try Item.mapping.mapAll(text, report: &report)
        #expect(items.map(\.shape) == ["b"])
        #expect(items[0].part?.kind == "b")
        // The part reads the same `id`.
        #expect(report.issues.map(\.kind) == [.typeMismatch, .typeMismatch, .duplicateKey, .duplicateKey])
    }

    @Test(arguments: ["", #", "kind": "b""#])
    func `A feed gives the same models on several threads`(rest: String) throws {
        let elements = (0..<2_000).map { number in
            #"{"kind": "\#(number.isMultiple(of: 2) ? "a" : "x")", "id": \#(number)\#(number == 1_000 ? rest : "")}"#
        }
        let text = "[" + elements.joined(separator: ",") + "]"
        var settings = ParallelCounter().settings(chunkSize: 2_000)
        settings.shortestText = 0
        var report = MappingReport()
        let items = try Feed.mapping.mapAll(text, parallel: settings, report: &report)
        #expect(items == (try Feed.mapping.mapAll(text)))
        #expect(items[1_000].shape == (rest.isEmpty ? "a" : "b") && items[1_001].shape == "other")
    }
}

private struct Feed: Mappable, Equatable {
    var shape = ""
    var id = 0

    private static func shape(_ shape: String) -> Mapping<Feed> {
        Mapping({ Feed(shape: shape) }) { Attribute("id", \.id) }
    }

    static let mapping = Mapping<Feed>(matching: {
        Match("kind", is: "a", shape("a"))
        Match("kind", is: "b", shape("b"))
        Otherwise(shape("other"))
    })
}
