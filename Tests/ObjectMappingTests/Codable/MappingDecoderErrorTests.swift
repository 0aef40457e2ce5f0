import Foundation
import ObjectMapping
import TestSupport
import Testing

private struct TaskOwner: Decodable {
    var id: Int
    var name: String
}

private struct Task: Decodable {
    enum State: String, Decodable, CaseIterable { case open, done }

    var id: Int
    var title: String
    var state: State?
    var due: Date?
    var link: URL?
    var blob: Data?
    var price: Decimal?
    var score: Float?
    var small: UInt8?
    var tags: [String]?
    var flag: Bool?
    var key: UUID?
    var span: ClosedRange<Int>?
    var owner: TaskOwner?
}

/// Stores its container, to use it in the decode of another text.
private struct Keeper: Decodable {
    enum Key: CodingKey { case id }
    let values: KeyedDecodingContainer<Key>
    init(from decoder: any Decoder) throws { values = try decoder.container(keyedBy: Key.self) }
    func id() throws -> Double { try values.decode(Double.self, forKey: .id) }
}

/// The complete text of an error and of its underlying issue.
private func told(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch let error as DecodingError {
        let (name, context): (String, DecodingError.Context?) =
            switch error {
            case .typeMismatch(let type, let context): ("typeMismatch(\(type))", context)
            case .valueNotFound(let type, let context): ("valueNotFound(\(type))", context)
            case .keyNotFound(let key, let context): ("keyNotFound(\(key.stringValue))", context)
            case .dataCorrupted(let context): ("dataCorrupted", context)
            @unknown default: ("?", nil)
            }
        let path = context?.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue } ?? []
        if let issue = (context?.underlyingError as? MappingError)?.issues.first {
            #expect(issue.description == context?.debugDescription)
        } else {
            #expect(Bool(false), "no issue beneath \(error)")
        }
        return "\(name) \(path.joined(separator: ".")): \(context?.debugDescription ?? "")"
    } catch {
        return "\(error)"
    }
}

