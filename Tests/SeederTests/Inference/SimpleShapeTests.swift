import Foundation
import Seeder
import Synchronization
import TestSupport
import Testing

/// Dumps of values instead of objects.
@Suite struct SimpleShapeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let dump: String
        let attributes: [String]
        let rows: [String]
        var file = "countries.json"
        var source = #""each": "member""#
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz"
    private static let key = #""key":   { "from": "@key", "type": "string", "optional": false }"#
    private static let text = #""value": { "from": "", "type": "string", "optional": false }"#

    static let cases = [
        Case(
            testDescription: "names by codes", dump: #"{"US": "United States", "DE": "Germany"}"#,
            attributes: [key, text],
            rows: ["'US', 'United States'", "'DE', 'Germany'"]),
        Case(
            testDescription: "numbers by codes", dump: #"{"USD": 1, "EUR": 0.9, "JPY": 150}"#,
            attributes: [key, #""value": { "from": "", "type": "double", "optional": false }"#],
            rows: ["'USD', 1.0", "'EUR', 0.9", "'JPY', 150.0"]),
        Case(
            testDescription: "many names by words",
            dump: "{" + (0..<5000).map { "\"key \($0)x\": \"v\($0)\"" }.joined(separator: ",") + "}",
            attributes: [key, text], rows: (0..<5000).map { "'key \($0)x', 'v\($0)'" }),
        Case(
            testDescription: "many languages by codes that are words as well",
            dump: "{" + letters.map { letter in "\"i\(letter)\": \"language\"" }.joined(separator: ",") + "}",
            attributes: [key, text], rows: letters.map { "'i\($0)', 'language'" }),
        Case(
            testDescription: "a list of texts", dump: #"["a", "b"]"#, attributes: [text], rows: ["'a'", "'b'"],
            source: #""entity": "Country" }"#),
        Case(
            testDescription: "a list of numbers", dump: "[1, 2, 2]",
            attributes: [#""value": { "from": "", "type": "integer", "optional": false }"#], rows: ["1", "2", "2"],
            source: #""entity": "Country" }"#),
    ]

    @Test(arguments: cases)
    func `a dictionary or list of values becomes an entity with the value as an attribute`(example: Case) throws {
        let folder = try SeedFolder([example.file: example.dump])
        let draft = try ManifestInference(dumps: [folder.folder.file(example.file)], base: folder.folder.url).run()
        for attribute in example.attributes { #expect(draft.text.contains(attribute), "\(draft.text)") }
        #expect(draft.text.contains(example.source))
        try folder.folder.write(draft.text, to: "seed.json")
        try folder.build()
        let columns = example.attributes.count == 1 ? "value" : "key, value"
        #expect(try folder.rows("SELECT \(columns) FROM Country") == example.rows)
    }

    @Test(arguments: [
        #"{"id": "x", "name": "Ada", "mail": "a"}"#, #"{"name": "Ada", "mail": "a"}"#, #"{"US": "a", "DE": 1}"#,
        #"{"US": "a", "names": "b"}"#, #"{"A": "a", "B": "b"}"#,
        "{\"id\": \"x\"," + (0..<40).map { "\"member\($0)x\": \"v\"" }.joined(separator: ",") + "}",
    ])
    func `an object that looks like a record is one element`(dump: String) throws {
        let folder = try SeedFolder(["user.json": dump])
        let draft = try ManifestInference(dumps: [folder.folder.file("user.json")], base: folder.folder.url).run()
        #expect(draft.findings.first?.description == "user.json -> User: 1 element")
    }

    @Test func `a thousand collections are read in one pass`() throws {
        let folder = try SeedFolder()
        let elements = #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#
        let collections = (0..<1000).map { "\"list\($0)x\": \(elements)" }
        try folder.folder.write("{\(collections.joined(separator: ",\n"))}", to: "all.json")
        let bytesRead = Mutex(0)
        var inference = ManifestInference(dumps: [folder.folder.file("all.json")], base: folder.folder.url)
        inference.progress = { progress in bytesRead.withLock { $0 = max($0, progress.bytesRead) } }
        let draft = try inference.run()
        #expect(draft.text.components(separatedBy: "\"at\": ").count == 1001)
        let size = try folder.folder.data(of: "all.json").count
        #expect(bytesRead.withLock { $0 } == size)
    }

    @Test func `a thousand collections with similar nested objects share one entity for them`() throws {
        let folder = try SeedFolder()
        let elements =
            #"[{"id":1,"name":"a","place":{"id":7,"town":"x"}},{"id":2,"name":"b","place":{"id":8,"town":"y"}}]"#
        let collections = (0..<1000).map { "\"list\($0)x\": \(elements)" }
        try folder.folder.write("{\(collections.joined(separator: ",\n"))}", to: "all.json")
        let draft = try ManifestInference(dumps: [folder.folder.file("all.json")], base: folder.folder.url).run()
        #expect(draft.text.components(separatedBy: "\"to\": \"Place\"").count == 1001)
        #expect(draft.text.components(separatedBy: "\n    \"Place\": {").count == 2)
    }
}
