import ObjectMapping
import TestSupport
import Testing

/// Repeated strings of a long payload are created once.
struct TextCacheTests {
    private struct Item: Mappable, Equatable {
        var title = ""
        var note: String?
        var tags: [String] = []
        var names: [String] = []
        var raw = ""

        static let mapping = Mapping({ Item() }) {
            Attribute("title", \.title)
            Attribute("note", \.note)
            Attribute("tags", \.tags)
            Attribute("parts.@unionOfObjects.name", \.names)
            Attribute("inner.raw", \.raw)
        }
    }

    /// Strings many of which are equal, or differ only in bytes that are not hashed.
    private static func text(_ random: inout SeededGenerator) -> String {
        let middle =
            ["", "-", "\u{E9}", "\u{20AC}\u{20AC}", "0", "1", "\"", "\\", "\n"].randomElement(using: &random) ?? ""
        let padding = String(repeating: "x", count: Int.random(in: 0..<4, using: &random))
        return "the beginning \(middle)\(padding) and the end"
    }

    @Test(arguments: 1...3) func `Strings of a long payload are read correctly`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var items: [Item] = []
        for number in 0..<1500 {
            var item = Item()
            // The title changes from often to hardly ever repeated and back.
            item.title = (number / 300) % 2 == 0 ? Self.text(&random) : Self.text(&random) + " of number \(number)"
            item.note = number % 5 == 0 ? nil : Self.text(&random)
            item.tags = (0..<number % 4).map { _ in Self.text(&random) }
            item.names = (0..<number % 3).map { _ in Self.text(&random) }
            item.raw = Self.text(&random)
            items.append(item)
        }
        let texts = items.map { item in
            JSON.object([
                "title": .string(item.title), "note": item.note.map { .string($0) } ?? .null,
                "tags": .array(item.tags.map { .string($0) }),
                "parts": .array(item.names.map { .object(["name": .string($0)]) }),
                "inner": .object(["raw": .string(item.raw)]),
            ]).description
        }
        let text = try GuardedText("[\(texts.joined(separator: ",\n"))]")
        text.withJSONBytes { #expect($0.count > 1 << 17) }
        #expect(try Item.mapping.mapAll(text) == items)
        #expect(try Item.mapping.mapAll(JSON(text)) == items)
    }
}
