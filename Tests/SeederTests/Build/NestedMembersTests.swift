import Foundation
import Seeder
import TestSupport
import Testing

/// Objects of a relationship that are the members of an object: `{"comments": {"-C1": {…}, "-C2": {…}}}`.
@Suite struct NestedMembersTests {
    private static func manifest(_ each: String = #""each": "member""#, many: Bool = true) -> String {
        #"""
        { "model": {
            "Post": { "identifiedBy": "id",
              "attributes": { "id": { "type": "integer" } },
              "relationships": { "comments": { "from": "comments", "to": "Comment", "many": \#(many), \#(each) } } },
            "Comment": { "identifiedBy": "key",
              "attributes": { "key": { "from": "@key", "type": "string" }, "text": { "type": "string", "optional": false } } } },
          "sources": [{ "file": "posts.json", "entity": "Post" }] }
        """#
    }

    private static func folder(_ posts: String) throws -> SeedFolder {
        try SeedFolder(["posts.json": posts, "seed.json": manifest()])
    }

    private static let links =
        "SELECT p.id, c.key, c.text FROM Post p JOIN Post_comments l ON l.owner = p._id JOIN Comment c ON c._id = l.target"

    @Test func `Each member is an object with its name`() throws {
        let folder = try Self.folder(
            #"""
            [{"id":1,"comments":{"-C1":{"text":"a"},"é\n":{"text":"b"},"-C3":null}},{"id":2,"comments":{}},
             {"id":3,"comments":[]},{"id":4,"comments":null},{"id":5},{"id":6,"comments":{"-C6":{"text":"f"}}}]
            """#)
        try folder.build()
        #expect(try folder.rows(Self.links) == ["1, '-C1', 'a'", "1, 'é\n', 'b'", "6, '-C6', 'f'"])
        #expect(try folder.rows("SELECT count(*) FROM Post") == ["6"])
    }

    @Test(arguments: [
        (
            #"{"-C1":7}"#,
            #"posts.json:1:28 $[0].comments.-C1: expected an object, found a number (rule comments -> Post.comments)"#
        ),
        (
            #"[{"text":"a"}]"#,
            "posts.json:1:21 $[0].comments: expected an object of objects, found an array (rule comments -> Post.comments)"
        ),
        (
            #"{"-C1":{"text":"a"},"-C2":{}}"#,
            #"posts.json:1:47 $[0].comments.-C2.text: expected the key 'text', found no such key (rule text -> Comment.text)"#
        ),
    ])
    func `Another value is an issue with its path`(_ comments: String, _ issue: String) throws {
        #expect(try Self.folder(#"[{"id":1,"comments":\#(comments)}]"#).buildError()?.1.first == issue)
    }

    @Test func `The last of repeated members is used, and an update replaces them`() throws {
        let folder = try Self.folder(
            #"[{"id":1,"comments":{"-C1":{"text":"a"},"-C2":{"text":"b"},"-C1":{"text":"c"}}},{"id":2,"comments":{"-C4":{"text":"d"}}}]"#
        )
        try folder.build()
        #expect(
            try folder.rows("SELECT key, text FROM Comment ORDER BY key") == ["'-C1', 'c'", "'-C2', 'b'", "'-C4', 'd'"])
        try folder.folder.write(#"[{"id":1,"comments":{}},{"id":2}]"#, to: "posts.json")
        try folder.build { $0.updatesExisting = true }
        #expect(try folder.rows(Self.links) == ["2, '-C4', 'd'"])
    }

    @Test(arguments: [
        (#""each": "member""#, false, "'each' needs 'from' and \"many\": true"),
        (#""each": "members""#, true, "expected 'element' or 'member', found another string; did you mean 'member'?"),
        (#""ordered": false"#, true, "'@key' needs a source or a relationship of Comment with \"each\": \"member\""),
    ])
    func `Members need a to-many relationship`(_ each: String, _ many: Bool, _ message: String) throws {
        let folder = try SeedFolder(["posts.json": "[]", "seed.json": Self.manifest(each, many: many)])
        let errors = try folder.buildError()?.1.joined(separator: "\n") ?? ""
        #expect(errors.contains(": \(message)"), "\(errors)")
    }

    @Test(arguments: [
        (
            "identifiers of Firebase",
            #"{"posts":{"-P1":{"title":"a","comments":{"-C1":{"text":"x"},"-C2":{"text":"y"}}},"-P2":{"title":"b","comments":{"-C3":{"text":"z"}}},"-P3":{"title":"c"}}}"#,
            "Comment", "3"
        ),
        (
            "versions",
            #"[{"id":"a","versions":{"1.0.0":{"size":1,"by":"x"},"1.1.0":{"size":2,"by":"y"}}},{"id":"b","versions":{"1.0.0":{"size":3,"by":"x"}}}]"#,
            "Version", "3"
        ),
        (
            "languages",
            #"[{"id":1,"labels":{"en":{"language":"en","value":"Kettle"},"de":{"language":"de","value":"Kessel"}}},{"id":2,"labels":{"fr":{"language":"fr","value":"Lampe"},"en":{"language":"en","value":"Lamp"}}}]"#,
            "Label", "4"
        ),
        ("paths", #"[{"id":1,"files":{"src/a.c":{"size":1},"src/b.c":{"size":2}}},{"id":2,"files":{}}]"#, "File", "2"),
    ])
    func `A draft reads dictionaries of objects as one entity`(
        _ name: String, _ dump: String, _ entity: String, _ count: String
    ) throws {
        let folder = try SeedFolder(["a.json": dump])
        let result = try folder.run("infer", "a.json", "-o", "seed.json")
        let draft = try folder.folder.text(of: "seed.json")
        #expect(draft.contains(#""to": "\#(entity)", "many": true, "each": "member""#), "\(draft)")
        #expect(
            draft.contains(#""key":"#) && draft.contains(#"{ "from": "@key", "type": "string", "optional": false }"#))
        #expect(result.errors.contains("-> \(entity), each member: nested in "), "\(result.errors)")
        #expect(try folder.run("check", "seed.json").status == 0)
        #expect(try folder.run("build", "seed.json", "-q", "-o", "out.sqlite").status == 0)
        #expect(try folder.rows("SELECT count(*) FROM \"\(entity)\"") == [count])
    }

    @Test(arguments: ["classes", "structs", "managed"])
    func `Models read and write the members`(kind: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"[{"id":1,"comments":{"-C1":{"text":"a"},"-C2":{"text":"b"}}}]"#, to: "posts.json")
        try folder.write(Self.manifest(), to: "seed.json")
        let written = try await runShell("seed-db models seed.json --kind \(kind) -o .", directory: folder.url)
        try #require(written.status == 0, "\(written.errors)")
        let program =
            kind == "managed"
            ? """
            import ObjectStore
            let store = try ManagedObjectStore(at: URL(filePath: "store.sqlite"), model: .seed)
            _ = try await store.importJSON(dump, with: Post.mapping)
            let text: String = try await store.perform { context in
                String(decoding: try Post.mapping.serialize(try context.fetch(Post.all)), as: UTF8.self)
            }
            print(text)
            """
            : "print(try String(decoding: Post.mapping.serialize(Post.mapping.mapAll(dump)), as: UTF8.self))"
        try folder.write(
            "import Foundation\nlet dump = try Data(contentsOf: URL(filePath: \"posts.json\"))\n\(program)\n",
            to: "main.swift")
        let compiled = try await compileProgram("models", of: "*.swift", in: folder)
        try #require(compiled.status == 0, "\(compiled.errors)")
        let result = try RunningProcess(folder.file("models"), directory: folder.url).wait()
        #expect(
            result.output == #"[{"id":1,"comments":{"-C1":{"text":"a"},"-C2":{"text":"b"}}}]"# + "\n",
            "\(result.errors)")
    }
}
