import ObjectMapping
import Testing

private struct Trip: Mappable {
    var id = 7
    var title: String? = "-"
    var seats = 4
    var spot: Spot? = Spot()
    var spots: [Spot] = []
    var names: [String] = []
    var total = -1.0

    static let mapping = Mapping(Trip.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("seats", \.seats)
        Relationship("spot", \.spot)
        Relationship("spots", \.spots)
        Attribute("riders.name", \.names)
        Attribute("riders.@sum.fare", \.total)
    }
}

private struct Spot: Mappable, Equatable {
    var x = 0
    var index: Int?
    var origin: String?
    static let mapping = Mapping(Spot.init) {
        Attribute("x", \.x).required
        Attribute(.index, \.index)
        Attribute(.parent("title"), \.origin)
    }
}

/// The claims of the guide for RestKit, row by row; the tests of each subject cover other rows.
struct RestKitTests {
    @Test(
        arguments: [
            ("{}", 7, "-", 4, 1, 1), (#"{"title": null, "spot": null, "spots": null}"#, 7, nil, 4, 0, 0),
            (#"{"spots": [], "seats": null}"#, 7, "-", 4, 1, 0),
            (#"{"spots": {"x": 1}, "spot": {"x": 2}}"#, 7, "-", 4, 1, 1),
            (#"{"spots": [null, {"x": 1}]}"#, 7, "-", 4, 1, 1),
        ] as [(String, Int, String?, Int, Int, Int)])
    func `Absent values keep a relationship, null and an empty array clear it, a single object is a list`(
        text: String, id: Int, title: String?, seats: Int, spot: Int, spots: Int
    ) throws {
        var trip = Trip(spots: [Spot()])
        try Trip.mapping.update(&trip, from: text)
        #expect(trip.id == id && trip.title == title && trip.seats == seats)
        #expect((trip.spot == nil ? 0 : 1) == spot && trip.spots.count == spots)
    }

    @Test func `Policies of a mapping clear what is absent, except by union`() throws {
        let mapping = Mapping(Trip.init) {
            Attribute("title", \.title)
            Attribute("seats", \.seats).default(2)
            Relationship("spot", \.spot)
            Relationship("spots", \.spots).policy(.union)
        }.whenAbsent(.clear)
        var trip = Trip(spots: [Spot()])
        try mapping.update(&trip, from: "{}")
        #expect(trip.title == nil && trip.seats == 2 && trip.spot == nil && trip.spots.count == 1)
    }

    @Test func `A value of another kind is an issue, and no child is attached half filled`() throws {
        expectIssues("1:11 $.seats: expected an integer, found an object (rule seats -> Trip.seats)") {
            _ = try Trip.mapping.map(#"{"seats": {}}"#)
        }
        expectIssues("1:12 $.spots[0].x: expected the key 'x', found no such key (rule x -> Spot.x)") {
            _ = try Trip.mapping.map(#"{"spots": [{}]}"#)
        }
    }

    @Test func `Key paths read through arrays, null at any component is null, other values are absent`() throws {
        let trip = try Trip.mapping.map(#"{"riders": [{"name": "a", "fare": 2}, {"name": "b", "fare": null}]}"#)
        #expect(trip.names == ["a", "b"] && trip.total == 2)
        let mapping = Mapping(Trip.init) { Attribute("a.b", \.title) }
        #expect(try mapping.map(#"{"a": null}"#).title == nil)
        #expect(try mapping.map(#"{"a": "text"}"#, options: MappingOptions(requiresMappedKey: false)).title == "-")
    }

    @Test func `The index is that of the array, and is absent for a single object`() throws {
        let trip = try Trip.mapping.map(#"{"title": "t", "spots": [{"x": 1}, {"x": 2}], "spot": {"x": 3}}"#)
        #expect(trip.spots.map(\.index) == [0, 1] && trip.spot?.index == nil && trip.spot?.origin == "t")
        let trips = try Trip.mapping.mapAll(#"[{"spot": {"x": 1}}]"#)
        #expect(trips[0].spot?.index == nil)
    }

    @Test func `Nothing found is an issue, an empty document is not`() throws {
        let payload = PayloadMapping { Root("trips", Trip.mapping) }
        #expect(try payload.map("{}").count == 0 && payload.map("[]").count == 0)
        let found = issues { _ = try payload.map(#"{"trip": []}"#) }
        #expect(found.contains("found the keys trip") || found.contains("did you mean 'trip'?"), "\(found)")
    }

    @Test func `Nothing to write is an empty object under its root key`() throws {
        let mapping = Mapping(Trip.init) { Attribute("title", \.title) }
        let trip = Trip(title: nil)
        #expect(try mapping.json(of: trip, rootKey: "trip") == table(#"{"trip": {}}"#))
        #expect(
            try mapping.json(of: trip, options: WritingOptions(whenNil: .null)) == table(#"{"title": null}"#))
    }

    @Test func `A union requires a collection`() {
        let found = issues {
            try Mapping(Trip.init) { Relationship("spot", \.spot).policy(.union) }.validate()
        }
        #expect(found.hasPrefix("expected an array or a set for the policy 'union'"))
    }

    @Test func `Cases are tried in order, a number is not a boolean or a text`() throws {
        let mapping = Mapping<Int>(matching: {
            Match("kind", is: true, Mapping({ 1 }) { Attribute("a", \.self) })
            Match("kind", is: "1", Mapping({ 2 }) { Attribute("a", \.self) })
            Match("kind", is: 1, Mapping({ 3 }) { Attribute("a", \.self) })
            Otherwise(.decline)
        })
        #expect(try mapping.mapAll(#"[{"kind": 1}, {"kind": "1"}, {"kind": true}, {}]"#) == [3, 2, 1])
    }
}
