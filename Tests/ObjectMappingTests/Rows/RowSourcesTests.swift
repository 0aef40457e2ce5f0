import ObjectMapping
import Testing

struct RowSourcesTests {
    private static func entity(_ attributes: RowAttribute...) -> [RowEntity] {
        [RowEntity(name: "E", attributes: attributes, relationships: [])]
    }

    @Test func `A column is extracted from a string by the first capture`() throws {
        let entities = Self.entity(
            column("country", from: "parent", match: "^([A-Z]{2})-"),
            column("number", "integer", from: "parent", match: "-(\\d+)$"))
        expectTexts(
            try rowTexts(
                of:
                    #"[{"parent": "DE-12"}, {"parent": "\u0044E-x"}, {"parent": "de-"}, {"parent": null}, {"parent": 5}, {}]"#
                    .utf8, entities),
            [
                #"E(country: "DE", number: 12)"#, #"E(country: "DE")"#, "E()", "E(country: null, number: null)", "E()",
                "E()",
            ])
        expectTexts(
            try rowTexts(of: #"[{"parent": []}]"#.utf8, entities),
            [
                """
                1:13 $[0].parent: expected a string, found an array (rule parent -> E.country)
                1:13 $[0].parent: expected a string, found an array (rule parent -> E.number)
                """
            ])
    }

    @Test func `An extracted value is converted, and can be required`() throws {
        let entities = Self.entity(
            RowAttribute(
                name: "n", type: AttributeType(.integer), source: .path("t"), isRequired: true, pattern: "n=(.*)"))
        expectTexts(
            try rowTexts(of: #"[{"t": "n=5"}, {"t": "n=x"}, {"t": "m"}, {}]"#.utf8, entities),
            [
                "E(n: 5)",
                "1:22 $[1].t: expected an integer, found a string that cannot be converted to an integer (rule t -> E.n)",
                "1:30 $[2]: expected a value for 'n', found no value (rule t -> E.n)",
                "1:42 $[3]: expected a value for 'n', found no value (rule t -> E.n)",
            ])
    }

    @Test func `A column is joined from several values`() throws {
        let entities = Self.entity(
            column("a"),
            RowAttribute(
                name: "key", type: AttributeType(.string), source: .joined(["a", "b.c", "n"], separator: "-"),
                isRequired: true),
            RowAttribute(name: "sum", type: AttributeType(.integer), source: .joined(["n", "n"], separator: "")))
        expectTexts(
            try rowTexts(of: #"[{"n": 5, "b": {"c": "\u0079"}, "a": "x"}]"#.utf8, entities),
            [#"E(a: "x", key: "x-y-5", sum: 55)"#])
        expectTexts(
            try rowTexts(of: #"[{"n": 5, "b": {"c": null}, "a": "x"}]"#.utf8, entities),
            ["1:2 $[0]: expected a value for 'key', found no value (rule a + b.c + n -> E.key)"])
    }

    @Test func `Each joined value can be extracted from a string, and so can the result`() throws {
        let entities = Self.entity(
            RowAttribute(
                name: "full", type: AttributeType(.string),
                source: .joined(
                    [RowPart("code", pattern: "^(..)-"), RowPart("up", pattern: "^([^-]+)$")], separator: "-")
            ),
            RowAttribute(
                name: "n", type: AttributeType(.integer), source: .joined(["code", "up"], separator: "/"),
                pattern: "([0-9]+)/"))
        expectTexts(
            try rowTexts(
                of:
                    #"[{"code": "AZ-7", "up": "NX"}, {"up": "GB-N", "code": "GB-12"}, {"code": "AZ", "up": "X"}, {"code": "AZ-1"}]"#
                    .utf8, entities),
            [#"E(full: "AZ-NX", n: 7)"#, "E(n: 12)", "E()", "E()"])
        expectTexts(
            try rowTexts(of: #"[{"code": ["AZ-1"], "up": "x"}]"#.utf8, entities),
            [
                """
                1:11 $[0].code: expected a string, found an array (rule code -> E.full)
                1:11 $[0].code: expected a string, found an array (rule code -> E.n)
                """
            ])
    }

    @Test func `A column can be extracted from the member's name`() throws {
        let entities = Self.entity(
            RowAttribute(name: "key", type: AttributeType(.integer), source: .memberName, pattern: "^k([0-9]+)$"))
        expectTexts(
            try rowTexts(of: #"{"k1": {}, "k": {}, "k22": {}}"#.utf8, entities, shape: .member),
            ["E(key: 1)", "E()", "E(key: 22)"])
    }

    @Test func `The member's name is a column if elements are members`() throws {
        let entities = Self.entity(
            RowAttribute(name: "key", type: AttributeType(.integer), source: .memberName, isRequired: true), column("n")
        )
        let text = #"{"data": {"1": {"n": "a"}, "\u0032": {}, "x": {}, "4": null, "5": 7}}"#
        for size in [5, 64, 4096] {
            expectTexts(
                try rowTexts(of: text.utf8, entities, at: "data", shape: .member, windowSize: size, chunk: 3),
                [
                    #"E(key: 1, n: "a")"#, "E(key: 2)",
                    "1:47 $.data.x: expected an integer, found a string that cannot be converted to an integer (rule @key -> E.key)",
                    "1:56 $.data.4: expected an object, found null",
                    "1:67 $.data.5: expected an object, found a number",
                ])
        }
        expectTexts(
            try rowTexts(of: "[{}]".utf8, entities),
            ["1:2 $[0]: expected a value for 'key', found no value (rule @key -> E.key)"])
    }

    @Test func `The value itself can be a column`() throws {
        let entities = Self.entity(column("id", "integer", from: ""), column("name", from: "name"))
        expectTexts(
            try rowTexts(of: "[4, \"7\", 9]".utf8, entities, windowSize: 4, chunk: 1),
            ["E(id: 4)", "E(id: 7)", "E(id: 9)"])
        let strict = Self.entity(column("id", "integer", from: ""), column("name", required: true))
        expectTexts(
            try rowTexts(of: "[4]".utf8, strict),
            ["1:2 $[0].name: expected the key 'name', found no such key (rule name -> E.name)"])
    }

    @Test func `Columns required through a path or by an operator are missed`() throws {
        let entities = Self.entity(
            column("city", from: "place.city", required: true),
            column("count", "integer", from: "list.@count", required: true))
        expectTexts(
            try rowTexts(of: #"[{"place": {"city": "a"}, "list": []}]"#.utf8, entities), [#"E(city: "a", count: 0)"#])
        for text in [
            #"[{"list": []}]"#, #"[{"place": {}, "list": []}]"#, #"[{"place": 5, "list": []}]"#,
            #"[{"place": {"city": "a"}}]"#, #"[{"place": {"city": null}, "list": []}]"#,
        ] {
            #expect(try rowTexts(of: text.utf8, entities)[0].contains("expected"), "\(text)")
        }
    }

    @Test func `A key from which several required columns read is missed once`() throws {
        let entities = Self.entity(
            column("city", from: "place.city", required: true), column("code", from: "place.code", required: true),
            column("count", "integer", from: "place.@count", required: true))
        expectTexts(
            try rowTexts(of: #"[{}, {"place": {}}, {"place": 5}]"#.utf8, entities),
            [
                "1:2 $[0].place: expected the key 'place', found no such key (rule place.city -> E.city)",
                """
                1:16 $[1].place.city: expected the key 'city', found no such key (rule place.city -> E.city)
                1:16 $[1].place.code: expected the key 'code', found no such key (rule place.code -> E.code)
                """,
                """
                1:21 $[2]: expected a value for 'count', found no value (rule place.@count -> E.count)
                1:31 $[2].place: expected an object, found a number (rule place.city -> E.city)
                """,
            ])
    }

    @Test func `A required column can be the whole object`() throws {
        let entities = Self.entity(
            column("all", "json", from: "", required: true), column("count", "integer", from: "@count", required: true),
            RowAttribute(
                name: "key", type: AttributeType(.string), source: .joined(["a", "@count"], separator: "-"),
                isRequired: true))
        expectTexts(
            try rowTexts(of: #"[{"a": "x"}]"#.utf8, entities), [#"E(all: "{\"a\":\"x\"}", count: 1, key: "x-1")"#])
    }

    @Test func `A required column that is null for any reason is missed`() throws {
        let entities = Self.entity(
            column("least", "integer", from: "list.@min", required: true),
            column("code", required: true, match: "^(..)"))
        expectTexts(
            try rowTexts(of: #"[{"list": [], "code": null}, {"list": null, "code": "ab"}]"#.utf8, entities),
            [
                """
                1:2 $[0]: expected a value for 'least', found no value (rule list.@min -> E.least)
                1:2 $[0]: expected a value for 'code', found no value (rule code -> E.code)
                """, "1:30 $[1]: expected a value for 'least', found no value (rule list.@min -> E.least)",
            ])
    }

    @Test func `A required column is missed in each row, despite other issues`() throws {
        let entities = [
            RowEntity(
                name: "E",
                attributes: [
                    column("code", from: "a.code", required: true, match: "^([A-Z])"),
                    column("least", "integer", from: "list.@min", required: true),
                ],
                relationships: [RowRelationship(name: "part", path: "part", destination: 0, isToMany: false)])
        ]
        expectTexts(
            try rowTexts(
                of: #"[{"a": {"code": "1", "code": "2"}, "list": [3], "part": {"a": {"code": "X"}}}, {"part": {}}]"#
                    .utf8, entities),
            [
                """
                1:2 $[0]: expected a value for 'code', found no value (rule a.code -> E.code)
                1:22 $[0].a.code: expected unique keys, found a duplicate key (rule a.code -> E.code)
                1:57 $[0].part: expected a value for 'least', found no value (rule list.@min -> E.least)
                """,
                """
                1:80 $[1]: expected a value for 'code', found no value (rule a.code -> E.code)
                1:80 $[1]: expected a value for 'least', found no value (rule list.@min -> E.least)
                1:89 $[1].part: expected a value for 'code', found no value (rule a.code -> E.code)
                1:89 $[1].part: expected a value for 'least', found no value (rule list.@min -> E.least)
                """,
            ])
    }

    @Test func `Strings of operators outlive their source value`() throws {
        let entities = Self.entity(
            column("first", from: "list.@min.name"), column("all", "[string]", from: "list.@unionOfObjects.name"),
            column("last", from: "list.@max.name"))
        let names = (0..<50).map { "{\"name\": \"name \($0 + 10)\"}" }.joined(separator: ",")
        let all = (0..<50).map { "\\\"name \($0 + 10)\\\"" }.joined(separator: ",")
        expectTexts(
            try rowTexts(of: "{\"list\": [\(names)]}".utf8, entities),
            [
                "E(first: \"name 10\", all: \"[\(all)]\", last: \"name 59\")"
            ])
    }

    @Test func `Mistakes in key paths are reported together`() {
        expectIssues(
            """
            expected a collection operator, found '@cuont' in the key path 'a.@cuont' (rule a.@cuont -> E.n); did you mean '@count'?
            expected a key, found an empty component in the key path 'a..b' (rule a..b -> E.m)
            """
        ) { _ = try RowPlan(entities: Self.entity(column("n", from: "a.@cuont"), column("m", from: "a..b"))) }
    }
}
