import Foundation
import ObjectMapping
import TestSupport
import Testing

/// Parsed values, values created in code and a slow reference agree on random documents.
@Suite struct JSONReferenceTests {
    @Test(arguments: 0..<8) func `Parsed values and trees agree with the reference`(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(900 + part))
        var documents = DocumentGenerator()
        for _ in 0..<120 {
            let text = documents.text(&random)
            let written = try PlainReader.read(Array(text.utf8))
            let node = written.deduplicated
            let json = try JSON(text)
            let tree = JSON(node)
            #expect(json.text == node.text, "\(text)")
            #expect(tree.text == node.text, "\(text)")
            #expect(isSame(json, node), "\(text)")
            #expect(isSame(tree, node), "\(text)")
            #expect(json == tree && tree == json && json == json, "\(text)")
            #expect(json.hashValue == tree.hashValue, "\(text)")
            #expect(json.duplicateKeys.isEmpty == (written.memberCount == written.distinctMemberCount), "\(text)")
            #expect(try JSON(json.prettyPrinted).text == node.text)
            #expect(json.withJSONBytes { Array($0) } == Array(node.text.utf8))
            #expect(try JSON(json).text == node.text)
            let shuffled = JSON(node.shuffled(&random))
            #expect(shuffled == json && json == shuffled && shuffled.hashValue == json.hashValue, "\(text)")
        }
    }

    @Test(arguments: 0..<4) func `Different values are not equal`(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(950 + part))
        var documents = DocumentGenerator()
        for _ in 0..<200 {
            let (a, b) = (documents.text(&random), documents.text(&random))
            let nodes = try [a, b].map { try PlainReader.read(Array($0.utf8)).deduplicated }
            let isEqual = nodes[0].identity == nodes[1].identity
            #expect((try JSON(a) == JSON(b)) == isEqual, "\(a) and \(b)")
            #expect((try JSON(a) == JSON(nodes[1])) == isEqual, "\(a) and \(b)")
        }
    }

    @Test(arguments: 0..<4) func `Setting changes parsed values and trees alike`(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(980 + part))
        var documents = DocumentGenerator()
        for _ in 0..<100 {
            let text = documents.text(&random)
            var parsed = try JSON(text)
            var tree = JSON(try PlainReader.read(Array(text.utf8)).deduplicated)
            let before = parsed
            for _ in 0..<6 {
                let replacement = try JSON(documents.text(&random))
                let values = [JSON.null["x"], JSON.string("new"), [1, ["k": 2]], replacement]
                let value = values.randomElement(using: &random) ?? replacement
                let index = Int.random(in: -1..<4, using: &random)
                let key = documents.key(&random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: (parsed[key], tree[key]) = (value, value)
                case 1: (parsed[index], tree[index]) = (value, value)
                case 2: (parsed[key][index], tree[key][index]) = (value, value)
                default: (parsed[index][key], tree[index][key]) = (value, value)
                }
                #expect(parsed.text == tree.text && parsed == tree && parsed.hashValue == tree.hashValue, "\(text)")
            }
            #expect(try before == JSON(text))
        }
    }

    /// Whether all accessors of a value agree with the reference.
    private func isSame(_ json: JSON, _ node: PlainNode) -> Bool {
        guard json.exists, json.isNull == node.isNull, (json.array == nil) == (node.array == nil) else { return false }
        if !node.isObject, json.object != nil || json["a"].exists { return false }
        switch node.kind {
        case .null: return json.string == nil && json.bool == nil && json.double == nil
        case .bool(let value): return json.bool == value && json.int == nil
        case .string(let text): return json.string.map { $0.utf8.elementsEqual(text.utf8) } == true && json.int == nil
        case .number(let text):
            guard json.text == text, json.string == nil else { return false }
            let integer = PlainNumber(text).integer.flatMap { Int64(exactly: $0) }
            return json.int64 == integer && json.double == Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .array(let elements):
            let found = json.array ?? []
            return found.count == elements.count && !json[elements.count].exists && !json[-1].exists
                && elements.indices.allSatisfy { isSame(found[$0], elements[$0]) && json[$0] == found[$0] }
        case .object(let members):
            guard let object = json.object, object.count == members.count else { return false }
            let keys = members.map { Array($0.key.utf8) }
            return object.keys.map { Array($0.utf8) } == keys && object.map { Array($0.key.utf8) } == keys
                && members.indices.allSatisfy { index in
                    let (key, value) = (members[index].key, members[index].value)
                    return isSame(json[key], value) && isSame(object[index].value, value)
                        && object[key] == object[index].value
                }
        }
    }
}

