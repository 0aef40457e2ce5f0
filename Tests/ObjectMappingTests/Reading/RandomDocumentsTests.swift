import ObjectMapping
import TestSupport
import Testing

struct RandomDocumentsTests {
    private static let keys = [
        "id", "name", "x", "flag", "\u{E9}t\u{E9}", "tags", "with space", "a", "b", "items", "owner", "q\"uote",
        "other",
    ]

    /// A document whose values often match the sample's rules.
    private static func document(_ json: inout RandomJSON, _ depth: Int) -> String {
        var members: [String] = []
        for key in keys where json.random.chance(in: 2) {
            let value: String
            switch key {
            case "owner" where depth > 0: value = document(&json, depth - 1)
            case "items" where depth > 0:
                value =
                    "["
                    + (0..<Int.random(in: 0...3, using: &json.random)).map { _ in document(&json, depth - 1) }
                    .joined(separator: ",") + "]"
            case "owner", "items": value = json.random.pick(["null", "[]", "[null]"])
            case "id": value = json.random.pick(["1", "-12", "null", "\"7\"", "1e2", "1.0"])
            case "x": value = json.number()
            case "flag": value = json.random.pick(["true", "0", "\"no\"", "null"])
            case "\u{E9}t\u{E9}":
                value = json.random.pick(["\"2026-11-21\"", "5", "null", "\"2026-11-21T07:23:00.25+01:00\""])
            case "tags":
                value = json.random.pick(["[]", "null", json.string(), "[\(json.string()),null,\(json.string())]"])
            case "a": value = "{\"b\":" + json.object(2) + "}"
            default: value = json.value(2)
            }
            members.append(json.blank() + json.spelled(key) + json.blank() + ":" + json.blank() + value + json.blank())
        }
        return "{" + members.shuffled(using: &json.random).joined(separator: ",") + "}"
    }

    @Test(arguments: [1, 2, 3, 4])
    func `A random document gives the same model as its tree`(seed: Int) throws {
        var json = RandomJSON(seed: seed)
        var sound = 0
        for number in 0..<150 {
            let text = Self.document(&json, 3)
            let expected = try Sample(tree: JSON(text))
            let sample = try? Sample.mapping.map(GuardedText(text))
            let isEqual = sample == expected
            #expect(isEqual, "document \(number) of seed \(seed): \(text)")
            sound += sample == nil ? 0 : 1
        }
        #expect(sound > 30)
    }

    @Test(arguments: [5, 6])
    func `The last of repeated keys is used, like in the tree`(seed: Int) throws {
        var json = RandomJSON(seed: seed)
        var sound = 0
        for number in 0..<150 {
            let (first, second) = (Self.document(&json, 2), Self.document(&json, 2))
            let joined = first.dropLast() + (first == "{}" || second == "{}" ? "" : ",") + second.dropFirst()
            let text = String(joined)
            guard let sample = try? Sample.mapping.map(GuardedText(text)) else { continue }
            sound += 1
            let expected = try #require(try Sample(tree: JSON(text)))
            let isEqual = sample == expected
            #expect(isEqual, "document \(number) of seed \(seed): \(text)")
        }
        #expect(sound > 30)
    }

    @Test(arguments: [7, 8])
    func `Arrays of random documents give the same models as their trees, at any path`(seed: Int) throws {
        var json = RandomJSON(seed: seed)
        for number in 0..<60 {
            let texts = (0..<Int.random(in: 0..<12, using: &json.random)).map { _ in Self.document(&json, 1) }
            let expected = try texts.map { try Sample(tree: JSON($0)) }
            let text = "{\"before\":\(json.value()),\"all\":{\"list\":[\(texts.joined(separator: ","))],\"b\":1}}"
            let samples = try? Sample.mapping.mapAll(GuardedText(text), at: "all.list")
            let isEqual = samples == (expected.contains(nil) ? nil : expected.compactMap { $0 })
            #expect(isEqual, "\(number) of \(seed): \(text)")
        }
    }
}
