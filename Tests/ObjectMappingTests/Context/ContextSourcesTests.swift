import ObjectMapping
import Testing

/// The value of one rule.
private struct Found: Equatable {
    var json: JSON?

    /// The mapping with one rule; `-` in a table is an absent value.
    static func mapping(_ source: MappingSource) -> Mapping<Found> {
        Mapping({ Found(json: "-".json) }) { Attribute(source, \.json) }
    }
}

/// Objects of any depth, each of which reads outer values.
private final class Tree: Mappable {
    var name = ""
    var found: JSON? = "-".json
    var child: Tree?
    var children: [Tree] = []
    var below: Tree?

    /// The values of the tree and its nested trees.
    var all: [JSON?] {
        [found] + (child?.all ?? []) + (below?.all ?? []) + children.flatMap(\.all)
    }

    static func mapping(_ source: MappingSource) -> Mapping<Tree> {
        let own = Own()
        let mapping = Mapping({ Tree() }) {
            Attribute("name", \.name)
            Attribute(source, \.found)
            Relationship("child", \.child, own.mapping)
            Relationship("on.the.way", \.below, own.mapping)
            Relationship("children", \.children, own.mapping)
        }
        own.known = mapping
        return mapping
    }

    static var mapping: Mapping<Tree> { mapping("none") }
}

/// A mapping that refers to itself after its creation.
private final class Own: @unchecked Sendable {  // guarded by being set before it is used
    var known: Mapping<Tree>?
    var mapping: Mapping<Tree> { known ?? Tree.mapping }
}

