import Foundation
import Seeder
import TestSupport
import Testing

/// Dumps that are easily misread: what the draft says of them, and that they fit it.
@Suite struct MisreadDraftTests {
    /// The draft of some dumps, which are to pass its check.
    private func draft(_ files: KeyValuePairs<String, String>) throws -> (text: String, lines: [String]) {
        let folder = try TemporaryDirectory()
        for (name, text) in files { try folder.write(text, to: name) }
        let draft = try ManifestInference(dumps: files.map { folder.file($0.key) }, base: folder.url).run()
        try folder.write(draft.text, to: "seed.json")
        let check = try ObjectSeeder.check(manifest: folder.file("seed.json"))
        #expect(check.isSound, "\(check.issues)\n\(draft.text)")
        return (draft.text, draft.findings.map(\.description))
    }

    private func list(_ numbers: Range<Int>, _ element: (Int) -> String) -> String {
        "[" + numbers.map(element).joined(separator: ",") + "]"
    }

    // MARK: Relationships

    @Test(arguments: [
        ("orders.json", #""order":N"#), ("versions.json", #""version":N"#), ("a.json", #""uid":N"#),
        ("users.json", #""id_str":"N""#),
    ])
    func `a number that is called like its objects, or a copy of their identity, refers to none of them`(
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

    @Test func `a parent of the same objects still is one`() throws {
        let (text, _) = try draft([
            "categories.json":
                #"[{"id":1,"parent_category":null},{"id":2,"parent_category":1},{"id":3,"parent_category":2}]"#
        ])
        #expect(text.contains(#""parentCategory": { "to": "Category", "by": "parentCategoryID" }"#), "\(text)")
    }

    // MARK: Nesting

    @Test func `objects are read as deep as they nest`() throws {
        let chain = (1...30).reversed().reduce(#"{"deep":true}"#) { #"{"in\#($1)":\#($0)}"# }
        let (text, _) = try draft(["chain.json": "[\(chain)]"])
        #expect(text.contains(#""In30""#) && text.contains(#""deep": { "type": "boolean", "optional": false }"#))
        let children = (1...40).reversed().reduce(#"{"v":"end"}"#) {
            #"{"id":\#($1),"v":\#($1 < 25 ? "1" : "\"x\""),"children":[\#($0)]}"#
        }
        let (tree, lines) = try draft(["nodes.json": "[\(children)]"])
        #expect(tree.contains(#""v":  { "type": "string", "optional": false }"#), "\(tree)")
        #expect(lines.contains("Item has no identity: tried id (absent in 1 of 41)"), "\(lines)")
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

    @Test func `wrappers that differ in case alone choose their entities by their whole names`() throws {
        let (text, _) = try draft([
            "a.json": #"[{"user":{"id":1,"n":"a"}},{"task":{"id":1,"user_id":1}},{"User":{"id":7,"q":2}}]"#
        ])
        #expect(text.contains(#""elementName": "user""#) && text.contains(#""elementName": "User""#), "\(text)")
    }

    @Test func `an empty key wraps nothing`() throws {
        let (text, lines) = try draft(["a.json": #"[{"":{"id":1}},{"":{"id":2}}]"#])
        #expect(!text.contains("wrapped"), "\(text)")
        #expect(lines.contains("A is not read at the empty key: no key path leads there"), "\(lines)")
    }
}
