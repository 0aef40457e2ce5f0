import ObjectMapping
import Testing

private struct Node: Mappable {
    let id: Int
    let parent: [Node]
    static let mapping = Mapping(Node.self, Node.init, Parameter("id", \.id), Parameter(.value, \.parent))
}

private struct Tag: Mappable, Equatable {
    let name: String
    let place: Spot?
    static let mapping = Mapping(Tag.self, Tag.init, Parameter("name", \.name), Parameter(.value, \.place))
}

private struct Spot: Mappable, Equatable {
    var x = 0
    var y = 0
    static let mapping = Mapping(Spot.init) {
        Attribute("x", \.x)
        Attribute("y", \.y)
    }
}

private indirect enum Item: Mappable {
    case box(Crate)
    static let mapping = Mapping<Item>(matching: { Match("type", is: "box", Crate.mapping, Item.box) })
}

private struct Crate: Mappable {
    var name = ""
    var item: [Item] = []
    static let mapping = Mapping(Crate.init) {
        Attribute("name", \.name)
        Relationship(.value, \.item)
    }
}

private indirect enum Wrapped: Mappable {
    case box(Parcel)
    static let mapping = Mapping<Wrapped>(matching: {
        Match(wrappedIn: "box", Parcel.mapping, Wrapped.box)
        Otherwise(.decline)
    })
}

private struct Parcel: Mappable {
    var name = ""
    var content: [Wrapped] = []
    static let mapping = Mapping(Parcel.init) {
        Attribute("name", \.name)
        Relationship(.value, \.content)
    }
}

struct EndlessMappingTests {
    private static let recursive =
        "expected a key or an array before the mapping contains itself, found an infinitely recursive mapping"

    @Test func `An argument that is its own object is a mistake`() {
        let text = "\(Self.recursive) (rule the value -> Node.parent)"
        expectIssues(text) { try Node.mapping.validate() }
        expectIssues(text) { _ = try Node.mapping.map(#"{"id": 1}"#) }
    }

    @Test func `A case that reads its own value again is a mistake, except in a wrapper`() throws {
        let text = "\(Self.recursive) (rule the value -> Crate.item)"
        expectIssues(text) { try Crate.mapping.validate() }
        expectIssues(text) { try Item.mapping.validate() }
        try Parcel.mapping.validate()
        #expect(try Parcel.mapping.map(#"{"name": "a", "box": {"name": "b"}}"#).name == "a")
    }

    @Test func `An argument of flat keys is created if one of the keys is present`() throws {
        try Tag.mapping.validate()
        #expect(try Tag.mapping.map(#"{"name": "a", "x": 1}"#) == Tag(name: "a", place: Spot(x: 1)))
        #expect(try Tag.mapping.map(#"{"name": "a"}"#) == Tag(name: "a", place: nil))
    }
}
