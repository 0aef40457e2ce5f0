import ObjectMapping
import Testing

/// The properties of an existing object that an update sets.
struct UpdateTests {
    private final class Watched: Mappable {
        var writes: [String] = []
        var name = "a" { didSet { writes.append("name") } }
        var age: Int? { didSet { writes.append("age") } }
        var tags = ["x"] { didSet { writes.append("tags") } }
        var status = Note.Status.open { didSet { writes.append("status") } }
        var boss: Watched? { didSet { writes.append("boss") } }
        var team: [Watched] = [] { didSet { writes.append("team") } }
        var crew: [Watched]? { didSet { writes.append("crew") } }
        var place = Note.Place() { didSet { writes.append("place") } }

        static let mapping = Mapping({ Watched() }) {
            Attribute("name", \.name)
            Attribute("age", \.age)
            Attribute("tags", \.tags)
            Attribute("status", \.status)
            Attribute("city", \.place.city)
            Relationship("boss", \.boss)
            Relationship("team", \.team)
            Relationship("crew", \.crew)
        }
    }

    @Test(
        arguments: [
            (#"{"name": "a"}"#, []), (#"{"name": "b"}"#, ["name"]), (#"{"name": null}"#, []), (#"{"age": null}"#, []),
            (#"{"age": 1}"#, ["age"]), (#"{"tags": ["x"]}"#, []), (#"{"tags": []}"#, ["tags"]),
            (#"{"tags": ["x", "y"]}"#, ["tags"]), (#"{"status": "open"}"#, []), (#"{"status": "done"}"#, ["status"]),
            (#"{"city": "nowhere"}"#, []), (#"{"city": "Rome"}"#, ["place"]), (#"{"boss": null}"#, []),
            (#"{"team": []}"#, []), (#"{"team": null}"#, []), (#"{"crew": null}"#, []), (#"{"crew": []}"#, ["crew"]),
            (#"{"boss": {}}"#, ["boss"]), (#"{"team": [{}]}"#, ["team"]), ("{}", []),
        ] as [(String, [String])])
    func `Equal values are not set`(text: String, expected: [String]) throws {
        let object = Watched()
        try Watched.mapping.update(object, from: text)
        #expect(object.writes == expected)
    }

    @Test func `Null resets a changed property to its initial value`() throws {
        let object = Watched()
        (object.name, object.tags) = ("b", [])
        object.writes = []
        try Watched.mapping.update(object, from: #"{"name": null, "tags": null}"#)
        #expect(object.name == "a" && object.tags == ["x"] && object.writes == ["name", "tags"])
    }

    @Test func `All values are set in new objects`() throws {
        let text = #"{"name": "a", "age": 1, "tags": ["x"], "status": "open", "city": "nowhere", "team": []}"#
        let all = ["name", "age", "tags", "status", "place", "team"]
        #expect(try Watched.mapping.map(text).writes == all)
        let object = Watched()
        try Watched.mapping.update(object, from: #"{"boss": TEXT, "team": [TEXT]}"#.replacing("TEXT", with: text))
        #expect(object.writes == ["boss", "team"] && object.boss?.writes == all && object.team.map(\.writes) == [all])
    }

    @Test func `Related objects are replaced, equal or not`() throws {
        let person = Person()
        let home = person.home
        try Person.mapping.update(person, from: #"{"home": {}, "houses": [{}]}"#)
        #expect(person.home !== home && person.home == home)
    }

    @Test func `Nested properties with own rules are updated`() throws {
        let mapping = Mapping({ Watched() }) {
            Attribute("name", \.name).default("a").validate { $0 = $0.lowercased() }
            Attribute("age", \.age).whenAbsent(.clear)
        }
        let object = Watched()
        for text in ["{}", #"{"name": null}"#, #"{"name": "A"}"#] { try mapping.update(object, from: text) }
        #expect(object.writes == [])
    }

    @Test func `Observed properties of structs are updated`() throws {
        var note = Note()
        try Note.mapping.update(&note, from: #"{"observed": 0}"#)
        #expect(note.changes == 0)
        #expect(try Note.mapping.map(#"{"observed": 0}"#).changes == 1)
    }
}
