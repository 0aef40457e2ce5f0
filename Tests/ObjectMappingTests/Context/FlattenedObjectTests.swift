import ObjectMapping
import Testing

@Suite struct FlattenedObjectTests {
    struct Coordinate: Mappable, Hashable {
        var latitude = 0.0
        var longitude = 0.0
        var datum: String?
        static let mapping = Mapping(Coordinate.init) {
            Attribute("lat", \.latitude)
            Attribute("lng", \.longitude)
            Attribute("meta.datum", \.datum)
        }
    }

    struct Place: Mappable, Equatable {
        var name = ""
        var coordinate: Coordinate?
        var fixed = Coordinate(latitude: 1, longitude: 1)
        var all: [Coordinate] = [Coordinate(latitude: 2)]
        var set: Set<Coordinate>?
        static let mapping = Mapping(Place.init) {
            Attribute("name", \.name)
            Relationship(.value, \.coordinate)
            Relationship(.value, \.fixed)
            Relationship(.value, \.all)
            Relationship(.value, \.set)
        }
    }

    final class Spot: Mappable {
        var coordinate: Coordinate?
        static let mapping = Mapping({ Spot() }) { Relationship(.value, \.coordinate) }
    }

    @Test(arguments: [
        (#"{"lat": 3, "lng": 4}"#, Coordinate(latitude: 3, longitude: 4)),
        (#"{"lng": 4, "name": "x"}"#, Coordinate(longitude: 4)),
        (#"{"lat": null}"#, Coordinate()),
        (#"{"meta": {"datum": "WGS84"}}"#, Coordinate(datum: "WGS84")),
        (#"{"meta": null}"#, Coordinate()),
        (#"{"\u006Cat": 3}"#, Coordinate(latitude: 3)),
    ])
    func `Flat keys make a nested value`(payload: String, expected: Coordinate) throws {
        let place = try Place.mapping.map(payload)
        #expect(place.coordinate == expected)
        #expect(place.fixed == expected)
        #expect(place.all == [expected])
        #expect(place.set == [expected])
        #expect(try Spot.mapping.map(payload).coordinate == expected)
    }

    @Test(arguments: [(#"{"lat": 3}"#, 1), (#"{"meta": {"datum": "WGS84"}}"#, 2)])
    func `Flat keys are found up to the nesting limit of the text`(payload: String, depth: Int) throws {
        let options = MappingOptions(limits: MappingLimits(depth: depth))
        let place = try Place.mapping.map(payload, options: options)
        #expect(place.coordinate != nil && place.all == place.coordinate.map { [$0] })
    }

    @Test(arguments: ["{}", #"{"name": "x"}"#, #"{"meta": {}}"#, #"{"meta": {"data": 1}}"#, #"{"meta": 1}"#])
    func `Without any of the keys the property is unchanged`(payload: String) throws {
        var place = Place()
        try Place.mapping.update(&place, from: payload)
        place.name = ""
        #expect(place == Place())
        let spot = Spot()
        spot.coordinate = Coordinate(latitude: 9)
        try Spot.mapping.update(spot, from: payload)
        #expect(spot.coordinate?.latitude == 9)
    }

    @Test func `Keys of nested values count`() throws {
        struct Outer: Mappable {
            var place: Inner?
            static let mapping = Mapping(Outer.init) { Relationship(.value, \.place) }
        }
        struct Inner: Mappable {
            var coordinate: Coordinate?
            var name: String?
            static let mapping = Mapping(Inner.init) {
                Relationship(.value, \.coordinate)
                Attribute(.first("name", "title"), \.name)
                Attribute(.key, \.name)
            }
        }
        #expect(try Outer.mapping.map(#"{"lng": 4}"#).place?.coordinate == Coordinate(longitude: 4))
        #expect(try Outer.mapping.map(#"{"title": "x"}"#).place?.name == "x")
        #expect(try Outer.mapping.map(#"{"other": 4}"#).place == nil)
    }

    @Test func `A value that is selected by its content has its own issues`() throws {
        struct Drawing: Mappable {
            var name = ""
            var shape: Shape?
            static let mapping = Mapping(Drawing.init) {
                Attribute("name", \.name)
                Relationship(.value, \.shape)
            }
        }
        let drawing = try Drawing.mapping.map(#"{"name": "x", "type": "circle", "radius": 2}"#)
        #expect(drawing.shape == .circle(Circle(radius: 2)))
        expectIssues(
            "1:1 $.type: expected the key 'type', found no such key (rule the value -> Drawing.shape)"
        ) { _ = try Drawing.mapping.map(#"{"name": "x", "radius": 2}"#) }
        let declining = Mapping(Drawing.init) {
            Dynamic(.value, \.shape) {
                Match("type", is: "circle", Circle.mapping, Shape.circle)
                Otherwise(.decline)
            }
        }
        #expect(try declining.map(#"{"type": "circle"}"#).shape == .circle(Circle()))
        #expect(try declining.map(#"{"name": "x"}"#).shape == nil)
    }

    @Test func `A dictionary can be the value`() throws {
        struct Members: Mappable {
            var all: [Coordinate] = []
            static let mapping = Mapping(Members.init) { Relationship(.value, \.all, each: .member) }
        }
        #expect(try Members.mapping.map(#"{"a": {"lat": 1}, "b": {}}"#).all == [Coordinate(latitude: 1), Coordinate()])
    }

    @Test func `A required value needs one of its keys`() throws {
        let mapping = Mapping(Place.init) { Relationship(.value, \.coordinate).required }
        #expect(try mapping.map(#"{"lat": 1}"#).coordinate?.latitude == 1)
        expectIssues(
            "1:1 $: expected at least one key of the object, found no such key (rule the value -> Place.coordinate)"
        ) {
            _ = try mapping.map(#"{"name": "x"}"#)
        }
    }

    @Test func `An issue of a value has its position`() {
        expectIssues(
            """
            1:9 $.lat: expected a number, found an array (rule lat -> Coordinate.latitude)
            1:9 $.lat: expected a number, found an array (rule lat -> Coordinate.latitude)
            1:9 $.lat: expected a number, found an array (rule lat -> Coordinate.latitude)
            1:9 $.lat: expected a number, found an array (rule lat -> Coordinate.latitude)
            """
        ) {
            _ = try Place.mapping.map(#"{"lat": []}"#)
        }
    }

    @Test func `A mapping without rules finds none of its keys`() throws {
        let mapping = Mapping(Spot.init) { Relationship(.value, \.coordinate, Mapping({ Coordinate() }) {}) }
        #expect(try mapping.map(#"{"lat": 3}"#).coordinate == nil)
    }
}
