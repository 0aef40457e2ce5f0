import ObjectMapping
import Testing

struct KeyPathRulesTests {
    private static let text = """
        {"id": 7, "a.b": 1, "@odd": 2, "x\\"y": 3, "\\u00e9t\\u00e9": 4, "": 5,
         "list": [{"n": 1, "tag": "x", "sub": {"k": "a"}}, {"n": 2, "sub": {"k": "b"}}, {"n": 4, "tag": "x", "sub": null}],
         "matrix": [[1, 2], [2, 3]], "one": {"n": 9, "sub": {"k": "z"}}, "none": null, "flat": "text"}
        """

    private static func box(@MappingBuilder<Box> _ rules: () -> [RuleDefinition<Box>]) throws -> Box {
        try Mapping(Box.init, rules).map(text, options: MappingOptions(requiresMappedKey: false))
    }

    @Test(
        arguments: [
            ("id", 7), ("a\\.b", 1), ("\\@odd", 2), ("x\"y", 3), ("\u{E9}t\u{E9}", 4), ("one.n", 9), ("list.@count", 3),
            ("list.@sum.n", 7), ("list.@max.n", 4), ("list.@min.n", 1), ("@count", 11), ("none.@count", -1),
            ("nothing.@sum.n", -1),
            ("flat.n", -1), ("one.nothing", -1), ("none.n", -1),
        ] as [(String, Int)])
    func `A key path finds a number`(path: String, value: Int) throws {
        #expect(try Self.box { Attribute(MappingSource(JSONKeyPath(path)), \.int) }.int == value)
    }

    @Test func `Components of a key path are used verbatim`() throws {
        #expect(try Self.box { Attribute(["a.b"], \.int) }.int == 1)
        #expect(try Self.box { Attribute(["@odd"], \.int) }.int == 2)
        #expect(try Self.box { Attribute([""], \.int) }.int == 5)
    }

    @Test func `A path through an array returns the values of its elements`() throws {
        let box = try Self.box {
            Attribute("list.n", \.ints)
            Attribute("list.@unionOfObjects.tag", \.texts)
            Attribute("list.sub.k", \.json)
            Attribute("matrix.@distinctUnionOfArrays", \.payments.ints)
        }
        #expect(box.ints == [1, 2, 4])
        #expect(box.texts == ["x", "x"])
        #expect(box.json?.text == #"["a","b",null]"#)
        #expect(box.payments.ints == [1, 2, 3])
    }

    @Test func `A relationship, levels and operators can share a member`() throws {
        let box = try Self.box {
            Relationship("list", \.payments, Mapping(Payment.init) { Attribute("n", \.id) })
            Attribute("list.@avg.n", \.double)
            Attribute("list.n", \.ints)
            Attribute("list", \.json)
            Attribute("list.@count", \.int)
        }
        #expect(box.payments.map(\.id) == [1, 2, 4])
        #expect(abs(box.double - 7.0 / 3) < 1e-12)
        #expect(box.ints == [1, 2, 4])
        #expect(box.json?.array?.count == 3)
        #expect(box.int == 3)
    }

    @Test func `A relationship can have a path through arrays`() throws {
        struct Child: Mappable {
            var key = ""
            static let mapping = Mapping(Child.init) { Attribute("k", \.key) }
        }
        struct Parent: Sendable { var children: [Child] = [] }
        let mapping = Mapping(Parent.init) { Relationship("list.sub", \.children) }
        #expect(try mapping.map(Self.text).children.map(\.key) == ["a", "b"])
    }

    @Test func `Several rules can read one key`() throws {
        let box = try Self.box {
            Attribute("id", \.int)
            Attribute("id", \.text)
            Attribute("id", \.ints)
            Attribute("one.n", \.double)
            Attribute("one", \.json)
        }
        #expect(box.int == 7 && box.text == "7" && box.ints == [7] && box.double == 9)
        #expect(box.json?.text == #"{"n":9,"sub":{"k":"z"}}"#)
    }

