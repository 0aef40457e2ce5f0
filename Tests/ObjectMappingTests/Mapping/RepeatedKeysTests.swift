import ObjectMapping
import Testing

struct RepeatedKeysTests {
    private static func mapped<Model>(_ mapping: Mapping<Model>, _ text: String) throws -> (Model, [String]) {
        var report = MappingReport()
        let model = try mapping.map(text, report: &report)
        #expect(report.warnings.allSatisfy { $0.isWarning })
        return (model, report.warnings.map(\.description))
    }

    @Test func `The last value of a repeated key is used, with a warning`() throws {
        let (note, warnings) = try Self.mapped(
            Note.mapping, #"{"id": 5, "title": "a", "id": 6, "other": 1, "other": 2}"#)
        #expect(note.id == 6)
        #expect(warnings == ["1:25 $.id: expected unique keys, found a duplicate key (rule id -> Note.id)"])
    }

    @Test func `A key that is spelled with escapes is the same key`() throws {
        let (note, warnings) = try Self.mapped(Note.mapping, #"{"id": 5, "\u0069d": 6}"#)
        #expect(note.id == 6)
        #expect(warnings.count == 1)
    }

    @Test func `The last value replaces the first one`() throws {
        let (note, warnings) = try Self.mapped(
            Note.mapping, #"{"tags": ["a"], "tags": null, "place": {"city": "Rome"}, "place": {"zip": "1"}}"#)
        #expect(note.tags == ["new"])
        #expect(note.place == Note.Place(city: "nowhere", zip: "1"))
        #expect(warnings.count == 2)
        let (fresh, _) = try Self.mapped(
            Mapping(Note.init) { Attribute("a.r", \.rating) }, #"{"a": {"r": 1}, "a": {}}"#)
        #expect(fresh.rating == 0.5)
        let (person, more) = try Self.mapped(
            Person.mapping, #"{"boss": {"name": "A", "age": 1}, "boss": {"age": 2}, "houses": [{}, {}], "houses": []}"#)
        #expect(person.boss?.name == "nobody")
        #expect(person.boss?.age == 2)
        #expect(person.houses.isEmpty)
        #expect(more.count == 2)
    }

    @Test func `All rules of a repeated key are reset`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("list.@count", \.int)
            Attribute("list.@sum.amount", \.double)
            Relationship("list", \.payments)
        }
        let (box, warnings) = try Self.mapped(
            mapping, #"{"list": [{"amount": 2}], "list": 5}"#.replacing("5", with: "{}"))
        #expect(box.int == 0)
        #expect(box.double == -1)
        #expect(box.payments == [Payment()])
        #expect(warnings.count == 1)
    }

    @Test func `Repeated keys in elements name the element`() throws {
        var report = MappingReport()
        let notes = try Note.mapping.mapAll("[{\"id\": 1},\n {\"id\": 2, \"id\": 3}]", report: &report)
        #expect(notes.map(\.id) == [1, 3])
        #expect(report.warnings.map(\.path) == ["$[1].id"])
        #expect(report.warnings.map(\.line) == [2])
        #expect(report.warnings.map(\.column) == [12])
    }

    @Test func `Warnings are reported together with errors`() {
        expectIssues(
            """
            1:11 $.id: expected unique keys, found a duplicate key (rule id -> Note.id)
            1:17 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> Note.id)
            """
        ) { _ = try Note.mapping.map(#"{"id": 1, "id": "x"}"#) }
    }

    @Test func `A collection with a repeated key cannot be streamed`() {
        expectIssues("1:22 $.all: expected a unique key 'all' on the path 'all', found a duplicate key") {
            _ = try Note.mapping.mapAll(#"{"all": [{}], "all": []}"#, at: "all")
        }
    }
}
