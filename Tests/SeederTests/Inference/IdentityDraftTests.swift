import Foundation
import Seeder
import TestSupport
import Testing

/// Identities of drafts: a build merges equal ones, so they are proposed only if that loses nothing.
@Suite struct IdentityDraftTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let dump: String
        let finding: String

        init(_ description: String, _ dump: String, _ finding: String) {
            (testDescription, self.dump, self.finding) = (description, dump, finding)
        }
    }

    static let cases = [
        Case(
            "the same member with other values in other places",
            """
            {"apple": {"members": {"size1": {"type": "a", "doc": "x"}, "size2": {"type": "b", "doc": "y"}}},
             "pear": {"members": {"size1": {"type": "c", "doc": "x"}, "size3": {"type": "b", "doc": "y"}}}}
            """, "Member has no identity: tried key (3 of 4 distinct; objects with the same value differ)"),
        Case(
            "the same member with equal values in other places",
            """
            {"apple": {"members": {"size1": {"type": "a", "doc": "x"}, "size2": {"type": "b", "doc": "y"}}},
             "pear": {"members": {"size1": {"type": "a", "doc": "x"}, "size3": {"type": "b", "doc": "y"}}}}
            """, "Member.key identity: 3 of 4 distinct, never null; duplicates are identical"),
        Case(
            "nested objects with fewer members",
            """
            {"users": [{"id": 1, "name": "Ada", "mail": "a"}, {"id": 2, "name": "Mei", "mail": "b"}],
             "tasks": [{"id": 8, "user": {"id": 1, "name": "Ada"}}, {"id": 9, "user": {"id": 1, "name": "Ada"}}]}
            """, "User.id identity: 2 of 4 distinct, never null; duplicates are identical"),
        Case(
            "nested objects with another value",
            """
            {"users": [{"id": 1, "name": "Ada", "mail": "a"}, {"id": 2, "name": "Mei", "mail": "b"}],
             "tasks": [{"id": 8, "user": {"id": 1, "name": "Ada"}}, {"id": 9, "user": {"id": 1, "name": "Eve"}}]}
            """, "User has no identity: tried id (2 of 4 distinct; objects with the same value differ)"),
        Case(
            "another value in the other of two files of a collection",
            #"{"users": [{"id": 1, "name": "Ada"}], "data": {"users": [{"id": 1, "name": "Eve"}]}}"#,
            "User has no identity: tried id (1 of 2 distinct; objects with the same value differ)"),
        Case(
            "the parent's key beside it",
            #"[{"id": 1, "project_id": 7, "n": 1}, {"id": 2, "project_id": 7, "n": 2}, {"id": 1, "project_id": 8, "n": 3}]"#,
            "Item.projectID, Item.id identity: 3 of 3 distinct together, never null; "
                + "tried id (2 of 3 distinct; objects with the same value differ)"),
        Case(
            "the type beside it, as in JSON:API",
            #"[{"type": "people", "id": "1", "n": 1}, {"type": "tags", "id": "1", "n": 2}, {"id": "2", "type": "tags", "n": 3}]"#,
            "Item.type, Item.id identity: 3 of 3 distinct together, never null; "
                + "tried id (2 of 3 distinct; objects with the same value differ)"),
        Case(
            "a type beside an identifier that is distinct alone",
            #"[{"type": "people", "id": "1", "n": 1}, {"type": "tags", "id": "2", "n": 2}]"#,
            "Item.id identity: 2 of 2 distinct, never null"),
        Case(
            "a type beside an identifier that is not distinct with it",
            #"[{"type": "tags", "id": "1", "n": 1}, {"type": "tags", "id": "1", "n": 2}]"#,
            "Item has no identity: tried id (1 of 2 distinct; objects with the same value differ)"),
        Case(
            "the parent's key beside it, in several places",
            """
            {"a": {"lines": [{"id": 1, "order_id": 7, "n": 1}, {"id": 2, "order_id": 7, "n": 2}]},
             "b": {"lines": [{"id": 1, "order_id": 8, "n": 3}]}}
            """,
            "Line.orderID, Line.id identity: 3 of 3 distinct together, never null; "
                + "tried id (2 of 3 distinct; objects with the same value differ)"),
        Case(
            "values of different types", #"[{"code": "a"}, {"code": true}]"#,
            "Item has no identity: tried code (values of different types)"),
    ]

    @Test(arguments: cases)
    func `an identity is proposed only if equal keys have equal values`(example: Case) throws {
        let folder = try TemporaryDirectory()
        try folder.write(example.dump, to: "data.json")
        let draft = try ManifestInference(dumps: [folder.file("data.json")], base: folder.url).run()
        let lines = draft.findings.map { $0.description.replacing("uncertain: ", with: "") }
        #expect(lines.contains(example.finding), "\(lines)")
        try folder.write(draft.text, to: "seed.json")
        let check = try ObjectSeeder.check(manifest: folder.file("seed.json"))
        #expect(check.isValid && check.conflictCount == 0, "\(check)")
    }

    @Test func `identities are compared in full up to a million elements`() throws {
        let folder = try TemporaryDirectory()
        // Far more than a sample contains, with one conflict.
        let lines = (0..<100_000).map { #"{"id":\#($0),"n":1}"# } + [#"{"id":77777,"n":2}"#]
        try folder.write(lines.joined(separator: "\n"), to: "items.ndjson")
        let draft = try ManifestInference(dumps: [folder.file("items.ndjson")], base: folder.url).run()
        #expect(!draft.text.contains("identifiedBy"))
        #expect(draft.findings.contains { $0.description.hasSuffix("distinct; objects with the same value differ)") })
    }
}