/// Random JSON text: repeated and escaped keys, whitespace, all kinds of numbers, small and large containers.
private struct DocumentGenerator {
    private let numbers = [
        "0", "-0", "7", "-12", "1.0", "1e3", "1E+2", "-0.0", "0.10", "123456789012345678", "1234567890123456789",
        "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e400", "1e-400", "5e-324", "0.1",
        "0.30000000000000004", "12345678901234567890.5",
    ]
    private let strings = [
        #""""#, #""a""#, #""plain text of some length""#, #""é""#, #""e\u0301""#, #""\u00e9""#, #""\n\t\"\\\/\b\f""#,
        #""\ud83d\ude00 😀 漢字""#, #""\u0000\u001f""#, #""[1]""#,
    ]
    private let keys = [
        #""a""#, #""b""#, #""\u0061""#, #""é""#, #""e\u0301""#, #""""#, #""profile_background_color""#,
        #""profile_background_image""#, #""key with \"quotes\"""#, #""k\n""#,
    ]

    mutating func text(_ random: inout SeededGenerator) -> String { value(4, &random) }

    func key(_ random: inout SeededGenerator) -> String {
        ["a", "b", "é", "", "profile_background_color", "new"].randomElement(using: &random) ?? ""
    }

    private func value(_ depth: Int, _ random: inout SeededGenerator) -> String {
        let space = ["", "", "", " ", "\n  ", "\t\r\n"]
        func blank() -> String { space.randomElement(using: &random) ?? "" }
        func list(_ count: Int, _ item: (Int) -> String) -> String {
            (0..<count).map { blank() + item($0) + blank() }.joined(separator: ",") + (count == 0 ? blank() : "")
        }
        switch Int.random(in: 0..<(depth == 0 ? 5 : 12), using: &random) {
        case 0: return "null"
        case 1: return Bool.random(using: &random) ? "true" : "false"
        case 2, 3: return numbers.randomElement(using: &random) ?? ""
        case 4: return strings.randomElement(using: &random) ?? ""
        case 5, 6, 7:
            let isLarge = depth == 1 && Int.random(in: 0..<8, using: &random) == 0
            let count = Int.random(in: 0..<(isLarge ? 90 : 5), using: &random)
            return "[" + list(count) { _ in value(depth - 1, &random) } + "]"
        default:
            let isLarge = Int.random(in: 0..<8, using: &random) == 0
            let count = Int.random(in: 0..<(isLarge ? 90 : 6), using: &random)
            let members = list(count) { index in
                let key =
                    isLarge && Int.random(in: 0..<30, using: &random) > 0
                    ? "\"key \(index)\"" : keys.randomElement(using: &random) ?? ""
                return key + blank() + ":" + blank() + value(isLarge ? 0 : depth - 1, &random)
            }
            return "{" + members + "}"
        }
    }
}

extension JSON {
    /// The value created in code.
    fileprivate init(_ node: PlainNode) {
        self =
            switch node.kind {
            case .null: .null
            case .bool(let value): .bool(value)
            case .string(let text): .string(text)
            case .number(let text): (try? JSON(text)) ?? .null
            case .array(let elements): .array(elements.map { JSON($0) })
            case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: JSON($0.value)) }))
            }
    }
}

extension PlainNode {
    fileprivate func shuffled(_ random: inout SeededGenerator) -> PlainNode {
        switch kind {
        case .array(let elements): PlainNode(kind: .array(elements.map { $0.shuffled(&random) }), place: nil)
        case .object(let members):
            PlainNode(
                kind: .object(
                    members.map { Member(key: $0.key, keyOffset: 0, value: $0.value.shuffled(&random)) }
                        .shuffled(using: &random)), place: nil)
        default: self
        }
    }

    /// Members in this value and within it.
    fileprivate var memberCount: Int {
        switch kind {
        case .array(let elements): elements.reduce(0) { $0 + $1.memberCount }
        case .object(let members): members.reduce(members.count) { $0 + $1.value.memberCount }
        default: 0
        }
    }

    /// The same with each key of an object counted once, with all of its values.
    fileprivate var distinctMemberCount: Int {
        switch kind {
        case .array(let elements): elements.reduce(0) { $0 + $1.distinctMemberCount }
        case .object(let members):
            members.reduce(Set(members.map { Array($0.key.utf8) }).count) { $0 + $1.value.distinctMemberCount }
        default: 0
        }
    }
}
