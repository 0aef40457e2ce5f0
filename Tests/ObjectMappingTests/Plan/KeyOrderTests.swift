import ObjectMapping
import TestSupport
import Testing

/// Keys are guessed from the order of earlier objects: a guess must be compared with the key.
struct KeyOrderTests {
    private struct Sums: Equatable, Sendable {
        var values: [Int?] = Array(repeating: nil, count: 140)

        // An element of an array is not the destination of a rule, because its index can be out of range.
        subscript(number: Int) -> Int? {
            get { values[number] }
            set { values[number] = newValue }
        }
    }

    /// Keys of every length, many with the same prefix.
    private static let keys = (0..<140).map { number in
        switch number % 4 {
        case 0: "k\(number)"
        case 1: "common_prefix_\(number)"
        case 2: String(repeating: "x", count: number / 2)
        default: String(repeating: "\u{E9}", count: number / 4) + "_\(number % 10)"
        }
    }

    private static let mapping = Mapping(Sums.init) {
        for (number, key) in keys.enumerated() where number % 3 != 0 {
            Attribute([key], \.[number])
        }
    }

    @Test(arguments: 1...5)
    func `Objects with keys in any order are read alike`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var json = RandomJSON(seed: seed)
        var expected: [Sums] = []
        var texts: [String] = []
        var order = Array(Self.keys.indices)
        for _ in 0..<30 {
            if random.chance(in: 3) { order.shuffle(using: &random) }
            let chosen = order.filter { _ in !random.chance(in: 10) }
            var sums = Sums()
            let members = chosen.map { number in
                if number % 3 != 0 { sums.values[number] = number }
                return json.spelled(Self.keys[number]) + json.blank() + ":" + json.blank() + "\(number)"
            }
            expected.append(sums)
            texts.append("{" + members.joined(separator: ",") + "}")
        }
        let found = try Self.mapping.mapAll(GuardedText("[" + texts.joined(separator: ",") + "]"))
        let isEqual = found == expected
        #expect(isEqual)
    }

    @Test func `Keys that a decode has learned are compared in the next ones`() async throws {
        let mapping = Mapping(Box.init) {
            Attribute("id", \.int)
            Attribute("weight", \.double)
        }
        let unknown = (0..<200).map { "\"key\($0)\": null" }.joined(separator: ", ")
        let texts = [
            #"[{"id": 1, "note": 0, "weight": 2}, {"id": 1, "note": 0, "weight": 2}]"#,
            #"[{"id": 1, "notes": 0, "weight": 2}, {"weight": 2, "no": 0, "id": 1}]"#,
            #"[{"weight": 2, "id": 1}, {"idx": 3, "id": 1, "weights": 4, "weight": 2}]"#,
            "[{\(unknown), \"id\": 1, \"weight\": 2}, {\"id\": 1, \(unknown), \"weight\": 2}]",
        ]
        try await withThrowingTaskGroup(of: [Box].self) { group in
            for number in 0..<200 {
                group.addTask { try mapping.mapAll(GuardedText(texts[number * number % 7 % texts.count])) }
            }
            for try await boxes in group {
                #expect(boxes.map(\.int) == [1, 1])
                #expect(boxes.map(\.double) == [2, 2])
            }
        }
    }

    @Test func `A key with the expected prefix is another key`() throws {
        for key in Self.keys where !key.isEmpty {
            let mapping = Mapping(Box.init) { Attribute([key], \.int) }
            let others = [key + "x", String(key.dropLast()), key + "\\u0078", key.uppercased(), key + " "].filter {
                $0 != key
            }
            let head = "{\"\(key)\": 1}, {\"\(key)\": 2}, {\"\(key)\": 3}"
            let text = "[\(head), \(others.map { "{\"\($0)\": 9}" }.joined(separator: ", ")), {\"\(key)\": 4}]"
            let options = MappingOptions(requiresMappedKey: false)
            let found = try mapping.mapAll(GuardedText(text), options: options).map(\.int)
            #expect(found == [1, 2, 3] + others.map { _ in -1 } + [4], "\(key)")
        }
    }

    @Test func `Keys that differ only in their Unicode normal form are different`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("\u{E9}", \.int)
            Attribute("e\u{301}", \.double)
        }
        let boxes = try mapping.mapAll(
            "[{\"\u{E9}\": 1, \"e\u{301}\": 2}, {\"e\\u0301\": 4, \"\\u00e9\": 3}, {\"e\u{301}\": 6}]")
        #expect(boxes.map(\.int) == [1, 3, -1])
        #expect(boxes.map(\.double) == [2, 4, 6])
    }

    @Test func `Invalid UTF-8 in a key without a rule is found each time`() {
        for count in 1...4 {
            let element = Array("{\"id\": 1, \"\u{E9}\": 2}".utf8)
            var bad = element
            bad[11] = 0xFF
            let text =
                Array("[".utf8) + Array(repeatElement(element, count: count).joined(separator: [0x2C])) + [0x2C] + bad
                + [0x5D]
            let error = #expect(throws: MappingError.self) { try Payment.mapping.mapAll(text) }
            #expect(error?.description.contains("invalid UTF-8 (byte 0xFF)") == true)
        }
    }
}
