import Foundation
import TestSupport
import Testing

@Suite struct KeyPathTests {
    static let json = """
        { "owner": { "name": "Ada \\u00e9", "a.b": 1 },
          "tasks": [{ "id": 1, "hours": 1.5, "tags": ["x"] }, { "id": 2, "hours": 2, "title": "t" }], "none": null }
        """

    @Test(arguments: [
        ("owner.name", "\"Ada é\""), ("owner.a\\.b", "1"), ("tasks.id", "[\n  1,\n  2\n]"),
        ("tasks.@sum.hours", "3.5"), ("tasks.@count", "2"), ("none", "null"), ("none.x", "null"),
        ("owner", "{\n  \"name\": \"Ada é\",\n  \"a.b\": 1\n}"),
    ])
    func `a value is printed as JSON`(path: String, text: String) throws {
        let folder = try SeedFolder(["a.json": Self.json])
        let file = try folder.run("keypath", path, "a.json")
        #expect(file.output == text + "\n")
        #expect(file.status == 0, "\(file.errors)")
        #expect(try folder.run("keypath", path, "-", input: Self.json).output == text + "\n")
    }

    @Test(arguments: [
        ("ownr.name", "nothing at 'ownr.name': the text has no 'ownr'; did you mean 'owner'?"),
        ("owner.nme", "nothing at 'owner.nme': 'owner' has no 'nme'; did you mean 'name'?"),
        ("owner.a.b", "nothing at 'owner.a.b': 'owner' has no 'a'; there are name, a.b"),
        ("tasks.hour", "nothing at 'tasks.hour': 'tasks' has no 'hour'; did you mean 'hours'?"),
        ("owner.name.first", "nothing at 'owner.name.first': 'owner.name' has no 'first'"),
        ("owner.a\\.b.c", "nothing at 'owner.a\\.b.c': 'owner.a\\.b' has no 'c'"),
        ("owner.name.@sum.x", "nothing at 'owner.name.@sum.x': 'owner.name' has no '@sum'"),
        (
            [String](repeating: "owner", count: 60).joined(separator: "."),
            "nothing at '\([String](repeating: "owner", count: 60).joined(separator: "."))': 'owner' has no 'owner'; there are name, a.b"
        ),
        ("tasks.@sum.tags", "$.tasks[0].tags: expected a number, found an array (rule tasks.@sum.tags)"),
    ])
    func `an absent path names where it ends and what is near`(path: String, message: String) throws {
        let folder = try SeedFolder(["a.json": Self.json])
        let result = try folder.run("keypath", path, "a.json")
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        #expect(result.errors == "seed-db: a.json: \(message)\n")
    }
}
