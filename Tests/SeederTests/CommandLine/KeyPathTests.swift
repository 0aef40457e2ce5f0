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
        ("ownr.name", "no value at 'ownr.name': the document has no key 'ownr'; did you mean 'owner'?"),
        ("owner.nme", "no value at 'owner.nme': 'owner' has no key 'nme'; did you mean 'name'?"),
        ("owner.a.b", "no value at 'owner.a.b': 'owner' has no key 'a'; its keys are name, a.b"),
        ("tasks.hour", "no value at 'tasks.hour': 'tasks' has no key 'hour'; did you mean 'hours'?"),
        ("owner.name.first", "no value at 'owner.name.first': 'owner.name' has no key 'first'"),
        ("owner.a\\.b.c", "no value at 'owner.a\\.b.c': 'owner.a\\.b' has no key 'c'"),
        ("owner.name.@sum.x", "no value at 'owner.name.@sum.x': 'owner.name' is not a collection"),
        (
            [String](repeating: "owner", count: 60).joined(separator: "."),
            "no value at '\([String](repeating: "owner", count: 60).joined(separator: "."))': 'owner' has no key 'owner'; its keys are name, a.b"
        ),
        ("tasks.@sum.tags", "$.tasks[0].tags: expected a number, found an array (rule tasks.@sum.tags)"),
    ])
    func `an absent path is an error with the existing part and similar keys`(path: String, message: String) throws {
        let folder = try SeedFolder(["a.json": Self.json])
        let result = try folder.run("keypath", path, "a.json")
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        #expect(result.errors == "seed-db: a.json: \(message)\n")
    }
}
