import Foundation
import ObjectMapping
import ObjectStore
import Seeder
import TestSupport
import Testing

@Suite struct BadDumpTests {
    static let manifest = taskManifest(
        attributes: #"""
            "name": { "type": "string", "optional": false }, "size": { "type": "integer" }, "due": { "type": "date" },
            "key": { "type": "uuid" }, "isDone": { "from": "done", "type": "boolean" }, "data": { "type": "data" }
            """#, sources: #"{ "file": "a.json", "entity": "Task", "at": "all" }"#)

    static let dumps: [(name: String, element: [UInt8], issues: [String])] = [
        (
            "truncated", Array(#"{ "id": 1, "name": "x"#.utf8),
            ["a.json:4:26 $.all[1].name: expected the closing quote of the string, found the end of the text"]
        ),
        (
            "no comma", Array(#"{ "id": 1 "name": "x" }"#.utf8),
            ["a.json:4:15 $.all[1]: expected a comma or '}', found a string"]
        ),
        (
            "trailing comma", Array(#"{ "id": 1, }"#.utf8),
            ["a.json:4:16 $.all[1]: expected a key in quotes after the comma, found '}'"]
        ),
        (
            "single quotes", Array(#"{ 'id': 1 }"#.utf8),
            ["a.json:4:7 $.all[1]: expected a key in quotes or '}', found a single quote"]
        ),
        (
            "a comment", Array(#"{ "id": 1 /* one */ }"#.utf8),
            ["a.json:4:15 $.all[1]: expected a comma or '}', found a comment"]
        ),
        (
            "NaN", Array(#"{ "id": NaN }"#.utf8),
            ["a.json:4:13 $.all[1].id: expected a value after the colon, found 'NaN'"]
        ),
        (
            "a leading zero", Array(#"{ "id": 01 }"#.utf8),
            ["a.json:4:13 $.all[1].id: expected a number without leading zeros, found a number with a leading zero"]
        ),
        (
            "a control character", Array("{ \"x\": \"a\u{1}\" }".utf8),
            [
                "a.json:4:14 $.all[1].x: expected an escape sequence, found an unescaped control character U+0001 in a string"
            ]
        ),
        (
            "a bad escape", Array(#"{ "x": "\q" }"#.utf8),
            [#"a.json:4:14 $.all[1].x: expected one of " \ / b f n r t u after the backslash, found 'q'"#]
        ),
        (
            "a lone surrogate", Array(#"{ "x": "\ud800" }"#.utf8),
            [#"a.json:4:13 $.all[1].x: expected a pair of surrogates, found a lone surrogate \uD800"#]
        ),
        (
            "invalid UTF-8 where nobody reads", Array("{ \"other\": \"".utf8) + [0xC3, 0x28] + Array("\" }".utf8),
            ["a.json:4:17 $.all[1].other: expected UTF-8, found invalid UTF-8 (byte 0xC3)"]
        ),
        (
            "100,000 levels", Array(repeating: UInt8(ascii: "["), count: 100_000),
            [
                "a.json:4:515 $.all[1][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]…[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: expected at most 512 levels of nesting, found nesting deeper than 512 levels"
            ]
        ),
        (
            "a number of 10,000 digits", Array(#"{ "id": \#(String(repeating: "9", count: 10_000)) }"#.utf8),
            [
                "a.json:4:13 $.all[1].id: expected a number of at most 1024 characters, found a number longer than 1024 characters"
            ]
        ),
        (
            "another type", Array(#"{ "id": 1, "name": ["x"] }"#.utf8),
            ["a.json:4:24 $.all[1].name: expected a string, found an array (rule name -> Task.name)"]
        ),
        (
            "another type, several times", Array(#"{ "id": true, "name": {}, "size": "x", "done": 7 }"#.utf8),
            [
                "a.json:4:13 $.all[1].id: expected an integer, found a boolean (rule id -> Task.id)",
                "a.json:4:27 $.all[1].name: expected a string, found an object (rule name -> Task.name)",
                "a.json:4:39 $.all[1].size: expected an integer, found a string that cannot be converted to an integer (rule size -> Task.size)",
                "a.json:4:52 $.all[1].done: expected a boolean, found a number (rule done -> Task.isDone)",
            ]
        ),
        (
            "out of range", Array(#"{ "id": 9223372036854775808, "name": "x" }"#.utf8),
            ["a.json:4:13 $.all[1].id: expected an integer, found a number out of its range (rule id -> Task.id)"]
        ),
        (
            "a fraction", Array(#"{ "id": 1, "name": "x", "size": 1.5 }"#.utf8),
            ["a.json:4:37 $.all[1].size: expected an integer, found a number with a fraction (rule size -> Task.size)"]
        ),
        (
            "no date", Array(#"{ "id": 1, "name": "x", "due": "2026-02-30" }"#.utf8),
            [
                "a.json:4:36 $.all[1].due: expected an ISO 8601 date or seconds since 1970, found a string that is not a date (rule due -> Task.due)"
            ]
        ),
        (
            "no UUID", Array(#"{ "id": 1, "name": "x", "key": "12" }"#.utf8),
            ["a.json:4:36 $.all[1].key: expected a UUID, found a string that is not a UUID (rule key -> Task.key)"]
        ),
        (
            "no Base64", Array(#"{ "id": 1, "name": "x", "data": "%%" }"#.utf8),
            [
                "a.json:4:37 $.all[1].data: expected base64 data, found a string that is not base64 (rule data -> Task.data)"
            ]
        ),
        (
            "no required attribute", Array(#"{ "id": 1, "nme": "x" }"#.utf8),
            [
                "a.json:4:5 $.all[1].name: expected the key 'name', found no such key (rule name -> Task.name); did you mean 'nme'?"
            ]
        ),
        (
            "null for a required attribute", Array(#"{ "id": 1, "name": null }"#.utf8),
            ["a.json:4:24 $.all[1].name: expected a string, found null (rule name -> Task.name)"]
        ),
        (
            "no identity", Array(#"{ "ID": 1, "name": "x" }"#.utf8),
            [
                "a.json:4:5 $.all[1].id: expected the key 'id', found no such key (rule id -> Task.id); did you mean 'ID'?"
            ]
        ),
        (
            "null for the identity", Array(#"{ "id": null, "name": "x" }"#.utf8),
            ["a.json:4:13 $.all[1].id: expected an integer, found null (rule id -> Task.id)"]
        ),
        (
            "no object", Array("7".utf8),
            ["a.json:4:5 $.all[1]: expected an object, found a number"]
        ),
    ]

    @Test(arguments: dumps.indices)
    func `a bad element is named with file, line, column, path and rule, and nothing is written`(index: Int) throws {
        let (name, element, issues) = Self.dumps[index]
        let folder = try SeedFolder(["seed.json": Self.manifest])
        try folder.folder.write(Self.text(name, element), to: "a.json")
        let clock = ContinuousClock()
        var error: (SeedError.Kind, [String])?
        let duration = try clock.measure { error = try folder.buildError() }
        #expect(error?.0 == .badData)
        #expect(error?.1 == issues, "\(name)")
        #expect(duration < .seconds(5))
        #expect(try folder.folder.names == ["a.json", "seed.json"])
    }

    @Test(arguments: dumps.indices)
    func `an import of managed objects names a bad element by the same messages, and writes nothing`(index: Int)
        async throws
    {
        let (name, element, issues) = Self.dumps[index]
        let store = try ManagedObjectStore(inMemory: ObjectModel(Dumped.Task.self))
        let error = await #expect(throws: ImportError.self) {
            try await store.importJSON(Self.text(name, element), with: Dumped.Task.mapping, at: "all")
        }
        #expect((error?.cause as? MappingError)?.issues.map { "a.json:\($0)" } == issues, "\(name)")
        #expect(try await ObjectContext(store).count(Dumped.Task.all) == 0)
    }

    /// An array whose first element is valid.
    private static func text(_ name: String, _ element: [UInt8]) -> Data {
        let head = Data("{\n  \"all\": [\n    { \"id\": 0, \"name\": \"é\" },\n    ".utf8)
        return head + Data(element) + (name == "truncated" ? Data() : Data("\n  ]\n}\n".utf8))
    }

    @Test(arguments: [
        (
            Data([0xFF, 0xFE]) + Data("[".flatMap { [UInt8($0.asciiValue ?? 0), 0] }),
            "a.json:1:1 $: expected UTF-8, found UTF-16"
        ),
        (Data([0xFE, 0xFF, 0, 0x5B]), "a.json:1:1 $: expected UTF-8, found UTF-16"),
        (Data(), "a.json:1:1 $: expected a value, found an empty text"),
        (Data([0x1F, 8]), "a.json:1:1 $: expected a value, found the character U+001F"),
        (Data("<html>".utf8), "a.json:1:1 $: expected JSON, found HTML"),
        (Data("<!DOCTYPE html>".utf8), "a.json:1:1 $: expected JSON, found HTML"),
        (Data("<?xml version=\"1.0\"?>".utf8), "a.json:1:1 $: expected JSON, found XML"),
        (Data([0x50, 0x4B, 3, 4, 20, 0, 0, 0]), "a.json:1:1 $: expected JSON, found a ZIP archive"),
        (Data("BZh91AY&SY".utf8), "a.json:1:1 $: expected JSON, found data compressed by bzip2"),
        (Data([0x28, 0xB5, 0x2F, 0xFD, 4]), "a.json:1:1 $: expected JSON, found data compressed by Zstandard"),
        (Data("<rows>".utf8), "a.json:1:1 $: expected a value, found '<'"),
    ])
    func `a file that is not JSON is an error that names the likely format`(bytes: Data, issue: String) throws {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "a.json", "entity": "Task" }"#)])
        try folder.folder.write(bytes, to: "a.json")
        #expect(try folder.buildError()?.1 == [issue])
    }
}

/// The entity of the manifest, as a managed class.
private enum Dumped {
    final class Task: ManagedObject, Mappable {
        @Stored(.identity) var id = 0
        @Stored var name = ""
        @Stored var size: Int? = nil
        @Stored var due: Date? = nil
        @Stored var key: UUID? = nil
        @Stored var isDone: Bool? = nil
        @Stored var data: Data? = nil

        static let mapping = Mapping(Task.self) {
            Attribute("id", \.id).required
            Attribute("name", \.name).required
            Attribute("size", \.size)
            Attribute("due", \.due)
            Attribute("key", \.key)
            Attribute("done", \.isDone)
            Attribute("data", \.data)
        }
    }
}
