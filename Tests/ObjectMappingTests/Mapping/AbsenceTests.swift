import Foundation
import ObjectMapping
import Testing

struct AbsenceTests {
    private static let changed = """
        {"id": 5, "title": "Call", "rating": 4, "pinned": false, "due": "2026-11-21", "tags": ["a", "b"], "labels": ["c"],
         "codes": [1, 2, 2], "status": "done", "link": "https://example.com", "depth": 8, "count": 200,
         "observed": 6, "place": {"city": "Rome", "zip": "00118"}}
        """

    @Test func `A value is set to its property`() throws {
        let note = try Note.mapping.map(Self.changed)
        #expect(note.id == 5)
        #expect(note.title == "Call")
        #expect(note.rating == 4)
        #expect(!note.isPinned)
        #expect(note.due == Date(timeIntervalSince1970: 1_795_219_200))
        #expect(note.tags == ["a", "b"])
        #expect(note.labels == ["c"])
        #expect(note.codes == [1, 2])
        #expect(note.status == .done)
        #expect(note.link == URL(string: "https://example.com"))
        #expect(note.depth == 8)
        #expect(note.count == 200)
        #expect(note.observed == 6)
        #expect(note.changes == 1)
        #expect(note.place == Note.Place(city: "Rome", zip: "00118"))
    }

    @Test func `An absent value leaves the property unchanged`() throws {
        #expect(try Note.mapping.map("{}") == Note())
        #expect(try Note.mapping.map("{\"other\": {\"id\": 9}, \"place\": {}, \"pinned\": null}") == Note())
        var note = try Note.mapping.map(Self.changed)
        let before = note
        try Note.mapping.update(&note, from: "{}")
        #expect(note == before)
    }

    @Test func `Null sets an optional to nil, and any other property to its initial value`() throws {
        var note = try Note.mapping.map(Self.changed)
        note.changes = 0
        let keys = [
            "id", "title", "rating", "pinned", "due", "tags", "labels", "codes", "status", "link", "depth", "count",
            "observed", "place",
        ]
        try Note.mapping.update(&note, from: "{" + keys.map { "\"\($0)\": null" }.joined(separator: ",") + "}")
        var expected = Note()
        expected.rating = nil
        expected.due = nil
        expected.labels = nil
        expected.link = nil
        expected.depth = .some(nil)
        expected.changes = 1
        #expect(note == expected)
    }

    @Test func `A computed property is set by its setter`() throws {
        #expect(try Note.mapping.map(#"{"upper": "LOUD"}"#).title == "loud")
        #expect(try Note.mapping.map(#"{"title": "x", "upper": null}"#).title == "untitled")
    }

    @Test func `Classes follow the same rules`() throws {
        let text = """
            {"name": "Ann", "age": 40, "languages": ["en"], "boss": {"name": "Bo"}, "home": {"city": "Rome"},
             "houses": [{"city": "Oslo"}], "team": [{"name": "Cy"}]}
            """
        let person = try Person.mapping.map(text)
        try Person.mapping.update(person, from: "{}")
        #expect(person.name == "Ann" && person.age == 40 && person.languages == ["en"])
        #expect(person.boss?.name == "Bo" && person.home.city == "Rome")
        #expect(person.houses.map(\.city) == ["Oslo"] && person.team?.map(\.name) == ["Cy"])
        let cleared = """
            {"name": null, "age": null, "languages": null, "boss": null, "home": null, "houses": null, "team": null}
            """
        try Person.mapping.update(person, from: cleared)
        #expect(person.name == "nobody" && person.age == nil && person.languages == ["none"])
        #expect(person.boss == nil && person.home.city == "nowhere" && person.houses.isEmpty && person.team == nil)
    }

    @Test func `Objects that null resets are not shared by models`() throws {
        let people = try Person.mapping.mapAll(#"[{"home": null}, {"home": null}, {}]"#)
        #expect(people[0].home !== people[1].home)
        #expect(people[0].home !== people[2].home)
    }

    @Test func `A failed update leaves a struct unchanged`() throws {
        var note = Note()
        #expect(throws: MappingError.self) { try Note.mapping.update(&note, from: #"{"id": 7, "title": []}"#) }
        #expect(note == Note())
    }

    @Test func `Null at any component of a key path is null, a scalar is absent`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("a.b.c", \.optional)
            Attribute("a.b.d", \.int)
        }
        for text in [#"{"a": null}"#, #"{"a": {"b": null}}"#, #"{"a": {"b": {"c": null, "d": null}}}"#] {
            var box = Box()
            box.int = 5
            try mapping.update(&box, from: text)
            #expect(box.optional == nil && box.int == -1, "\(text)")
        }
        for text in [#"{"a": 1}"#, #"{"a": "x"}"#, #"{"a": {"b": true}}"#] {
            #expect(try mapping.map(text, options: MappingOptions(requiresMappedKey: false)) == Box(), "\(text)")
            #expect(issues { _ = try mapping.map(text) }.contains("mapped keys 'a.b.c', 'a.b.d'"), "\(text)")
        }
    }
}
