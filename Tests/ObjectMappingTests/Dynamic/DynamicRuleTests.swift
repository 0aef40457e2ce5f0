import ObjectMapping
import Testing

private struct Drawing: Equatable {
    var one = Shape.circle(Circle(radius: 1))
    var maybe: Shape? = .circle(Circle(radius: 2))
    var many: [Shape] = [.circle(Circle(radius: 3))]
    var some: [Shape]? = []
    var set: Set<Shape> = []
    var few: Set<Shape>? = []

    @MatchBuilder<Shape> static var cases: [Match<Shape>] {
        Match("t", is: "c", Circle.mapping, Shape.circle)
        Match("t", is: "r", Rectangle.mapping, Shape.rectangle)
        Match("t", is: "?", .decline)
    }

    static let mapping = Mapping(Drawing.init) {
        Dynamic("one", \.one) {
            Match("t", is: "c", Circle.mapping, Shape.circle)
            Match("t", is: "r", Rectangle.mapping, Shape.rectangle)
            Otherwise(.decline)
        }
        Dynamic("maybe", \.maybe) { for match in cases { match } }
        Dynamic("many", \.many) { for match in cases { match } }
        Dynamic("some", \.some) { for match in cases { match } }
        Dynamic("set", \.set) { for match in cases { match } }
        Dynamic("few", \.few) { for match in cases { match } }
    }
}

struct DynamicRuleTests {
    @Test func `A dynamic rule fills one, an optional, an array and a set`() throws {
        let circle = #"{"t": "c", "radius": 9}"#
        let shape = Shape.circle(Circle(radius: 9))
        let all = try Drawing.mapping.map(
            """
            {"one": \(circle), "maybe": \(circle), "many": [\(circle), null, \(circle)], "some": \(circle),
             "set": [\(circle), \(circle)], "few": [\(circle)]}
            """)
        #expect(
            all == Drawing(one: shape, maybe: shape, many: [shape, shape], some: [shape], set: [shape], few: [shape]))
        let nulls = try Drawing.mapping.map(
            #"{"one": null, "maybe": null, "many": null, "some": null, "set": null, "few": null}"#)
        #expect(nulls == Drawing(maybe: nil, some: nil, few: nil))
        #expect(try Drawing.mapping.map("{}") == Drawing())
    }

    @Test func `Declined values are skipped in lists and leave a property unchanged`() throws {
        let other = #"{"t": "?"}"#
        let circle = #"{"t": "c", "radius": 9}"#
        let drawing = try Drawing.mapping.map(
            """
            {"one": \(other), "maybe": \(other), "many": [\(other), \(circle), \(other)], "some": \(other),
             "set": [\(other)], "few": [\(circle), \(other)]}
            """)
        #expect(
            drawing
                == Drawing(many: [.circle(Circle(radius: 9))], few: [.circle(Circle(radius: 9))]))
        let mapping = Mapping<Shape>(matching: {
            Match("type", is: "circle", Circle.mapping, Shape.circle)
            Otherwise(.decline)
        })
        #expect(try mapping.mapAll(#"[{}, {"type": "circle"}, 5, {"type": 1}]"#) == [.circle(Circle())])
    }

    @Test func `A declined value is an issue if a value is required`() {
        let mapping = Mapping<Circle>(matching: {
            Match("type", is: "circle", Circle.mapping)
            Otherwise(.decline)
        })
        expectIssues(
            "1:1 $: expected a value that is mapped to a Circle, found a value for which the mapping creates no model"
        ) {
            _ = try mapping.map("{}")
        }
        expectIssues("1:1 $: expected a value for the update, found a declined value") {
            var circle = Circle()
            try mapping.update(&circle, from: "{}")
        }
        struct Holder {
            let circle: Circle
        }
        let holder = Mapping(Holder.self, Holder.init, Parameter("c", by: mapping))
        expectIssues("1:1 $: expected a value for each argument of Holder, found a declined value") {
            _ = try holder.map(#"{"c": {}}"#)
        }
    }

    @Test func `An update changes the existing model by the matching mapping`() throws {
        let mapping = Mapping<Circle>(matching: {
            Match("unit", is: "mm", Mapping(Circle.init) { Attribute("r", \.radius) })
            Match(wrappedIn: "circle", Circle.mapping)
            Match(
                where: { $0["made"].exists }, Mapping({ (value: Double) in Circle(radius: value) }, from: .only("made"))
            )
        })
        var circle = Circle(radius: 1)
        try mapping.update(&circle, from: #"{"unit": "mm", "r": 2}"#)
        #expect(circle.radius == 2)
        try mapping.update(&circle, from: #"{"circle": {"radius": 3}, "x": 1}"#)
        #expect(circle.radius == 3)
        expectIssues(
            "expected a mapping that sets properties of the Circle, for `update`, "
                + "found a mapping with an initializer; use `map` instead"
        ) { try mapping.update(&circle, from: #"{"made": 4}"#) }
        #expect(circle.radius == 3)
    }

    @Test func `An update of an object needs the mapping of its class`() throws {
        let humans = Mapping<Human>(matching: {
            Match("type", is: "Boy", Boy.boy) { $0 }
            Match("type", is: "Girl", Girl.girl) { $0 }
        })
        let boy = Boy()
        try humans.update(boy, from: #"{"type": "Boy", "plays": "go"}"#)
        #expect(boy.plays == "go")
        expectIssues(
            "expected a mapping that sets properties of the Human, for `update`, "
                + "found a mapping with an initializer; use `map` instead"
        ) { try humans.update(boy, from: #"{"type": "Girl", "reads": "x", "name": "y"}"#) }
        #expect(boy.name.isEmpty)
    }

    @Test func `A repeated key replaces the first value`() throws {
        var report = MappingReport()
        let drawing = try Drawing.mapping.map(
            #"{"many": [{"t": "c"}], "many": [], "one": {"t": "c"}, "one": null}"#, report: &report)
        #expect(drawing.many.isEmpty && drawing.one == Drawing().one && report.warnings.count == 2)
    }
}

extension Mapping where Model == Double {
    fileprivate static func only(_ source: MappingSource) -> Mapping<Double> {
        Mapping({ 0.0 }) { Attribute(source, \.self) }
    }
}
