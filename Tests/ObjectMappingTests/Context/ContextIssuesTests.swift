import ObjectMapping
import Testing

/// A model with one rule that needs a value.
private struct Needy: Equatable {
    var id = 0
    var maybe: Int?

    static func mapping(_ source: MappingSource) -> Mapping<Needy> {
        Mapping(Needy.init) { Attribute(source, \.id).required }
    }

    /// Contains such models in all ways.
    struct Holder {
        var one = Needy()
        var many: [Needy] = []
        var members: [Needy] = []

        static func mapping(_ source: MappingSource) -> Mapping<Holder> {
            let needy = Needy.mapping(source)
            return Mapping(Holder.init) {
                Relationship("one", \.one, needy)
                Relationship("many", \.many, needy)
                Relationship("members", \.members, needy, each: .member)
            }
        }
    }
}

@Suite struct ContextIssuesTests {
    @Test(arguments: [
        (
            "@parent.identity", #"{"identitty": 1, "one": {}}"#,
            "1:25 $.one: expected 'identity' in the enclosing object, found no value (rule @parent.identity -> Needy.id); did you mean 'identitty'?"
        ),
        (
            "@parent.a.owner", #"{"a": {"owners": 1}, "one": {}}"#,
            "1:29 $.one: expected 'a.owner' in the enclosing object, found no value (rule @parent.a.owner -> Needy.id); did you mean 'owners'?"
        ),
        (
            "@parent.@parent.id", #"{"one": {}}"#,
            "1:9 $.one: expected 'id' in the object 2 levels out, found no value (rule @parent.@parent.id -> Needy.id)"
        ),
        (
            "@root.id", #"{"one": {"id": 2}}"#,
            "1:9 $.one: expected 'id' in the payload, found no value (rule @root.id -> Needy.id)"
        ),
        (
            "@metadata.uri", #"{"one": {}}"#,
            "1:9 $.one: expected 'uri' in the metadata, found no value (rule @metadata.uri -> Needy.id); did you mean 'url'?"
        ),
        (
            "@index", #"{"many": [{}], "one": {}, "members": {"a": {}}}"#,
            """
            1:23 $.one: expected an array that contains the object, found no value (rule @index -> Needy.id)
            1:44 $.members.a: expected an array that contains the object, found no value (rule @index -> Needy.id)
            """
        ),
        (
            "@parent.id", #"{"id": "x", "one": {}, "many": [{}]}"#,
            """
            1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule @parent.id -> Needy.id)
            1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule @parent.id -> Needy.id)
            """
        ),
        (
            "@root.a.b", #"{"one": {}, "a": {"b": null}}"#,
            "1:24 $.a.b: expected an integer, found null (rule @root.a.b -> Needy.id)"
        ),
        (
            "@root.x.y", #"{"x": [{"y": "1"}], "one": {}}"#,
            "1:7 $.x: expected an integer, found an array (rule @root.x.y -> Needy.id)"
        ),
        (
            "@key", #"{"members": {"1": {}, "b": {}}}"#,
            "1:23 $.members.b: expected an integer, found a string that cannot be converted to an integer (rule @key -> Needy.id)"
        ),
        (
            "@metadata.url", #"{"one": {}}"#,
            "1:9 $.one: expected an integer, found a string that cannot be converted to an integer (rule @metadata.url -> Needy.id)"
        ),
        (
            "@parent.list.@sum.n", #"{"list": [{"n": 1}, {"n": "x"}], "one": {}}"#,
            "1:27 $.list[1].n: expected a number, found a string (rule @parent.list.@sum.n -> Needy.id)"
        ),
    ])
    func `An issue of an outer value has its position`(
        source: String, payload: String, expected: String
    ) {
        let metadata = table(#"{"url": "u"}"#)
        expectIssues(expected) {
            _ = try Needy.Holder.mapping("\(source)").map(payload, options: MappingOptions(metadata: metadata))
        }
    }

    @Test(arguments: [
        (
            MappingSource.first("id", "identifier"), #"{"ident": 1}"#,
            "1:1 $: expected 'id' or 'identifier', found no value (rule id or identifier -> Needy.id)"
        ),
        (
            .first("owner", .parent("id"), .index), #"{"owners": 1}"#,
            "1:1 $: expected 'owner' or 'id' in the enclosing object or an array that contains the object, found no value (rule owner or @parent.id or @index -> Needy.id); did you mean 'owners'?"
        ),
        (
            .first("id", "identifier"), #"{"id": null, "identifier": 1}"#,
            "1:8 $.id: expected an integer, found null (rule id or identifier -> Needy.id)"
        ),
        (
            .first("a.id", "identifier"), #"{"a": {"id": 1.5}, "identifier": 1}"#,
            "1:14 $.a.id: expected an integer, found a number with a fraction (rule a.id or identifier -> Needy.id)"
        ),
        (.key, "{}", "1:1 $: expected a key of the object, found no value (rule @key -> Needy.id)"),
        (.parent, "{}", "1:1 $: expected an enclosing object, found no value (rule @parent -> Needy.id)"),
        (.root, "{}", "1:1 $: expected an integer, found an object (rule @root -> Needy.id)"),
    ])
    func `A required value is searched at each of its sources`(
        source: MappingSource, payload: String, expected: String
    ) {
        expectIssues(expected) { _ = try Needy.mapping(source).map(payload) }
    }

    @Test func `Issues of elements name the outer values`() {
        let payload = #"{"id": "x", "list": [{}, {}]}"#
        expectIssues(
            """
            1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule @parent.id -> Needy.id)
            1:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule @parent.id -> Needy.id)
            """
        ) {
            _ = try Needy.mapping("@parent.id").mapAll(payload, at: "list")
        }
        expectIssues(
            "$.list[0]: expected 'ID' in the enclosing object, found no value (rule @parent.ID -> Needy.id); did you mean 'id'?"
        ) {
            _ = try Needy.mapping("@parent.ID").mapAll(table(#"{"id": 1, "list": [{}]}"#), at: "list")
        }
    }

    @Test(arguments: ["@parent.id", "@root.id"])
    func `Only the syntax error of a broken text is reported`(source: String) {
        for payload in [#"{"one": {"one": {}}, "id": }"#, #"{"many": [{}], "id": 1"#] {
            let found = issues { _ = try Needy.Holder.mapping("\(source)").map(payload) }
            #expect(found.hasSuffix("found '}'") || found.hasSuffix("found the end of the text"))
            #expect(!found.contains("\n"))
        }
    }

    @Test(arguments: [
        (#"{"a": {}, "b": {}}"#, "1:1 $: expected exactly one member with an object, found 2 objects"),
        ("{}", "1:1 $: expected exactly one member with an object, found 0 objects"),
        (#"{"a": null}"#, "1:1 $: expected exactly one member with an object, found 0 objects"),
        (#"{"a": 7}"#, "1:7 $.a: expected an object, found a number"),
        ("7", "1:1 $: expected an object of objects, found a number"),
        (
            #"{"a": {"idd": 1}}"#,
            "1:7 $.a.id: expected the key 'id', found no such key (rule {key}.id -> Box.int)"
        ),
        (#"{"a": {"id": {}}}"#, "1:14 $.a.id: expected an integer, found an object (rule {key}.id -> Box.int)"),
    ])
    func `An object under a dynamic key has issues like any other`(payload: String, expected: String) {
        let mapping = Mapping(Box.init) { Attribute("{key}.id", \.int).required }
        #expect(issues { _ = try mapping.map(payload) }.components.first == expected)
    }

    @Test func `A repeated dynamic key is a warning`() throws {
        var report = MappingReport()
        let mapping = Mapping(Box.init) { Attribute("{key}.id", \.int) }
        _ = try mapping.mapAll(#"{"a": {}, "a": {}}"#, report: &report)
        #expect(report.issues.map(\.description) == ["1:11 $.a: expected unique keys, found a duplicate key"])
    }

    @Test(arguments: [
        (
            ["{nam}.id", "@key"],
            "expected a placeholder that is declared by a rule with the source .key, found {nam} (rule {nam}.id -> Box.int)"
        ),
        (
            ["{tex}.id", "@key"],
            "expected a placeholder that is declared by a rule with the source .key, found {tex} (rule {tex}.id -> Box.int); did you mean 'text'?"
        ),
        (
            ["a.{key}.id", "@key"],
            "expected placeholders at the start of the key path, found a placeholder after a key (rule a.{key}.id -> Box.int)"
        ),
        (
            ["{key}.a.{key}", "@key"],
            "expected placeholders at the start of the key path, found a placeholder after a key (rule {key}.a.{key} -> Box.int)"
        ),
        (
            ["@parnt.id", "@key"],
            "expected a collection operator, found '@parnt' in the key path '@parnt.id' (rule @parnt.id -> Box.int); did you mean '@parent'?"
        ),
        (["@key.x", "@key"], "expected '@key' without a key path after it, found '@key.x' (rule @key.x -> Box.int)"),
        (
            ["@index.@count", "@key"],
            "expected '@index' without a key path after it, found '@index.@count' (rule @index.@count -> Box.int)"
        ),
        (
            ["@parent.a.@summ.b", "@key"],
            "expected a collection operator, found '@summ' in the key path 'a.@summ.b' (rule @parent.a.@summ.b -> Box.int); did you mean '@sum'?"
        ),
    ])
    func `Mistakes in a source are reported by validate`(sources: [String], expected: String) {
        let mapping = Mapping(Box.init) {
            Attribute("\(sources[0])", \.int)
            Attribute("\(sources[1])", \.text)
        }
        expectIssues(expected) { try mapping.validate() }
    }

    @Test func `Placeholders in two orders are a mistake`() {
        let mapping = Mapping(Box.init) {
            Attribute(.key("year"), \.int)
            Attribute(.key("month"), \.text)
            Attribute("{year}.{month}.a", \.optional)
            Attribute("{month}.{year}.b", \.double)
            Attribute("{month}.c", \.ints)
            Attribute(.key("day"), \.texts)
        }
        expectIssues(
            """
            expected placeholders in one order: {year}.{month}, found {month}.{year} (rule {month}.{year}.b -> Box.double)
            expected placeholders in one order: {year}.{month}, found {month} (rule {month}.c -> Box.ints)
            expected a key path of the mapping that starts with {day}, found no such key path (rule {day} -> Box.texts)
            """
        ) { try mapping.validate() }
    }

    @Test func `The key of the object itself is the innermost one`() {
        let mapping = Mapping(Box.init) {
            Attribute(.key("month"), \.int)
            Attribute("{key}.{month}.a", \.optional)
        }
        expectIssues(
            "expected the key of the object itself as the last placeholder, found {key}.{month} (rule {key}.{month}.a -> Box.optional)"
        ) { try mapping.validate() }
    }

    @Test func `Empty sources are mistakes`() {
        let mapping = Mapping(Box.init) {
            Attribute(.first(), \.int)
            Attribute(.parent("a", levels: 0), \.text)
            Attribute(.parent("b", levels: -1), \.double)
            Attribute(.key("name"), \.optional)
        }
        expectIssues(
            """
            expected at least one source, found no sources (rule the value -> Box.int)
            expected a parent at least 1 level out, found 0 levels (rule @parent(levels: 0).a -> Box.text)
            expected a parent at least 1 level out, found -1 levels (rule @parent(levels: -1).b -> Box.double)
            expected a key path of the mapping that starts with {name}, found no such key path (rule {name} -> Box.optional)
            """
        ) { try mapping.validate() }
    }

    @Test func `A value that is too deep for its position is an issue`() throws {
        final class Deep: Mappable {
            var child: Deep?
            var other: JSON?
            static let mapping = Mapping({ Deep() }) {
                Relationship("child", \.child)
                Attribute("@root.other", \.other)
            }
        }
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"child": "#, count: depth) + "{}" + String(repeating: "}", count: depth)
        }
        let payload =
            #"{"other": \#(String(repeating: "[", count: 8) + String(repeating: "]", count: 8)), "child": \#(nested(3))}"#
        let limits = MappingLimits(depth: 10)
        #expect(throws: Never.self) { try Deep.mapping.map(payload) }
        let found = issues { _ = try Deep.mapping.map(payload, options: MappingOptions(limits: limits)) }
        #expect(
            found.components.last
                == "1:11 $.other: expected at most 10 levels of nesting, found more levels, including those in the value (rule @root.other -> Deep.other)"
        )
    }
}

extension String {
    /// The lines.
    fileprivate var components: [String] { split(separator: "\n").map(String.init) }
}