struct MappingDecoderErrorTests {
    @Test(arguments: [
        (
            #"{"titel": "x", "id": 1}"#,
            "keyNotFound(title) : 1:1 $.title: expected the key 'title', found no such key; did you mean 'titel'?"
        ),
        (#"{"title": "x"}"#, "keyNotFound(id) : 1:1 $.id: expected the key 'id', found no such key"),
        ("{\n  \"id\": \"1\"\n}", "typeMismatch(Int) id: 2:9 $.id: expected an integer, found a string"),
        (#"{"id": null}"#, "valueNotFound(Int) id: 1:8 $.id: expected an integer, found null"),
        (#"{"id": 1.5}"#, "dataCorrupted id: 1:8 $.id: expected an integer, found a number with a fraction"),
        (#"{"id": 1e30}"#, "dataCorrupted id: 1:8 $.id: expected an integer, found a number out of its range"),
        (#"{"id": 1, "title": 5}"#, "typeMismatch(String) title: 1:20 $.title: expected a string, found a number"),
        (
            #"{"id": 1, "title": "", "state": "opne"}"#,
            "dataCorrupted state: 1:33 $.state: expected State ('open' or 'done'), found a string that is not a valid State; did you mean 'open'?"
        ),
        (
            #"{"id": 1, "title": "", "due": "soon"}"#,
            "dataCorrupted due: 1:31 $.due: expected an ISO 8601 date, found a string that is not a date"
        ),
        (
            #"{"id": 1, "title": "", "due": 5}"#,
            "typeMismatch(String) due: 1:31 $.due: expected a string, found a number"
        ),
        (
            #"{"id": 1, "title": "", "link": ""}"#,
            "dataCorrupted link: 1:32 $.link: expected a URL, found a string that is not a URL"
        ),
        (
            #"{"id": 1, "title": "", "blob": "?"}"#,
            "dataCorrupted blob: 1:32 $.blob: expected base64 data, found a string that is not base64"
        ),
        (
            #"{"id": 1, "title": "", "price": "1"}"#,
            "typeMismatch(Decimal) price: 1:33 $.price: expected a decimal number, found a string"
        ),
        (
            #"{"id": 1, "title": "", "price": 1234567890123456789012345678901234567890.5}"#,
            "dataCorrupted price: 1:33 $.price: expected a decimal number, found a number out of its range"
        ),
        (
            #"{"id": 1, "title": "", "score": 1e39}"#,
            "dataCorrupted score: 1:33 $.score: expected a number, found a number out of its range"
        ),
        (
            #"{"id": 1, "title": "", "small": 256}"#,
            "dataCorrupted small: 1:33 $.small: expected an integer from 0 to 255, found a number out of its range"
        ),
        (
            #"{"id": 1, "title": "", "tags": ["a", {}]}"#,
            "typeMismatch(String) tags.[1]: 1:38 $.tags[1]: expected a string, found an object"
        ),
        (
            #"{"id": 1, "title": "", "tags": {}}"#,
            "typeMismatch(Array<Any>) tags: 1:32 $.tags: expected an array, found an object"
        ),
        (
            #"{"id": 1, "title": "", "flag": 1}"#,
            "typeMismatch(Bool) flag: 1:32 $.flag: expected a boolean, found a number"
        ),
        (
            #"{"id": 1, "title": "", "key": "abc"}"#,
            "dataCorrupted key: 1:31 $.key: expected a UUID, found a string that is not a UUID"
        ),
        (
            #"{"id": 1, "title": "", "span": [5, 1]}"#,
            "dataCorrupted span: 1:32 $.span: expected ClosedRange<Int>, found an array that is not a valid ClosedRange<Int>"
        ),
        (
            #"{"id": 1, "title": "", "owner": [1]}"#,
            "typeMismatch(Dictionary<String, Any>) owner: 1:33 $.owner: expected an object, found an array"
        ),
        (
            #"{"id": 1, "title": "", "owner": {"id": true}}"#,
            "typeMismatch(Int) owner.id: 1:40 $.owner.id: expected an integer, found a boolean"
        ),
        ("[1, 2]", "typeMismatch(Dictionary<String, Any>) : 1:1 $: expected an object, found an array"),
        (#"{"id": 1, "#, "dataCorrupted : 1:11 $: expected a key in quotes after the comma, found the end of the text"),
        (
            #"{"id": 01}"#,
            "dataCorrupted : 1:8 $.id: expected a number without leading zeros, found a number with a leading zero"
        ),
        (#"{"id": NaN}"#, "dataCorrupted : 1:8 $.id: expected a value after the colon, found 'NaN'"),
        (#"{"id": 1} x"#, "dataCorrupted : 1:11 $: expected the end of the text, found text after the value"),
        (
            #"{"other": "\ud800", "id": 1}"#,
            #"dataCorrupted : 1:12 $.other: expected a pair of surrogates, found a lone surrogate \uD800"#
        ),
        ("", "dataCorrupted : 1:1 $: expected a value, found an empty text"),
        ("{'id': 1}", "dataCorrupted : 1:2 $: expected a key in quotes or '}', found a single quote"),
        ("{\"id\": 1,}", "dataCorrupted : 1:10 $: expected a key in quotes after the comma, found '}'"),
        ("// a\n{}", "dataCorrupted : 1:1 $: expected a value, found a comment"),
    ])
    func `Errors have their position`(text: String, message: String) {
        let decoder = MappingDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(told { _ = try decoder.decode(Task.self, from: text) } == message)
    }

    @Test func `Other encodings than UTF-8 are named`() {
        let text = "{\"id\": 1}"
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
            let data = text.data(using: encoding) ?? Data()
            let message = told { _ = try MappingDecoder().decode(Task.self, from: data) }
            #expect(message == "dataCorrupted : 1:1 $: expected UTF-8, found UTF-16")
        }
        let broken = Data([0x5B, 0x22, 0xFF, 0x22, 0x5D])
        #expect(
            told { _ = try MappingDecoder().decode([String].self, from: broken) }
                == "dataCorrupted : 1:3 $[0]: expected UTF-8, found invalid UTF-8 (byte 0xFF)")
    }

    @Test func `A byte order mark is skipped`() throws {
        #expect(try MappingDecoder().decode([Int].self, from: Data([0xEF, 0xBB, 0xBF, 0x5B, 0x31, 0x5D])) == [1])
    }

    @Test func `Positions are those of the keys in the text, paths have the keys of the types`() {
        let decoder = MappingDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Model: Decodable { var innerItems: [TaskOwner] }
        let text = #"{"inner_items": [{"id": 1, "name": "a"}, {"id": 2, "name": 3}]}"#
        #expect(
            told { _ = try decoder.decode(Model.self, from: text) }
                == "typeMismatch(String) innerItems.[1].name: 1:60 $.inner_items[1].name: expected a string, found a number"
        )
    }

    @Test func `A value without a text has a path, but no line`() throws {
        let json = try JSON(#"{"id": 1, "title": ["x"]}"#)
        #expect(
            told { _ = try MappingDecoder().decode(Task.self, from: json) }
                == "typeMismatch(String) title: $.title: expected a string, found an array")
    }

    @Test func `An absent value is null`() throws {
        let json = try JSON("{}")
        #expect(try MappingDecoder().decode(Int?.self, from: json["nope"]) == nil)
        #expect(
            told { _ = try MappingDecoder().decode(Int.self, from: json["nope"]) }
                == "valueNotFound(Int) : $: expected an integer, found null")
    }

    @Test func `A value without a text breaks limits without a line`() throws {
        let decoder = MappingDecoder()
        decoder.limits.byteCount = 5
        #expect(
            told { _ = try decoder.decode([Int].self, from: [1, 2, 3] as JSON) }
                == "dataCorrupted : $: expected a payload of at most 5 bytes, found a payload of 7 bytes")
    }

    @Test func `An absent superclass is an error of the object that lacks it`() {
        class Base: Decodable { var name = "" }
        final class Derived: Base {
            enum Key: CodingKey { case id }
            required init(from decoder: any Decoder) throws {
                try super.init(from: try decoder.container(keyedBy: Key.self).superDecoder())
            }
        }
        #expect(
            told { _ = try MappingDecoder().decode([String: [Derived]].self, from: #"{"list": [{"supper": {}}]}"#) }
                == "valueNotFound(Dictionary<String, Any>) list.[0].super: 1:11 $.list[0].super: expected an object, found no such key; did you mean 'supper'?"
        )
    }

    @Test func `An error that a type catches reads like the one that leaves the decode`() throws {
        struct Catcher: Decodable {
            let message: String
            init(from decoder: any Decoder) throws {
                do {
                    message = "\(try decoder.singleValueContainer().decode(Int.self))"
                } catch DecodingError.typeMismatch(_, let context) {
                    message = context.underlyingError.map { "\($0)" } ?? ""
                }
            }
        }
        let caught = try MappingDecoder().decode([Catcher].self, from: #"["x"]"#)
        #expect(caught.map(\.message) == ["1:2 $[0]: expected an integer, found a string"])
    }

    @Test func `Limits are enforced`() {
        let decoder = MappingDecoder()
        decoder.limits.depth = 3
        #expect(throws: Never.self) { try decoder.decode([[[Int]]].self, from: "[[[1]]]") }
        #expect(
            told { _ = try decoder.decode([[[[Int]]]].self, from: "[[[[1]]]]") }
                == "dataCorrupted : 1:4 $[0][0][0]: expected at most 3 levels of nesting, found nesting deeper than 3 levels"
        )
        decoder.limits.byteCount = 5
        #expect(
            told { _ = try decoder.decode([Int].self, from: "[1, 2]") }
                == "dataCorrupted : 1:1 $: expected a payload of at most 5 bytes, found a payload of 6 bytes")
    }

    @Test(arguments: [0, -1, .min]) func `Without levels of nesting only scalars are decoded`(depth: Int) throws {
        let decoder = MappingDecoder()
        decoder.limits.depth = depth
        #expect(try decoder.decode(Int.self, from: "1") == 1)
        for text in ["[]", String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)] {
            #expect(
                told { _ = try decoder.decode([Int].self, from: text) }
                    == "dataCorrupted : 1:1 $: expected at most \(depth) levels of nesting, found nesting deeper than \(depth) levels"
            )
        }
    }

    @Test func `An error of a retained decoder has the position in its own text`() throws {
        let large = "[" + String(repeating: "{\"id\": 1},\n", count: 10_000) + "{\"id\": \"x\"}]"
        // Only this test's thread uses it.
        nonisolated(unsafe) let kept = try #require(try MappingDecoder().decode([Keeper].self, from: large).last)
        for text in ["1", "[]", large] {
            let decoder = MappingDecoder()
            decoder.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: try kept.id()) }
            #expect(
                told { _ = try decoder.decode(Date.self, from: text) }
                    == "typeMismatch(Double) [10000].id: 10001:8 $[10000].id: expected a number, found a string")
        }
    }

    @Test func `Errors of types and closures are thrown unchanged`() {
        struct Failed: Error, Equatable {}
        struct Thrower: Decodable {
            init(from decoder: any Decoder) throws { throw Failed() }
        }
        struct Judge: Decodable {
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "own words")
            }
        }
        let decoder = MappingDecoder()
        decoder.dateDecodingStrategy = .custom { _ in throw Failed() }
        #expect(throws: Failed()) { try decoder.decode([Thrower].self, from: "[1]") }
        #expect(throws: Failed()) { try decoder.decode([Date].self, from: "[1]") }
        do {
            _ = try decoder.decode([Judge].self, from: "[1]")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.debugDescription == "own words")
            #expect(context.codingPath.map(\.intValue) == [0])
        } catch {
            #expect(Bool(false), "\(error)")
        }
    }

    // An error of the standard library, which contains the value, can be distinguished from a user's only by this
    // message.
    @Test func `An unknown raw value has the message of the standard library`() {
        for type in [Task.State.self, ClosedRange<Int>.self] as [any Decodable.Type] {
            let text = type is Task.State.Type ? #""ajar""# : "[5, 1]"
            do {
                _ = try JSONDecoder().decode(type, from: Data(text.utf8))
                #expect(Bool(false), "\(type) of \(text)")
            } catch DecodingError.dataCorrupted(let context) {
                #expect(context.debugDescription.hasPrefix("Cannot initialize "))
                #expect(context.underlyingError == nil)
            } catch {
                #expect(Bool(false), "\(error)")
            }
        }
    }

    @Test func `Errors of a type with raw values are kept if they have another path or cause`() {
        struct Failed: Error {}
        struct Raw: RawRepresentable, Decodable {
            var rawValue: Int
            init?(rawValue: Int) { nil }
            init(from decoder: any Decoder) throws {
                let isOther = try decoder.singleValueContainer().decode(Bool.self)
                let path = isOther ? [Keeper.Key.id] : decoder.codingPath
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: path, debugDescription: "Cannot initialize it",
                        underlyingError: isOther ? nil : Failed()))
            }
        }
        for (text, path) in [("[true]", "id"), ("[false]", "Index 0")] {
            do {
                _ = try MappingDecoder().decode([Raw].self, from: text)
                #expect(Bool(false), "\(text)")
            } catch DecodingError.dataCorrupted(let context) {
                #expect(context.debugDescription == "Cannot initialize it")
                #expect(context.codingPath.map(\.stringValue) == [path])
            } catch {
                #expect(Bool(false), "\(error)")
            }
        }
    }

    @Test func `No description holds a value`() {
        let secret = "s3cret"
        let texts = [
            "{\"id\": \"\(secret)\"}", "{\"id\": 1, \"title\": \"\", \"state\": \"\(secret)\"}",
            "{\"id\": 1, \"title\": \"\", \"due\": \"\(secret)\"}",
            "{\"id\": 1, \"title\": \"\", \"blob\": \"\(secret)!\"}",
        ]
        for text in texts {
            let message = told {
                let decoder = MappingDecoder()
                decoder.dateDecodingStrategy = .iso8601
                _ = try decoder.decode(Task.self, from: text)
            }
            #expect(!message.isEmpty && !message.contains(secret))
        }
    }
}
