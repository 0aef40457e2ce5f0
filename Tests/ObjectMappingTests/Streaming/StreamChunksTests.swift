import ObjectMapping
import TestSupport
import Testing

/// The result of a stream must not depend on its chunks, nor on how much of the text is in memory.
struct StreamChunksTests {
    struct Item: Mappable, Equatable {
        var id = 0
        var name: String?
        var tags: [String] = []
        var parts: [Item] = []
        var size: Double?

        static let mapping = Mapping(Item.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Attribute("tags", \.tags)
            Attribute("size", \.size)
            Relationship("parts", \.parts)
        }
    }

    struct Document: Sendable, CustomTestStringConvertible {
        var text: String
        var path: JSONKeyPath = ""
        var shape = ElementShape.element

        var testDescription: String { text }
    }

    static let documents: [Document] = [
        Document(text: "[]"),
        Document(text: " [ ] \n"),
        Document(text: "null"),
        Document(text: "{\"id\": 7}"),
        Document(text: "[{\"id\":1},{\"id\":2}, null ,{\"id\":3}]"),
        Document(text: "\u{FEFF}[ {\"id\" : 1 , \"size\":-1.5e2} ,\n\t{ } ]  "),
        Document(
            text: #"[{"name":"a\"\\\u00e9\ud83d\ude00é😀"},{"tags":["x","]","{\"","\\"],"parts":[{"id":1},{"id":2}]}]"#),
        Document(text: #"[{"name":"\""},{"name":"\\\""},{"tags":["\"}]","\\"],"id":2},{"name":"}\"]"}]"#),
        Document(text: #"{"before":{"a":[1,[2,{"b":"}"}]],"c":null},"list":[{"id":12}],"after":"\"]"}"#, path: "list"),
        Document(
            text: #"{"p\u0061ges":[{"n":1,"list":[{"id":1}]},{"list":null},{"list":[]},7,{"list":[{"id":2}]}]}"#,
            path: "pages.list"),
        Document(text: #"{"é":{"":[{"id":5}]}}"#, path: ["é", ""]),
        Document(text: #"{"a":{"id":1},"b\n":{"id":2},"":{}}"#, shape: .member),
        Document(text: #"{"all":{"a":{"id":1},"b":{"id":2}},"n":12.50}"#, path: "all", shape: .member),
        Document(text: "{\"id\":1}\n{\"id\":2}\n", shape: .line),
        Document(text: "\u{FEFF}\n {\"id\":1} \r\n\r\n{\"name\":\"\\n\"}", shape: .line),
        Document(
            text: "{\"id\":\n1}{\"id\":2} {\n  \"name\":\"}\",\n  \"parts\":[\n    {\"id\":1}\n  ]\n}\n", shape: .line),
        Document(text: "", shape: .line),
        Document(text: "[{\"id\":1}]", path: ""),
    ]

    static let brokenDocuments: [Document] = [
        Document(text: ""), Document(text: "  \n"), Document(text: "["), Document(text: "[{\"id\":1}"),
        Document(text: "[{\"id\":1},]"), Document(text: "[{\"id\":1}\n,{\"id\" 2}]"), Document(text: "[{\"id\":01}]"),
        Document(text: "[nul]"), Document(text: "[{\"name\":\"\u{1}\"}]"), Document(text: "[{\"name\":\"\\ud800\"}]"),
        Document(text: "[{\"id\":1}] x"), Document(text: "[{\"id\":1}}"),
        Document(text: "{\"list\":{\"id\":1},}", path: "list"),
        Document(text: "{\"other\":[1,{\"x\":tru}],\"list\":[]}", path: "list"),
        Document(text: "{\"lits\":[],\"a\":{}}", path: "list"),
        Document(text: "{\"list\":[],\"list\":[]}", path: "list"),
        Document(text: "5"), Document(text: "[5,\"x\"]"), Document(text: "[{\"id\":1},{\"id\":\"x\"}]"),
        Document(text: "{\"id\":1}\n{\"id\":tru}\n", shape: .line), Document(text: "{\"id\":1} 2\n", shape: .line),
        Document(text: "{\"id\":", shape: .line), Document(text: "{\"id\":1}2\n", shape: .line),
        Document(text: "{\n\"id\":tru\n}\n", shape: .line), Document(text: "{\"id\":1\n{\"id\":2}", shape: .line),
    ]

    @Test(arguments: documents)
    func `Models are equal to those of the whole text, for any chunks`(document: Document) async throws {
        let expected = try Item.mapping.mapAll(document.text, at: document.path, each: document.shape)
            .map { "\($0)" }
        let bytes = Array(document.text.utf8)
        for windowSize in [4, 7, 64, 4096] {
            for size in Array(1...max(1, bytes.count)) {
                var stream = Item.mapping.stream(
                    from: CountedChunks(bytes, by: size), at: document.path, each: document.shape)
                stream.windowSize = windowSize
                #expect(await streamTexts(stream) == expected, "chunks of \(size), window of \(windowSize)")
            }
            var stream = Item.mapping.stream(from: bytes, at: document.path, each: document.shape)
            stream.windowSize = windowSize
            #expect(await streamTexts(stream) == expected, "window of \(windowSize)")
        }
    }

    @Test(arguments: brokenDocuments)
    func `Issues have the same position for any chunks`(document: Document) async {
        let bytes = Array(document.text.utf8)
        let whole = await streamTexts(Item.mapping.stream(from: bytes, at: document.path, each: document.shape))
        let issues = issues { _ = try Item.mapping.mapAll(document.text, at: document.path, each: document.shape) }
        #expect(whole.last?.hasPrefix("error \(issues.prefix { $0 != " " }) $") == true)
        for windowSize in [5, 16, 4096] {
            for size in Array(1...max(1, bytes.count)) {
                var stream = Item.mapping.stream(
                    from: CountedChunks(bytes, by: size), at: document.path, each: document.shape)
                stream.windowSize = windowSize
                expectTexts(await streamTexts(stream), whole)
            }
        }
    }

    @Test func `Chunks can be single bytes`() async throws {
        for document in Self.documents {
            let expected = try Item.mapping.mapAll(document.text, at: document.path, each: document.shape)
            var found: [Item] = []
            let bytes = AsyncStream { [text = document.text] continuation in
                for byte in text.utf8 { continuation.yield(byte) }
                continuation.finish()
            }
            for try await item in Item.mapping.stream(from: bytes, at: document.path, each: document.shape) {
                found.append(item)
            }
            #expect(found == expected)
        }
    }

    @Test(arguments: [8, 64, 1000])
    func `Random texts give the same models for any chunks`(size: Int) async throws {
        var json = RandomJSON(seed: size)
        json.keys = ["id", "name", "size", "tags", "parts", "other", "\u{E9}t\u{E9}"]
        json.repeatsKeys = true
        for number in 0..<40 {
            let elements = (0..<Int.random(in: 0...20, using: &json.random)).map { _ in json.blank() + json.object(3) }
            let text = "{\"a\":\(json.value(3)),\"list\":[\(elements.joined(separator: ","))],\"b\":\(json.value(2))}"
            func texts(_ chunk: Int, _ window: Int) async -> [String] {
                var texts: [String] = []
                var stream = Item.mapping.stream(from: CountedChunks(text.utf8, by: chunk), at: "list") {
                    texts.append("\($0)")
                }
                stream.windowSize = window
                texts += await streamTexts(stream)
                return texts
            }
            let whole = await texts(.max, 1 << 20)
            #expect(await texts(size, 16) == whole, "text \(number)")
            #expect(await texts(size / 3, 100) == whole, "text \(number)")
        }
    }
}
