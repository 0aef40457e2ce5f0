import ObjectMapping
import Testing

/// The positions of issues in values that a key path collects from arrays.
@Suite struct ArrayPathPlacesTests {
    private static let union = "; did you mean 'labels.@unionOfObjects.name'?"

    @Test(arguments: [
        (
            #"{"rows": [{"item": {"id": 1}},\#n {"item": {"id": "x"}}]}"#,
            "2:18 $.rows[1].item.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Item.id)"
        ),
        (
            #"{"rows": [{"item": {"id": 1}},\#n {"item": 7}]}"#,
            "2:11 $.rows[1].item: expected an object, found a number (rule rows.item -> Sheet.items)"
        ),
        (
            #"{"rows": [{"item": {}}, {"item": {"parts": [{"id": 1},\#n {"id": {}}]}}]}"#,
            "2:9 $.rows[1].item.parts[1].id: expected an integer, found an object (rule parts.id -> Item.parts)"
        ),
        (
            #"{"labels": [{"name": "a"},\#n {"name": {}}]}"#,
            "2:11 $.labels[1].name: expected a string, found an object (rule labels.name -> Sheet.names)"
        ),
        (
            #"{"labels": [{"name": "a"},\#n {"name": null}]}"#,
            "2:11 $.labels[1].name: expected a string, found null (rule labels.name -> Sheet.names)" + Self.union
        ),
        (
            #"{"labels": [{"name": "a"},\#n {"nam": "b"}]}"#,
            "2:2 $.labels[1].name: expected a string, found no such key (rule labels.name -> Sheet.names)" + Self.union
        ),
        (
            #"{"deep": {"list": [{"a": {"n": 1}},\#n {"a": {"n": 1.5}}]}}"#,
            "2:14 $.deep.list[1].a.n: expected an integer, found a number with a fraction (rule deep.list.a.n -> Sheet.deep)"
        ),
        (
            #"{"tags": [{"id": null}, {},\#n {"id": "1x"}, {"id": 3}]}"#,
            "2:9 $.tags[2].id: expected an integer, found a string that cannot be converted to an integer (rule tags.@unionOfObjects.id -> Sheet.tags)"
        ),
        (
            #"{"sets": [{"ids": [1, 2]}, {"ids": [2,\#n "x", 1]}]}"#,
            "2:2 $.sets[1].ids[1]: expected an integer, found a string that cannot be converted to an integer (rule sets.@distinctUnionOfArrays.ids -> Sheet.sets)"
        ),
        (
            #"{"most": [{"n": "a"},\#n {"n": "b"}]}"#,
            "2:8 $.most[1].n: expected an integer, found a string that cannot be converted to an integer (rule most.@max.n -> Sheet.most)"
        ),
        (
            #"{"sums": [{"n": 1},\#n {"n": "b"}]}"#,
            "2:8 $.sums[1].n: expected a number, found a string (rule sums.@sum.n -> Sheet.sums)"
        ),
        (
            #"{"rows": [{"item": {}},\#n {"item": {"most": [{"n": 1}, {"n": {}}]}}]}"#,
            "2:37 $.rows[1].item.most[1].n: expected a number, as before it, found an object (rule most.@max.n -> Item.most)"
        ),
    ])
    func `An issue in an array that a key path goes through has the element's path and position`(
        text: String, expected: String
    ) {
        #expect(issues { _ = try Sheet.mapping.map(text) } == expected)
    }

    @Test func `An issue of an operator on null is at the null, also in what an operator collected`() {
        let text = #"{"b": [{"b": [{"b": null}]}]}"#
        let expected = "1:21 $.b[0].b[0].b: expected an array of objects, found null"
        #expect(issues { _ = try Branch.mapping.map(text) } == expected + " (rule b.@unionOfObjects -> Branch.b)")
    }

    @Test func `A missing object of flat keys has the position of the collected element`() {
        let text = #"{"all": [{"x": 1}, {"y": 2}]}"#
        let expected = "1:20 $.all[1]: expected at least one key of the object, found no such key"
        #expect(issues { _ = try Points.mapping.map(text) } == expected + " (rule the value -> Place.point)")
    }

    @Test func `Each of several bad elements is reported`() {
        let text = #"[{"labels": [{"name": [1]}, {"name": "b"}, {"name": true}, {}]}]"#
        let found = issues { _ = try Sheet.mapping.mapAll(text) }.split(separator: "\n").map { $0.prefix(24) }
        #expect(found == ["1:23 $[0].labels[0].name", "1:60 $[0].labels[3].name"])
    }
}

private struct Item: Mappable {
    var id = 0
    var parts: [Int] = []
    var most = 0
    static let mapping = Mapping(Item.init) {
        Attribute("id", \.id)
        Attribute("parts.id", \.parts)
        Attribute("most.@max.n", \.most)
    }
}

private struct Branch: Mappable {
    var b: [Branch] = []
    static let mapping = Mapping(Branch.init) {
        Relationship("b.@unionOfObjects", \.b).required
    }
}

private struct Points: Mappable {
    struct Place: Mappable {
        var point: Point?
        static let mapping = Mapping(Place.init) { Relationship(.value, \.point).required }
    }

    struct Point: Mappable {
        var x = 0
        static let mapping = Mapping(Point.init) { Attribute("x", \.x) }
    }

    var all: [Place] = []
    static let mapping = Mapping(Points.init) { Relationship("all.@unionOfObjects", \.all) }
}

private struct Sheet: Mappable {
    var items: [Item] = []
    var names: [String] = []
    var deep: [Int] = []
    var tags: [Int] = []
    var sets: [Int] = []
    var most = 0
    var sums = 0

    static let mapping = Mapping(Sheet.init) {
        Relationship("rows.item", \.items)
        Attribute("labels.name", \.names)
        Attribute("deep.list.a.n", \.deep)
        Attribute("tags.@unionOfObjects.id", \.tags)
        Attribute("sets.@distinctUnionOfArrays.ids", \.sets)
        Attribute("most.@max.n", \.most)
        Attribute("sums.@sum.n", \.sums)
    }
}
