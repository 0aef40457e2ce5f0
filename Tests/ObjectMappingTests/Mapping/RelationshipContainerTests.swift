import ObjectMapping
import Testing

@Suite struct RelationshipContainerTests {
    struct Point: Mappable, Hashable {
        var x = 0
        init(_ x: Int = 0) { self.x = x }
        static let mapping = Mapping({ Point() }) { Attribute("x", \.x) }
    }

    struct Chart: Mappable, Equatable {
        var gaps: [Point?] = []
        var rows: [[Point]] = []
        var names: [String: Point] = [:]
        var maybeNames: [String: Point]?
        var maybeSet: Set<Point>?

        static let mapping = Mapping(Chart.init) {
            Relationship("gaps", \.gaps)
            Relationship("rows", \.rows)
            Relationship("names", \.names)
            Relationship("maybe_names", \.maybeNames)
            Relationship("set", \.maybeSet)
        }

        static let custom = Mapping(Chart.init) {
            Relationship("names", \.names, Point.mapping)
            Relationship("maybe_names", \.maybeNames, Point.mapping)
            Relationship("set", \.maybeSet, Point.mapping)
        }
    }

    @Test func `Containers of containers of objects are read and written`() throws {
        let text = """
            {"gaps":[{"x":1},null],"rows":[[{"x":1},{"x":2}],[]],"names":{"a":{"x":1},"b":{"x":2}},\
            "maybe_names":{"c":{"x":3}},"set":[{"x":4}]}
            """
        let chart = try Chart.mapping.map(text)
        #expect(chart.gaps == [Point(1), nil])
        #expect(chart.rows == [[Point(1), Point(2)], []])
        #expect(chart.names == ["a": Point(1), "b": Point(2)])
        #expect(chart.maybeNames == ["c": Point(3)])
        #expect(chart.maybeSet == [Point(4)])
        #expect(String(decoding: try Chart.mapping.serialize(chart), as: UTF8.self) == text)
    }

    @Test(arguments: [Chart.mapping, Chart.custom])
    func `A dictionary of objects skips null members, and null clears it`(mapping: Mapping<Chart>) throws {
        var chart = try mapping.map(#"{"names": {"a": null, "b": {"x": 2}}, "maybe_names": {}}"#)
        #expect(chart.names == ["b": Point(2)] && chart.maybeNames == [:])
        try mapping.update(&chart, from: #"{"names": null, "maybe_names": null, "set": null}"#)
        #expect(chart == Chart())
    }

    @Test(arguments: [
        (
            #"{"names": {"a": {"x": "b"}}}"#,
            "1:23 $.names.a.x: expected an integer, found a string that cannot be converted to an integer (rule x -> Point.x)"
        ),
        (#"{"names": [1]}"#, "1:11 $.names: expected an object, found an array (rule names -> Chart.names)"),
        (#"{"names": {"a": 1}}"#, "1:17 $.names.a: expected an object, found a number (rule names -> Chart.names)"),
        (
            #"{"rows": [[{"x": 1}, 2]]}"#,
            "1:22 $.rows[0][1]: expected an object, found a number (rule rows -> Chart.rows)"
        ),
    ])
    func `Issues in nested containers name the element`(text: String, expected: String) {
        expectIssues(expected) { _ = try Chart.mapping.map(text) }
    }
}
