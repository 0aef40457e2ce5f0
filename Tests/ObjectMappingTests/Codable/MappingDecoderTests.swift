import Foundation
import ObjectMapping
import TestSupport
import Testing

private struct Node: Decodable, Equatable {
    var id: Int
    var children: [Node]?
}

/// Stores its decoder and container, to use them after the decode.
private struct Keeper: Decodable {
    let decoder: any Decoder
    let values: KeyedDecodingContainer<Key>
    enum Key: CodingKey { case id, inner }
    init(from decoder: any Decoder) throws {
        self.decoder = decoder
        values = try decoder.container(keyedBy: Key.self)
    }
}

struct MappingDecoderTests {
    @Test func `Bytes, texts and values are decoded alike`() throws {
        let decoder = MappingDecoder()
        let text = #"[{"id": 1, "children": [{"id": 2}]}]"#
        let nodes = [Node(id: 1, children: [Node(id: 2)])]
        #expect(try decoder.decode([Node].self, from: text) == nodes)
        #expect(try decoder.decode([Node].self, from: Data(text.utf8)) == nodes)
        #expect(try decoder.decode([Node].self, from: Array(text.utf8)) == nodes)
        #expect(try decoder.decode([Node].self, from: try JSON(text)) == nodes)
    }

    @Test(arguments: [0, 1, 2, 3, 17, 25, 100, 2000])
    func `Keys are found in any order`(count: Int) throws {
        let keys = (0..<count).map { "key\($0)" }
        for order in [keys, keys.reversed(), keys.shuffled()] {
            let text = "{" + order.map { "\"\($0)\": \($0.dropFirst(3))" }.joined(separator: ",") + "}"
            struct All: Decodable {
                struct Key: CodingKey {
                    let stringValue: String
                    var intValue: Int? { nil }
                    init(_ number: Int) { stringValue = "key\(number)" }
                    init?(stringValue: String) { self.stringValue = stringValue }
                    init?(intValue: Int) { nil }
                }
                init(from decoder: any Decoder) throws {
                    let values = try decoder.container(keyedBy: Key.self)
                    let count = values.allKeys.count
                    for number in 0..<count {
                        #expect(!values.contains(Key(number + count)))
                        #expect(try values.decode(Int.self, forKey: Key(number)) == number)
                        #expect(try values.decodeIfPresent(Int.self, forKey: Key(-1 - number)) == nil)
                    }
                    for number in stride(from: 0, to: count, by: 7) {
                        #expect(try values.decode(Int.self, forKey: Key(number)) == number)
                    }
                }
            }
            _ = try MappingDecoder().decode(All.self, from: text)
        }
    }