@Suite struct ContextSourcesTests {
    private static let nested = #"""
        {"name": "a", "id": 1, "child": {"name": "b", "id": 2, "child": {"name": "c", "id": 3}},
         "on": {"id": 4, "the": {"way": {"name": "d"}}},
         "children": [{"name": "e"}, null, {"name": "f", "child": {"name": "g"}}]}
        """#

    private struct Request {
        var page = 0
        var url = ""
        var tags: [String] = []
        var limit: Int? = 1
        static let mapping = Mapping(Request.init) {
            Attribute(.metadata("page"), \.page)
            Attribute(.metadata("url"), \.url)
            Attribute(.metadata("query.tags"), \.tags)
            Attribute(.metadata("limit"), \.limit)
        }
    }

    @Test func `Metadata are plain values, of literals or variables`() throws {
        let (url, limit): (String, Int?) = ("/a", nil)
        let options = MappingOptions(
            metadata: ["page": 3, "url": url, "query": ["tags": ["a", "b"]], "limit": limit])
        let request = try Request.mapping.map("{}", options: options)
        #expect(request.page == 3 && request.url == "/a" && request.tags == ["a", "b"] && request.limit == nil)
    }

    @Test(arguments: [
        // a, its child b, in it c, d below two objects, the elements e and f, in f g
        ("@parent.id", #"["-", 1, 2, "-", 1, 1, "-"]"#),
        ("@parent.@parent.id", #"["-", "-", 1, 4, "-", "-", 1]"#),
        ("@parent.@parent.@parent.id", #"["-", "-", "-", 1, "-", "-", "-"]"#),
        ("@root.id", "[1, 1, 1, 1, 1, 1, 1]"),
        ("@root.child.child.id", "[3, 3, 3, 3, 3, 3, 3]"),
        ("@key", #"["-", "child", "child", "way", "children", "children", "child"]"#),
        ("@index", #"["-", "-", "-", "-", 0, 2, "-"]"#),
        ("self.name", #"["a", "b", "c", "d", "e", "f", "g"]"#),
        ("@metadata.url", #"["u", "u", "u", "u", "u", "u", "u"]"#),
        ("@metadata.none", #"["-", "-", "-", "-", "-", "-", "-"]"#),
        ("@metadata.list.@max.n", "[7, 7, 7, 7, 7, 7, 7]"),
        ("@parent.children.@count", #"["-", 3, "-", "-", 3, 3, "-"]"#),
    ])
    func `Each object has its outer values`(source: String, expected: String) throws {
        let metadata = table(#"{"url": "u", "list": [{"n": 7}, {"n": 3}]}"#)
        let tree = try Tree.mapping("\(source)").map(Self.nested, options: MappingOptions(metadata: metadata))
        #expect(tree.all.map { $0 ?? .null } == table(expected).array ?? [])
    }

    @Test(arguments: [
        (MappingSource.first("a", "b"), #"{"a": 1, "b": 2}"#, "1"),
        (.first("a", "b"), #"{"b": 2, "a": 1}"#, "1"),
        (.first("a", "b"), #"{"b": 2}"#, "2"),
        (.first("a", "b"), #"{"a": null, "b": 2}"#, "null"),
        (.first("a", "b"), #"{"c": 2}"#, #""-""#),
        (.first("a.b", "c.d", "e"), #"{"a": {"c": 1}, "c": 4, "e": [5]}"#, "[5]"),
        (.first("a", .metadata("m")), "{}", "6"),
        (.first(.key, .index, "a"), #"{"a": 1}"#, "1"),
        (.first(.first("a", "b"), "c"), #"{"c": 3, "b": 2}"#, "2"),
        (.first("a.@sum.n", "b"), #"{"a": [{"n": 1}, {"n": 2}]}"#, "3"),
        (.first("b", .root("a")), #"{"a": 8}"#, "8"),
        (.value, #"{"a": 1}"#, #"{"a": 1}"#),
        (.root, #"{"a": 1}"#, #"{"a": 1}"#),
        (.parent, #"{"a": 1}"#, #""-""#),
        (.metadata(""), "{}", #"{"m": 6}"#),
    ])
    func `The first present source is used, and null is present`(
        source: MappingSource, payload: String, expected: String
    ) throws {
        let found = try Found.mapping(source).map(payload, options: MappingOptions(metadata: ["m": 6]))
        #expect(found.json ?? .null == table(expected))
    }

    @Test(arguments: [
        ("@parent.id", "data.list", ElementShape.element, "[2, 2]"),
        ("@parent.@parent.id", "data.list", .element, "[1, 1]"),
        ("@parent.@parent.@parent.id", "data.list", .element, #"["-", "-"]"#),
        ("@root.id", "data.list", .element, "[1, 1]"),
        ("@key", "data.list", .element, #"["list", "list"]"#),
        ("@index", "data.list", .element, "[0, 2]"),
        ("@key", "data.by", .member, #"["x", "y"]"#),
        ("@index", "data.by", .member, #"["-", "-"]"#),
        ("@parent.y.v", "data.by", .member, #"["-", "-"]"#),
        ("@parent.by.y.v", "data.by", .member, "[6, 6]"),
        ("@parent.id", "data.by", .member, "[2, 2]"),
        ("@parent.@parent.id", "data.by", .member, "[1, 1]"),
        ("@key", "groups.list", .element, #"["list", "list", "list"]"#),
        ("@index", "groups.list", .element, "[0, 1, 0]"),
        ("@parent.id", "groups.list", .element, "[11, 11, 12]"),
        ("@parent.@parent.id", "groups.list", .element, "[1, 1, 1]"),
        ("@key", "data", .element, #"["data"]"#),
        ("@index", "data", .element, #"["-"]"#),
        ("@parent.id", "data", .element, "[1]"),
    ])
    func `Elements have the outer values of their collection`(
        source: String, keyPath: String, shape: ElementShape, expected: String
    ) throws {
        let payload = #"""
            {"id": 1, "data": {"id": 2, "list": [{"v": 3}, null, {"v": 4}], "by": {"x": {"v": 5}, "y": {"v": 6}}},
             "groups": [{"id": 11, "list": [{}, {}]}, {"list": [{}], "id": 12}]}
            """#
        let all = try Found.mapping("\(source)").mapAll(payload, at: JSONKeyPath(keyPath), each: shape)
        #expect(all.map { $0.json ?? .null } == table(expected).array ?? [])
    }

    @Test func `Lines are separate documents`() throws {
        let payload = #"{"id": 1}"# + "\n" + #"{"id": 2}"#
        let all = try Found.mapping(.root("id")).mapAll(payload, each: .line)
        #expect(all.map(\.json) == [1, 2])
        #expect(try Found.mapping(.index).mapAll(payload, each: .line).map(\.json) == [0, 1])
        #expect(try Found.mapping(.key).mapAll(payload, each: .line).map(\.json) == ["-".json, "-".json])
    }

    @Test func `The only element of an array has an index`() throws {
        #expect(try Found.mapping(.index).map("[{}]").json == 0)
        #expect(try Found.mapping(.root).map("[{}]").json == [[:]])
        #expect(try Found.mapping(.parent).map("[{}]").json == "-".json)
    }

    @Test(arguments: [
        (#"{"a\u0062c": {}}"#, "abc"),
        (#"{"\"": {}}"#, #"""#),
        (#"{"\\": {}}"#, #"\"#),
        (#"{"a\\\"b": {}}"#, #"a\"b"#),
        (#"{"a.b": {}}"#, "a.b"),
        (#"{"": {}}"#, ""),
        (#"{"ключ é 🗝": {}}"#, "ключ é 🗝"),
        (#"{"\uD83D\uDDDD": {}}"#, "🗝"),
        ("{\"a\" \n\t: \r\n {}}", "a"),
        (#"{"a{b:c,[d": {}}"#, "a{b:c,[d"),
    ])
    func `A key is unescaped`(payload: String, key: String) throws {
        struct Keyed: Mappable {
            var key = ""
            static let mapping = Mapping(Keyed.init) { Attribute(.key, \.key) }
        }
        struct Holder: Mappable {
            var members: [Keyed] = []
            static let mapping = Mapping(Holder.init) { Relationship(.value, \.members, each: .member) }
        }
        #expect(try Holder.mapping.map(payload).members.map(\.key) == [key])
        #expect(try Keyed.mapping.mapAll(payload, each: .member).map(\.key) == [key])
    }

    @Test func `The last value of a repeated outer key is used`() throws {
        let tree = try Tree.mapping("@parent.id").map(#"{"id": 1, "child": {}, "id": 2}"#)
        #expect(tree.all == ["-".json, 2])
    }

    @Test func `An object read a second time has the same parents, key and index`() throws {
        struct Part: Mappable, Equatable {
            var id = 0
            var parent = 0
            var key = ""
            var index = -1
            static let mapping = Mapping(Part.init) {
                Attribute("id", \.id)
                Attribute("@parent.id", \.parent)
                Attribute(.key, \.key)
                Attribute(.index, \.index)
            }
        }
        struct Element: Mappable {
            var part = Part()
            static let mapping = Mapping(Element.init) { Relationship(.value, \.part) }
        }
        struct Whole: Mappable {
            var elements: [Element] = []
            static let mapping = Mapping(Whole.init) { Relationship("elements", \.elements) }
        }
        let whole = try Whole.mapping.map(#"{"id": 7, "elements": [{"id": 1}, {"id": 2}]}"#)
        #expect(
            whole.elements.map(\.part) == [
                Part(id: 1, parent: 7, key: "elements", index: 0), Part(id: 2, parent: 7, key: "elements", index: 1),
            ])
    }

    @Test func `Outer values are converted like others, objects become models`() throws {
        struct Note: Mappable {
            var count = 0
            var due: Date?
            var link: URL?
            var owner: Owner?
            var owners: [Owner] = []
            static let mapping = Mapping(Note.init) {
                Attribute(.key, \.count)
                Attribute("@root.due", \.due)
                Attribute(.metadata("link"), \.link)
                Relationship("@root.owner", \.owner)
                Relationship(.metadata("owners"), \.owners)
            }
        }
        struct Owner: Mappable {
            var name = ""
            static let mapping = Mapping(Owner.init) { Attribute("name", \.name) }
        }
        let notes = try Note.mapping.mapAll(
            #"{"due": "1970-01-01T00:00:07Z", "owner": {"name": "Ada"}, "notes": {"12": {}}}"#, at: "notes",
            each: .member,
            options: MappingOptions(metadata: table(#"{"link": "https://a.b", "owners": [{"name": "Bob"}]}"#)))
        #expect(notes.map(\.count) == [12])
        #expect(notes[0].due == Date(timeIntervalSince1970: 7))
        #expect(notes[0].link?.host() == "a.b")
        #expect(notes[0].owner?.name == "Ada")
        #expect(notes[0].owners.map(\.name) == ["Bob"])
    }

    @Test func `Models are created with outer values`() throws {
        final class Member: Mappable {
            let name: String
            let team: String
            init(_ values: Found) { (name, team) = (values.name, values.team) }
            struct Found: Mappable {
                var name = ""
                var team = ""
                static let mapping = Mapping(Found.init) {
                    Attribute(.key, \.name)
                    Attribute("@parent.team", \.team)
                }
            }
            static let mapping = Mapping(Member.init, from: Found.mapping)
        }
        struct Team: Mappable {
            var members: [Member] = []
            static let mapping = Mapping(Team.init) { Relationship("members", \.members, each: .member) }
        }
        let team = try Team.mapping.map(#"{"members": {"ada": {}, "bob": {}}, "team": "red"}"#)
        #expect(team.members.map { "\($0.name) \($0.team)" } == ["ada red", "bob red"])
    }

    @Test func `An update reads outer values, too`() throws {
        let tree = Tree()
        try Tree.mapping("@metadata.id").update(
            tree, from: #"{"child": {}}"#, options: MappingOptions(metadata: ["id": 4]))
        #expect(tree.all == [4, 4])
    }

    @Test func `An array of scalars becomes models`() throws {
        struct Tag: Mappable, Equatable {
            var id = 0
            var index = 0
            static let mapping = Mapping(Tag.init) {
                Attribute(.value, \.id)
                Attribute(.index, \.index)
            }
        }
        struct Item: Mappable {
            var tags: [Tag] = []
            static let mapping = Mapping(Item.init) { Relationship("tags", \.tags) }
        }
        let expected = [Tag(id: 4, index: 0), Tag(id: 7, index: 1)]
        #expect(try Tag.mapping.mapAll("[4, 7]") == expected)
        #expect(try Item.mapping.map(#"{"tags": [4, 7]}"#).tags == expected)
    }

    @Test func `A value given as JSON has the same context as its text`() throws {
        let tree = try Tree.mapping("@parent.id").map(table(Self.nested))
        #expect(tree.all == ["-".json, 1, 2, "-".json, 1, 1, "-".json])
    }
}

extension String {
    fileprivate var json: JSON { .string(self) }
}
