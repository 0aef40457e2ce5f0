import ObjectMapping
import TestSupport
import Testing

struct BrokenTextsTests {
    private static let entities = [
        RowEntity(
            name: "E",
            attributes: [column("id", "integer"), column("name"), column("x", "double"), column("tags", "[string]")],
            relationships: [RowRelationship(name: "items", path: "items", destination: 0, isToMany: true)])
    ]

    private static let plan = Result { try RowPlan(entities: entities) }

    /// Whether a text is JSON to the readers, which must agree: tree, walker, typed mapping, and rows through a window.
    private static func check(_ bytes: [UInt8]) throws {
        let plan = try plan.get()
        let isJSON = (try? JSON(bytes)) != nil
        let note = Comment(rawValue: String(decoding: bytes, as: UTF8.self))
        let text = try GuardedText(bytes)
        let walked = text.withJSONView { JSONTokenizer.firstIssue(in: $0) == nil }
        #expect(walked == isJSON, note)
        func isRead(_ body: () throws -> Void) -> Bool {
            do { try body() } catch { return (error as? MappingError)?.isSyntax != true }
            return true
        }
        #expect(isRead { _ = try Sample.mapping.map(text) } == isJSON, note)
        #expect(isRead { _ = try Sample.mapping.mapAll(text) } == isJSON, note)
        #expect(isRead { _ = try Sample.mapping.mapAll(text, at: "items") } == isJSON, note)
        for path in ["", "items"] as [JSONKeyPath] {
            let isSound = isRead {
                let source = ByteChunks(bytes, by: 7)
                let reader = try RowReader(
                    source: source, plan: plan, entity: 0, at: path, shape: .element, windowSize: 16)
                while try reader.next() != nil {}
            }
            #expect(isSound == isJSON, note)
        }
    }

    @Test func `Every beginning of a document is an error`() throws {
        let bytes = Array(
            #"{"id": 12, "name": "a\u00e9\ud83d\ude00é", "x": -1.5e+3, "tags": ["a", null, true], "items": [{"id": 1}]}"#
                .utf8)
        for length in 0...bytes.count {
            try Self.check(Array(bytes[..<length]))
            #expect(((try? Sample.mapping.map(Array(bytes[..<length]))) != nil) == (length == bytes.count))
        }
    }

    @Test(arguments: 1...6)
    func `All readers agree on random changes of a byte`(seed: Int) throws {
        var json = RandomJSON(seed: seed)
        let spare =
            Array("{}[]:,\"\\ \n\t0123456789-+.eEtrufalsn/u'".utf8) + [
                0, 1, 0x1F, 0x7F, 0x80, 0xC3, 0xA9, 0xED, 0xF0, 0xFF,
            ]
        for _ in 0..<50 {
            let sound = Array((json.random.chance(in: 2) ? json.object() : json.array()).utf8)
            for _ in 0..<8 {
                var bytes = sound
                let place = Int.random(in: 0..<bytes.count, using: &json.random)
                switch Int.random(in: 0..<4, using: &json.random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(json.random.pick(spare), at: place)
                case 2: bytes[place] = json.random.pick(spare)
                default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &json.random)
                }
                try Self.check(bytes)
            }
        }
    }

    @Test(arguments: [
        "\u{FEFF}{}", "\u{FEFF}\u{FEFF}{}", "{}\u{FEFF}", "\u{A0}{}", "{}\0", "\0", "1", "\"a\"", "nul", "[nulll]",
        "--1",
    ])
    func `All readers agree on unusual texts`(text: String) throws {
        try Self.check(Array(text.utf8))
    }

    @Test(arguments: [
        #"{"\ud800\u0041": 1}"#, #"{"id": 1, "n\ud800\u0041": 2}"#, #"{"other": {"\ud800\u0041": 1}}"#,
        #"{"other": [{"a": "\ud800\u0041"}]}"#, #"{"id": 1, "name": "\ud800\u0041"}"#,
    ])
    func `Half a surrogate pair is refused in mapped and in skipped keys and values`(text: String) throws {
        try Self.check(Array(text.utf8))
        let error = #expect(throws: MappingError.self) { try Sample.mapping.map(text) }
        #expect(error?.issues.first?.found == #"a lone surrogate \uD800"#)
    }

    @Test func `Numbers are read up to 1,024 characters, levels up to 512`() throws {
        for count in [1023, 1024, 1025, 10_000] {
            try Self.check(Array("{\"x\": \(String(repeating: "1", count: count))}".utf8))
            try Self.check(Array("{\"id\": 0.\(String(repeating: "1", count: count - 2))}".utf8))
            try Self.check(Array("[1e\(String(repeating: "0", count: count - 2))]".utf8))
        }
        for (open, close) in [("[", "]"), ("{\"items\":", "}"), ("{\"other\":", "}"), ("{\"tags\":[", "]}")] {
            for count in [255, 256, 257, 511, 512, 513] + (open == "[" ? [100_000] : []) {
                let (head, end) = (String(repeating: open, count: count), String(repeating: close, count: count))
                try Self.check(Array((head + (open.last == "[" ? "" : "1") + end).utf8))
            }
        }
    }
}