    @Test(arguments: ["", "b", "bc"])
    func `The first of repeated keys is used, for each way to read it`(between: String) throws {
        struct Asker: Decodable {
            enum Key: CodingKey { case a, b, c }
            let answers: [Int]
            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                _ = try values.decodeIfPresent(Int.self, forKey: .b)
                var answers = [try values.decode(Int.self, forKey: .a)]
                #expect(values.contains(.a))
                answers.append(try values.decode(Int.self, forKey: .a))
                #expect(try !values.decodeNil(forKey: .a))
                answers.append(try values.decode(Int.self, forKey: .a))
                self.answers = answers
            }
        }
        let members = between.map { "\"\($0)\": 7," }.joined()
        let text = "{\"a\": 1, \(members) \"\\u0061\": 2, \"b\": 8, \"a\": 3}"
        #expect(try MappingDecoder().decode(Asker.self, from: text).answers == [1, 1, 1])
    }

    @Test func `Keys with escapes and beyond ASCII are found`() throws {
        struct Model: Decodable, Equatable {
            enum CodingKeys: String, CodingKey {
                case quote = "a\"b", accent = "é", long = "a long key of many bytes\n"
            }
            var quote: Int
            var accent: Int
            var long: Int
        }
        let text = #"{"a long key of many bytes\n": 3, "\u00e9": 2, "a\"b": 1}"#
        let decoder = MappingDecoder()
        #expect(try decoder.decode(Model.self, from: text) == Model(quote: 1, accent: 2, long: 3))
        let plain = #"{"a\u0022b": 1, "é": 2, "a long key of many bytes\u000a": 3}"#
        #expect(try decoder.decode(Model.self, from: plain) == Model(quote: 1, accent: 2, long: 3))
        // Keys are compared by scalars.
        #expect(throws: DecodingError.self) {
            try decoder.decode(Model.self, from: "{\"a\\\"b\": 1, \"e\u{301}\": 2, \"a long key of many bytes\\n\": 3}")
        }
    }

    @Test func `Decoders and containers can outlive the decode`() throws {
        var keepers: [Keeper] = []
        do {
            let text = #"[{"id": 1, "inner": {"id": 5}}, {"id": 2}, {"id": 3}]"#
            keepers = try MappingDecoder().decode([Keeper].self, from: text)
        }
        #expect(try keepers.map { try $0.values.decode(Int.self, forKey: .id) } == [1, 2, 3])
        #expect(try keepers.map { try Node(from: $0.decoder).id } == [1, 2, 3])
        #expect(keepers.map { $0.decoder.codingPath.map(\.intValue) } == [[0], [1], [2]])
        let inner = try keepers[0].values.nestedContainer(keyedBy: Keeper.Key.self, forKey: .inner)
        #expect(try inner.decode(Int.self, forKey: .id) == 5)
        #expect(inner.codingPath.map(\.stringValue) == ["Index 0", "inner"])
    }

    @Test func `Settings are read at the start of a decode, and can be changed on any thread`() async throws {
        let decoder = MappingDecoder()
        struct Model: Decodable { var someName: Int? }
        let text = #"{"some_name": 1, "someName": 2}"#
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    if number % 8 == 0 {
                        decoder.keyDecodingStrategy = number % 16 == 0 ? .convertFromSnakeCase : .useDefaultKeys
                    }
                    for _ in 0..<50 {
                        let model = try decoder.decode(Model.self, from: text)
                        #expect(model.someName == 1 || model.someName == 2)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `Types receive the values of userInfo`() throws {
        struct Reader: Decodable {
            static let key = CodingUserInfoKey(rawValue: "offset")
            let value: Int
            init(from decoder: any Decoder) throws {
                let offset = Reader.key.flatMap { decoder.userInfo[$0] as? Int } ?? 0
                value = try decoder.singleValueContainer().decode(Int.self) + offset
            }
        }
        let decoder = MappingDecoder()
        if let key = Reader.key { decoder.userInfo[key] = 10 }
        #expect(try decoder.decode([Reader].self, from: "[1, 2]").map(\.value) == [11, 12])
    }

    @Test func `Types are decoded up to the nesting limit of the text`() throws {
        let decoder = MappingDecoder()
        decoder.limits.depth = 1024
        let deep = String(repeating: "{\"id\":0,\"children\":[", count: 512) + String(repeating: "]}", count: 512)
        var node = try decoder.decode(Node.self, from: deep)
        var count = 1
        while let next = node.children?.first { (node, count) = (next, count + 1) }
        #expect(count == 512)
        #expect(throws: DecodingError.self) { try decoder.decode(Node.self, from: "[\(deep)]") }
    }

    @Test func `The time to search absent keys is linear in the length of the text`() throws {
        // A type that tries several forms creates an error for each element.
        enum Either: Decodable {
            case number(Int), text(String)
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let number = try? value.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .text(try value.decode(String.self))
                }
            }
        }
        let text = "[" + repeatElement("\"x\"", count: 20_000).joined(separator: ",") + "]"
        #expect(try MappingDecoder().decode([Either].self, from: text).count == 20_000)
        // A dictionary reads its keys in order.
        let members = (0..<20_000).reversed().map { "\"\($0)\":\($0)" }.joined(separator: ",")
        #expect(try MappingDecoder().decode([Int: Int].self, from: "{\(members)}").count == 20_000)
    }

    @Test(arguments: 0..<200) func `Random bytes do not crash`(seed: Int) {
        var random = RandomJSON(seed: seed)
        let decoder = MappingDecoder()
        decoder.keyDecodingStrategy = seed % 2 == 0 ? .useDefaultKeys : .convertFromSnakeCase
        for _ in 0..<20 {
            var bytes = Array(random.value(4).utf8)
            for _ in 0..<Int.random(in: 0..<4, using: &random.random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random.random)
                switch Int.random(in: 0..<4, using: &random.random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random.random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(random.random.pick(Array("[]{}\",:\\e-.0u".utf8)), at: place)
                default: bytes = Array(bytes[..<place])
                }
            }
            let isSound = (try? JSON(bytes)) != nil
            for type in [
                DecoderModels.Wide.self, DecoderModels.Loose.self, [DecoderModels.Branch].self, [Int: String].self,
            ]
                as [any Decodable.Type]
            {
                let outcome = outcome(type, decoder, bytes)
                if !isSound { #expect(outcome.failure == "dataCorrupted" && outcome.path == "") }
            }
        }
    }

    private func outcome(_ type: (some Decodable).Type, _ decoder: MappingDecoder, _ bytes: [UInt8]) -> DecodingOutcome
    {
        DecodingOutcome(type) { try decoder.decode($0, from: bytes) }
    }
}
