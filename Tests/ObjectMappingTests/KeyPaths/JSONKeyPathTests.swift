import ObjectMapping
import Testing

struct JSONKeyPathTests {
    @Test(
        arguments: [
            ("", []), ("a", [.key("a")]), ("a.b", [.key("a"), .key("b")]), (#"a\.b.c"#, [.key("a.b"), .key("c")]),
            (#"a\\b"#, [.key(#"a\b"#)]), (#"\@count"#, [.key("@count")]), ("a@b", [.key("a@b")]),
            ("a b.é", [.key("a b"), .key("é")]),
            ("t.@count", [.key("t"), .collection(.count)]),
            ("@max.a.@min.b", [.collection(.max), .key("a"), .collection(.min), .key("b")]),
            ("a.\u{301}b", [.key("a"), .key("\u{301}b")]),
        ] as [(String, [JSONKeyPath.Component])])
    func `A string is split into keys and operators`(text: String, components: [JSONKeyPath.Component]) {
        let path = JSONKeyPath(text)
        #expect(path.components == components)
        #expect(path.mistake == nil)
        #expect(path.description == text)
    }

    @Test(arguments: [
        ("a.", "expected a key, found an empty component in the key path 'a.'"),
        (".a", "expected a key, found an empty component in the key path '.a'"),
        ("a..b", "expected a key, found an empty component in the key path 'a..b'"),
        (#"a\"#, #"expected a character after the backslash, found the end of the key path 'a\'"#),
        (
            "t.@avgg.x",
            "expected a collection operator, found '@avgg' in the key path 't.@avgg.x'; did you mean '@avg'?"
        ),
        (
            "@distinctUnionOfObject.x",
            "expected a collection operator, found '@distinctUnionOfObject' in the key path '@distinctUnionOfObject.x'; did you mean '@distinctUnionOfObjects'?"
        ),
        ("t.@frobnicate", "expected a collection operator, found '@frobnicate' in the key path 't.@frobnicate'"),
        ("t.@", "expected a collection operator, found '@' in the key path 't.@'"),
    ])
    func `A mistake is thrown when the path is used`(text: String, message: String) {
        #expect(JSONKeyPath(text).mistake == message)
        let json: JSON = [:]
        let error = #expect(throws: MappingError.self) { try json.value(at: text) }
        #expect(error?.issues.map(\.kind) == [.mapping])
        #expect(error?.description == message)
    }

    @Test func `Keys given as components are literal`() {
        let path: JSONKeyPath = ["a.b", "@count", #"c\d"#]
        #expect(path.plainKeys == ["a.b", "@count", #"c\d"#])
        #expect(path.description == #"a\.b.\@count.c\\d"#)
        #expect(JSONKeyPath(path.description) == path)
    }

    @Test func `A path with an operator has no plain keys`() {
        #expect(JSONKeyPath("a.@count").plainKeys == nil)
        #expect(JSONKeyPath("").plainKeys == [])
    }
}
