import Foundation
import Seeder
import TestSupport
import Testing

/// Dumps that are easily misread: their findings, and a valid draft.
@Suite struct MisreadDraftTests {
    /// The draft of some dumps, which must pass its check.
    private func draft(_ files: KeyValuePairs<String, String>) throws -> (text: String, lines: [String]) {
        let folder = try TemporaryDirectory()
        for (name, text) in files { try folder.write(text, to: name) }
        let draft = try ManifestInference(dumps: files.map { folder.file($0.key) }, base: folder.url).run()
        try folder.write(draft.text, to: "seed.json")
        let check = try ObjectSeeder.check(manifest: folder.file("seed.json"))
        #expect(check.isValid, "\(check.issues)\n\(draft.text)")
        return (draft.text, draft.findings.map(\.description))
    }

    private func list(_ numbers: Range<Int>, _ element: (Int) -> String) -> String {
        "[" + numbers.map(element).joined(separator: ",") + "]"
    }

    // MARK: Values

    @Test(arguments: [
        ("2026-01-01T00:00:00.123456Z", 2), ("2026-01-01T00:00:00,0001Z", 2), ("2026-01-01T00:00:00.123Z", 0),
        ("2026-01-01T00:00:00.123000+02:00", 0), ("2026-01-01T00:00:00.5Z", 0), ("2026-01-01", 0),
    ])
    func `dates with fractions that a date does not keep are uncertain`(date: String, count: Int) throws {
        let (text, lines) = try draft(["a.json": "[{\"id\":1,\"at\":\"\(date)\"},{\"id\":2,\"at\":\"\(date)\"}]"])
        #expect(text.contains(#""at": { "type": "date""#))
        let finding =
            "uncertain: A.at date: 2 strings are dates, 2 of them with fractions of a millisecond, which are truncated; use "
            + "`string` to keep them"
        #expect(lines.contains(finding) == (count > 0), "\(lines)")
    }

