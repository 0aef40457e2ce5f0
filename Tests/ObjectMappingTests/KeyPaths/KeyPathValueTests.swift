import ObjectMapping
import Testing

struct KeyPathValueTests {
    private static let json = table(
        #"""
        {"id": 7,
        "name": "Kettle",
        "none": null,
        "empty": [],
        "a.b": {"c": 1},
        "owner": {"name": "Ann", "boss": null},
        "tasks": [{"id": 1, "user": {"id": 10}, "tags": ["x", "y"]}, {"id": 2, "user": null, "tags": []}, {"id": 3}],
        "grid": [[{"v": 1}, {"v": 2}], [{"v": 3}], []],
        "mixed": [{"k": 1}, 5, null, "s"],
        "@count": "a key"}
        """#)

    @Test(arguments: [
        ("", json.text), ("id", "7"), ("owner.name", #""Ann""#), (#"a\.b.c"#, "1"), (#"\@count"#, #""a key""#),
        // Null leads to null.
        ("none", "null"), ("none.x.y", "null"), ("owner.boss.name", "null"),
        // Paths read through arrays; positions are kept.
        ("tasks.id", "[1,2,3]"), ("tasks.user", #"[{"id":10},null,null]"#), ("tasks.user.id", "[10,null,null]"),
        ("tasks.tags", #"[["x","y"],[],null]"#), ("grid.v", "[[1,2],[3],[]]"), ("grid.w", "[null,null,[]]"),
        ("empty", "[]"), ("empty.x.y", "[]"),
        ("mixed.k", "[1,null,null,null]"),
    ])
    func `A path finds a value`(path: String, text: String) throws {
        #expect(try Self.json.value(at: path)?.text == text)
    }

    @Test(arguments: ["x", "owner.x", "x.y.z", "id.x", "name.x.y", "tasks.x", "tasks.id.x", "a.b"])
    func `A path through a scalar or to a missing key finds nothing`(path: String) throws {
        #expect(try Self.json.value(at: path) == nil)
        #expect(!Self.json[at: JSONKeyPath(path)].exists)
    }

    @Test func `The value itself can be a scalar, and an absent one has no value`() throws {
        let number: JSON = 5
        #expect(try number.value(at: "") == 5)
        #expect(try number["x"].value(at: "") == nil)
        #expect(try number["x"].value(at: "@count") == nil)
    }
}