    @Test func `The empty path is the value itself`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("", \.json)
            Attribute("id", \.int)
        }
        let box = try mapping.map(#"{"id": 3}"#)
        #expect(box.int == 3 && box.json?.text == #"{"id":3}"#)
        #expect(try Mapping(Box.init) { Attribute("", \.ints) }.mapAll("[[1, 2], 3]").map(\.ints) == [[1, 2], [3]])
        #expect(try Mapping(Box.init) { Attribute("@sum", \.int) }.map("[1, 2, 3]").int == 6)
        #expect(
            try Mapping(Box.init) { Relationship("", \.payment, Payment.mapping) }.map(#"{"id": 3}"#).payment?.id == 3)
    }

    @Test func `Rules can contain if and for`() throws {
        for isWide in [true, false] {
            let mapping = Mapping(Box.init) {
                if isWide { Attribute("wide", \.int) } else { Attribute("narrow", \.int) }
                if isWide { Attribute("t", \.text) }
                for path in ["a", "b"] { Attribute(MappingSource(JSONKeyPath(path)), \.texts) }
            }
            let box = try mapping.map(#"{"wide": 1, "narrow": 2, "t": "t", "b": ["x"]}"#)
            #expect(box.int == (isWide ? 1 : 2) && box.text == (isWide ? "t" : "-") && box.texts == ["x"])
        }
    }

    @Test func `Invalid values of operators are issues`() {
        let mapping = Mapping(Box.init) {
            Attribute("list.@sum.tag", \.int)
            Attribute("list.@count", \.texts)
            Attribute("one.@sum.n", \.double)
        }
        expectIssues("3:19 $.list[0].tag: expected a number, found a string (rule list.@sum.tag -> Box.int)") {
            _ = try mapping.map("{\n\n \"list\": [{\"tag\": \"x\"}]}")
        }
    }

    @Test func `A mapping can have more than 64 rules`() throws {
        let mapping = Mapping(Box.init) {
            for number in 0..<200 { Attribute("k\(number)", \.ints) }
            Attribute("must", \.int).required
            Attribute("also.must", \.text).required
            Attribute("last", \.optional)
        }
        #expect(try mapping.map(#"{"k150": 5, "must": 1, "also": {"must": "x"}}"#).ints == [5])
        var report = MappingReport()
        let text = #"{"last": "a", "last": "b", "also": {"must": "x"}, "must": 1, "must": 2}"#
        let box = try mapping.map(text, report: &report)
        #expect(box.optional == "b" && box.int == 2)
        #expect(report.warnings.map(\.path) == ["$.last", "$.must"])
        for text in ["{}", #"{"k1": 1}"#, #"{"k199": 1, "mist": 5}"#] {
            let found = issues { _ = try mapping.map(text) }.split(separator: "\n")
            #expect(found.count == 2)
            #expect(found.first?.contains("$.must: expected the key 'must', found no such key") == true)
            #expect(found.last?.contains("$.also: expected the key 'also', found no such key") == true)
        }
    }

    @Test func `Wide mappings can be nested`() throws {
        let inner = Mapping(Payment.init) {
            for number in 0..<100 { Attribute("x\(number)", \.amount) }
            Attribute("id", \.id).required
        }
        let outer = Mapping(Box.init) {
            for number in 0..<100 { Attribute("k\(number)", \.ints) }
            Relationship("list", \.payments, inner)
            Attribute("must", \.int).required
        }
        let box = try outer.map(#"{"k99": 1, "list": [{"id": 1, "x99": 2}, {"id": 2}], "must": 3}"#)
        #expect(box.payments == [Payment(id: 1, amount: 2), Payment(id: 2)] && box.int == 3)
        expectIssues("1:24 $.list[1].id: expected the key 'id', found no such key (rule id -> Payment.id)") {
            _ = try outer.map(#"{"list": [{"id": 1}, {}], "must": 3}"#.replacing("{}", with: "  {}"))
        }
    }
}

extension [Payment] {
    /// A list of numbers as the amounts of payments.
    fileprivate var ints: [Int] {
        get { map(\.id) }
        set { self = newValue.map { Payment(id: $0) } }
    }
}