    @Test(arguments: [
        ("03/25/2026", "03/04/2026", "MM/dd/yyyy"), ("25/03/2026", "04/03/2026", "dd/MM/yyyy"),
        ("25.03.2026", "04.03.2026", "dd.MM.yyyy"), ("2026/03/25", "2026/12/31", "yyyy/MM/dd"),
        ("03/25/2026 10:00", "03/04/2026 23:59", "MM/dd/yyyy HH:mm"),
        ("25.03.2026 10:00:59", "04.03.2026 00:00:00", "dd.MM.yyyy HH:mm:ss"),
    ])
    func `dates in another format than ISO 8601 have the format`(first: String, second: String, format: String) throws {
        let (text, lines) = try draft(["a.json": #"[{"id":1,"day":"\#(first)"},{"id":2,"day":"\#(second)"}]"#])
        #expect(text.contains(#""day": { "type": "date", "format": "\#(format)""#), "\(text)")
        #expect(lines.contains("A.day date: 2 strings in the format \(format) of a date"), "\(lines)")
    }

    @Test func `dates whose day and month could be swapped are strings, and uncertain`() throws {
        let (text, lines) = try draft(["a.json": #"[{"id":1,"day":"03/04/2026"},{"id":2,"day":"12/11/2026"}]"#])
        #expect(text.contains(#""day": { "type": "string""#), "\(text)")
        let finding =
            "uncertain: A.day string: 2 strings that could be dates in the format MM/dd/yyyy or dd/MM/yyyy; use `date` with "
            + "this `format`"
        #expect(lines.contains(finding), "\(lines)")
    }

    @Test(arguments: ["13/13/2026", "2026-03", "1.2.2026", "03/25/2026x"])
    func `strings that are almost dates are strings`(other: String) throws {
        let (text, _) = try draft(["a.json": #"[{"id":1,"day":"03/25/2026"},{"id":2,"day":"\#(other)"}]"#])
        #expect(text.contains(#""day": { "type": "string""#), "\(text)")
    }

    @Test func `lists of dates in another format than ISO 8601 are lists of strings`() throws {
        let (text, lines) = try draft(["a.json": #"[{"id":1,"days":["25.03.2026","26.03.2026"]}]"#])
        #expect(text.contains(#""type": "[string]""#), "\(text)")
        #expect(lines.contains { $0.contains("lists of dates cannot have a format") }, "\(lines)")
    }

    // MARK: Relationships

    @Test(arguments: [
        ("orders.json", #""order":N"#), ("versions.json", #""version":N"#), ("a.json", #""uid":N"#),
        ("users.json", #""id_str":"N""#),
    ])
    func `a number named like its own objects, or a copy of their identity, is not a reference`(
        file: String, member: String
    ) throws {
        let elements = list(1..<40) { number in
            let id = String(number * 7_919 + 1_000_000)
            let value = file.hasPrefix("orders") || file.hasPrefix("versions") ? String(number) : id
            return "{\"id\":\(id),\(member.replacingOccurrences(of: "N", with: value))}"
        }
        let plain = list(1..<8) { number in
            "{\"id\":\(number),\(member.replacingOccurrences(of: "N", with: String(number)))}"
        }
        for dump in [elements, plain] {
            let (text, lines) = try draft([file: dump])
            #expect(!text.contains("relationships"), "\(text)")
            #expect(!lines.contains { $0.contains("->") && $0.contains(" by ") }, "\(lines)")
        }
    }

    @Test func `a parent of the same type is still a reference`() throws {
        let (text, _) = try draft([
            "categories.json":
                #"[{"id":1,"parent_category":null},{"id":2,"parent_category":1},{"id":3,"parent_category":2}]"#
        ])
        #expect(text.contains(#""parentCategory": { "to": "Category", "by": "parentCategoryID" }"#), "\(text)")
    }

    // MARK: Nesting

    @Test func `objects are read at any depth`() throws {
        let chain = (1...30).reversed().reduce(#"{"deep":true}"#) { #"{"in\#($1)":\#($0)}"# }
        let (text, _) = try draft(["chain.json": "[\(chain)]"])
        #expect(
            text.contains(#""In29""#) && text.contains(#""from": "in30.deep", "type": "boolean", "optional": false }"#))
        let children = (1...40).reversed().reduce(#"{"v":"end"}"#) {
            #"{"id":\#($1),"v":\#($1 < 25 ? "1" : "\"x\""),"children":[\#($0)]}"#
        }
        let (tree, lines) = try draft(["nodes.json": "[\(children)]"])
        #expect(tree.contains(#""v":  { "type": "string", "optional": false }"#), "\(tree)")
        #expect(lines.contains("Item has no identity: tried id (missing in 1 of 41 objects)"), "\(lines)")
    }

    // MARK: Lists

    @Test(arguments: [
        (#"[1,null]"#, "1 of 3 elements of its lists is null"),
        (#"[{"a":1},null]"#, "1 of 3 elements of its lists is null"),
        (#"[null]"#, "1 of 2 elements of its lists is null"),
    ])
    func `a list with a null in it stays JSON`(value: String, reason: String) throws {
        let other = value.replacingOccurrences(of: ",null", with: "").replacingOccurrences(of: "null", with: "1")
        let (text, lines) = try draft(["a.json": #"[{"id":1,"l":\#(value)},{"id":2,"l":\#(other)}]"#])
        #expect(text.contains(#""l":  { "type": "json", "optional": false }"#), "\(text)")
        #expect(lines.contains("uncertain: A.l json: \(reason)"), "\(lines)")
    }

    // MARK: Wrappers

    @Test func `wrappers that differ only in case select their entities by full names`() throws {
        let (text, _) = try draft([
            "a.json": #"[{"user":{"id":1,"n":"a"}},{"task":{"id":1,"user_id":1}},{"User":{"id":7,"q":2}}]"#
        ])
        #expect(text.contains(#""elementName": "user""#) && text.contains(#""elementName": "User""#), "\(text)")
    }

    @Test func `an empty key wraps nothing`() throws {
        let (text, lines) = try draft(["a.json": #"[{"":{"id":1}},{"":{"id":2}}]"#])
        #expect(!text.contains("wrapped"), "\(text)")
        #expect(lines.contains("skipped: A at the empty key: a key path cannot contain it"), "\(lines)")
    }

    // MARK: What is not read

    @Test func `keys beyond the limit of columns and collections beyond the first thousand are reported`() throws {
        let members = (0..<1_905).map { "\"k\($0)x\":1" }.joined(separator: ",")
        let (_, lines) = try draft(["a.json": #"[{"id":1,\#(members)}]"#])
        #expect(
            lines.contains(
                "uncertain: A has only the first 1900 keys: 6 values of others are skipped, because SQLite limits the number of columns"
            ), "\(lines.suffix(3))")
        let scalars = (0..<1_005).map { "\"k\($0)x\":1" }.joined(separator: ",")
        let (_, others) = try draft(["a.json": #"{"rows":[{"id":1}],\#(scalars)}"#])
        #expect(others.contains("skipped: a.json as a whole: only its first 1000 keys are examined"))
    }

    @Test func `a value that is not a collection is reported with the reason`() throws {
        let (text, lines) = try draft([
            "a.json": """
            {"rows":[{"id":1},null,{"id":2}], "text":"a", "number":1, "flag":true, "nothing":null, "none":[],
            "empty":{}, "numbers":[1,2], "mixed":[{"a":1},2,3], "settings":{"a":{"b":1}},
            "a":{"b":{"c":{"d":{"e":{"f":{"g":[{"id":1}]}}}}}}}
            """
        ])
        #expect(text.contains(#""at": "rows""#), "\(text)")
        #expect(
            lines.filter { $0.hasPrefix("skipped: ") } == [
                "skipped: a.json at text: a string",
                "skipped: a.json at number: a number",
                "skipped: a.json at flag: a number or boolean",
                "skipped: a.json at nothing: null",
                "skipped: a.json at none: no elements",
                "skipped: a.json at empty: no elements",
                "skipped: a.json at numbers: its elements are not objects",
                "skipped: a.json at mixed: 2 elements of 3 are not objects",
                "skipped: a.json at settings: contains no collection",
                "skipped: a.json at a: nested too deeply to be examined",
            ], "\(lines)")
    }

    // MARK: Identities

    @Test(arguments: [("0.5", "double"), ("true", "boolean"), ("null", "json")])
    func `an id that cannot identify objects is reported`(value: String, type: String) throws {
        let (_, lines) = try draft(["a.json": #"[{"id":\#(value)},{"id":\#(value)}]"#])
        #expect(lines.contains("A has no identity: tried id (\(type))"), "\(lines)")
    }

    @Test func `values that are equal in a build are not reported as distinct`() throws {
        let (_, dates) = try draft(["a.json": #"[{"id":"2026-11-21"},{"id":"2026-11-21T00:00:00Z"}]"#])
        #expect(dates.contains("uncertain: A.id identity: 2 of 2 distinct as strings, never null"), "\(dates)")
        let uuid = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
        let (_, uuids) = try draft(["a.json": #"[{"id":"\#(uuid)","n":1},{"id":"\#(uuid.uppercased())","n":2}]"#])
        #expect(
            uuids.contains {
                $0.contains("A has no identity: tried id (1 of 2 distinct; objects with the same value differ)")
            }, "\(uuids)")
    }

    // MARK: Size

    @Test func `objects in very many places become entities up to a limit, and the others are reported`() throws {
        let (_, lines) = try draft([
            "a.json": "[{\"id\":1,"
                + (0..<900).map { "\"m\($0)x\":{\"p\($0)\":{\"q\($0)\":{\"r\":\($0)}}}" }.joined(separator: ",")
                + "}]"
        ])
        #expect(
            lines.contains { $0.hasSuffix(" json: objects occur at more than 2000 positions") }, "\(lines.suffix(3))")
    }

    // MARK: Names

    @Test func `composed and decomposed letters make different keys`() throws {
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        let (text, _) = try draft(["a.json": #"[{"id":1,"\#(composed)":1,"\#(apart)":"x"}]"#])
        #expect(
            text.contains(#""integer", "optional": false"#) && text.contains(#""string", "optional": false"#), "\(text)"
        )
        let (both, _) = try draft(["a.json": #"{"\#(composed)":[{"id":1}],"\#(apart)":[{"id":2}]}"#])
        #expect(both.components(separatedBy: #""at": "#).count == 3, "\(both)")
    }

    @Test func `the name of an entity does not grow with the nesting`() throws {
        let chain = (1...12).reversed().reduce(#"{"deep":1}"#) { #"{"part":{"p\#($1)":\#($1),"q\#($1)":\#($0)}}"# }
        let (text, _) = try draft([
            "a.json": "[\(chain)]", "\(String(repeating: "long", count: 40)).json": #"[{"k":1}]"#,
        ])
        let names = text.split(separator: "\n").filter { $0.hasPrefix("    \"") && $0.hasSuffix("{") }
        #expect(names.count > 10 && names.allSatisfy { $0.count < 72 }, "\(names)")
    }

    @Test func `an entity is named like its file without all extensions`() throws {
        #expect(try draft(["users.txt": #"[{"id":1}]"#]).text.contains(#""User": {"#))
    }
}
