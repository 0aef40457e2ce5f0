import Foundation
import ObjectMapping
import Seeder
import TestSupport
import Testing

@Suite struct ErrorPolicyTests {
    static let manifest = taskManifest(
        attributes: #"""
            "name": { "type": "string", "optional": false }, "size": { "type": "integer" }, "due": { "type": "date" }
            """#)

    static let dump = #"""
        [
          { "id": 1, "name": "a" },
          { "id": 2, "name": "b",
            "size": 1.5, "due": "soon" },
          { "name": "c \" [ { \\", "size": 1 },
          7,
          { "id": 5, "name": null },
          { "id": 6, "name": "f" }
        ]
        """#

    @Test func `the first bad element ends the build with all of its issues`() throws {
        let folder = try SeedFolder(["seed.json": Self.manifest, "tasks.json": Self.dump])
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        #expect(result.status == 65)
        #expect(
            result.errors == """
                tasks.json:4:13 $[1].size: expected an integer, found a number with a fraction (rule size -> Task.size)
                  "size": 1.5, "due": "soon" },
                          ^
                tasks.json:4:25 $[1].due: expected an ISO 8601 date or seconds since 1970, found a string that is not a date \
                (rule due -> Task.due)
                  "size": 1.5, "due": "soon" },
                                      ^

                """)
        #expect(try folder.folder.names == ["seed.json", "tasks.json"])
    }

    @Test func `skipped elements are written verbatim to the rejects`() throws {
        let folder = try SeedFolder(["seed.json": Self.manifest, "tasks.json": Self.dump])
        let report = try folder.build { $0.onError = .skip }
        #expect(report.sources.map { "\($0.read) \($0.kept) \($0.rejected)" } == ["6 2 4"])
        #expect(try folder.rows("SELECT id, name FROM Task") == ["1, 'a'", "6, 'f'"])
        #expect(
            try folder.folder.text(of: "out.sqlite.rejects.ndjson") == #"""
                {"file":"tasks.json","line":3,"column":3,"path":"$[1]","issues":["4:13 $[1].size: expected an \#
                integer, found a number with a fraction (rule size -> Task.size)","4:25 $[1].due: expected an \#
                ISO 8601 date or seconds since 1970, found a string that is not a date (rule due -> \#
                Task.due)"],"element":{"id":2,"name":"b","size":1.5,"due":"soon"}}
                {"file":"tasks.json","line":5,"column":3,"path":"$[2]","issues":["5:3 $[2].id: expected the key \#
                'id', found no such key (rule id -> Task.id)"],"element":{"name":"c \" [ { \\","size":1}}
                {"file":"tasks.json","line":6,"column":3,"path":"$[3]","issues":["6:3 $[3]: expected an object, \#
                found a number"],"element":7}
                {"file":"tasks.json","line":7,"column":3,"path":"$[4]","issues":["7:22 $[4].name: expected a \#
                string, found null (rule name -> Task.name)"],"element":{"id":5,"name":null}}

                """#)
        #expect(
            try folder.folder.names == [
                "out.sqlite", "out.sqlite.rejects.ndjson", "out.sqlite.sha256", "seed.json", "tasks.json",
            ])
    }

    @Test func `rejected elements keep their numbers, escaped characters and repeated keys`() throws {
        let element = #"{ "id": "x", "n": [1.50, 1E2, 12345678901234567890], "a": "\u00e9\/\"\n", "a": { "b": null } }"#
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{ "id": 1 }, \#(element)]"#])
        try folder.build { $0.onError = .skip }
        let line = try folder.folder.text(of: "out.sqlite.rejects.ndjson")
        let kept = element.replacing(" ", with: "")
        #expect(line.hasSuffix(#","element":\#(kept)}\#n"#), "\(line)")
    }

    @Test func `a build without rejects removes the rejects of an earlier build`() throws {
        let folder = try SeedFolder(["seed.json": Self.manifest, "tasks.json": Self.dump])
        try folder.build { $0.onError = .skip }
        try folder.folder.write("[]", to: "tasks.json")
        let report = try folder.build { $0.onError = .skip }
        #expect(report.rejectsPath == nil)
        #expect(try folder.folder.names == ["out.sqlite", "out.sqlite.sha256", "seed.json", "tasks.json"])
    }

    @Test func `bad lines are skipped, too, and rejected as text or Base64`() throws {
        let lines = ["{\"id\":1,\"name\":\"a\"}", "{\"id\":2,}", "[1]", "\u{1}\u{2}\"", "{\"id\":3,\"name\":\"c\"}"]
        var bytes = Data(lines.joined(separator: "\n").utf8)
        bytes += Data("\n{\"id\":4,\"name\":\"".utf8) + Data([0xFF, 0xFE]) + Data("\"}\r\n".utf8)
        let folder = try SeedFolder([
            "seed.json": taskManifest(sources: #"{ "file": "tasks.ndjson", "entity": "Task" }"#)
        ])
        try folder.folder.write(bytes, to: "tasks.ndjson")
        let report = try folder.build {
            $0.onError = .skip
            $0.rejects = folder.folder.file("bad.ndjson")
        }
        #expect(report.sources.map { "\($0.read) \($0.kept) \($0.rejected)" } == ["6 2 4"])
        #expect(try folder.rows("SELECT id FROM Task") == ["1", "3"])
        #expect(
            try folder.folder.text(of: "bad.ndjson") == #"""
                {"file":"tasks.ndjson","line":2,"column":9,"path":"$","issues":["2:9 $: expected a key in \#
                quotes after the comma, found '}'"],"text":"{\"id\":2,}"}
                {"file":"tasks.ndjson","line":3,"column":1,"path":"$","issues":["3:1 $: expected an object, \#
                found an array"],"element":[1]}
                {"file":"tasks.ndjson","line":4,"column":1,"path":"$","issues":["4:1 $: expected a value, found \#
                the character U+0001"],"text":"\u0001\u0002\""}
                {"file":"tasks.ndjson","line":6,"column":17,"path":"$.name","issues":["6:17 $.name: expected \#
                UTF-8, found invalid UTF-8 (byte 0xFF)"],"base64":"eyJpZCI6NCwibmFtZSI6Iv/+In0="}

                """#)
    }

    @Test(arguments: ["[{\"id\":1},{\"id\":2]", "[{\"id\":1}] x", "[{\"id\":1}", "[{\"id\":1},{\"id\":\"\u{1}\"}]"])
    func `broken JSON ends the build even if bad elements are skipped`(dump: String) throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": dump])
        let (kind, lines) = try #require(try folder.buildError { $0.onError = .skip })
        #expect(kind == .badData)
        #expect(lines.count == 1 && lines[0].hasPrefix("tasks.json:1:"))
        #expect(try folder.folder.names == ["seed.json", "tasks.json"])
    }

    @Test func `a source without a valid element fails the build and keeps the old output`() throws {
        let folder = try SeedFolder(["seed.json": Self.manifest, "tasks.json": #"[{"id":1,"name":"a"}]"#])
        try folder.build()
        let before = try folder.folder.data(of: "out.sqlite")
        try folder.folder.write(#"[{"id":"x","name":"a"},{"id":"y"}]"#, to: "tasks.json")
        let (kind, lines) = try #require(try folder.buildError { $0.onError = .skip })
        #expect(kind == .badData)
        #expect(
            lines == [
                "tasks.json:1:24 $[1].name: expected the key 'name', found no such key (rule name -> Task.name)",
                "tasks.json:1:30 $[1].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Task.id)",
                "no element of tasks.json is valid: 2 of 2 rejected",
                "The rejected elements are in out.sqlite.rejects.ndjson.",
            ])
        #expect(try folder.folder.data(of: "out.sqlite") == before)
        #expect(try folder.folder.text(of: "out.sqlite.rejects.ndjson").split(separator: "\n").count == 2)
    }

    @Test func `a restart for repeated identities does not count or reject twice`() throws {
        let folder = try SeedFolder([
            "seed.json": taskManifest(),
            "tasks.json": #"[{"id":1,"name":"a"},{"id":"x"},{"id":2},{"id":1,"name":null},{"id":1}]"#,
        ])
        let report = try folder.build { $0.onError = .skip }
        #expect(report.sources.map { "\($0.read) \($0.kept) \($0.rejected)" } == ["5 4 1"])
        #expect(report.entities.map { "\($0.rows) \($0.merged)" } == ["2 2"])
        #expect(try folder.rows("SELECT id, name FROM Task") == ["1, NULL", "2, NULL"])
        #expect(try folder.folder.text(of: "out.sqlite.rejects.ndjson").split(separator: "\n").count == 1)
    }
}
