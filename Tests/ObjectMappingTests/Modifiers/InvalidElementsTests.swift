import ObjectMapping
import Testing

struct InvalidElementsTests {
    final class Item: Mappable, Hashable {
        var id = 0
        var name = ""
        var parts: [Item] = []

        static let mapping = Mapping({ Item() }) {
            Attribute("id", \.id).required
            Attribute("name", \.name)
            Relationship("parts", \.parts).skippingInvalidElements
        }
        .identified(by: \.id)

        static func == (a: Item, b: Item) -> Bool { a === b }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    struct Shelf: Mappable {
        var name = ""
        var items: [Item] = []
        var set: Set<Item> = []
        var maybe: [Item]?

        static let mapping = Mapping(Shelf.init) {
            Attribute("name", \.name)
            Relationship("items", \.items).skippingInvalidElements
            Relationship("set", \.set).skippingInvalidElements
            Relationship("maybe", \.maybe).skippingInvalidElements
        }
    }

    @Test(arguments: ["items", "set", "maybe"])
    func `Invalid objects are skipped with a warning, and the outer object is kept`(key: String) throws {
        var report = MappingReport()
        let text = #"{"name": "a", "\#(key)": [{"id": 1}, {"id": "x"}, 5, null, {}, {"id": 2}]}"#
        let shelf = try Shelf.mapping.map(text, report: &report)
        let items = shelf.items + shelf.set + (shelf.maybe ?? [])
        #expect(items.map(\.id).sorted() == [1, 2] && shelf.name == "a")
        #expect(
            report.issues.map(\.path) == ["$.\(key)[1].id", "$.\(key)[2]", "$.\(key)[4].id"]
                && report.warnings == report.issues)
    }

    @Test func `Only the innermost object with an issue is skipped`() throws {
        let text = #"{"items": [{"id": 1, "parts": [{"id": 2, "parts": [{"id": []}, {"id": 3}]}, {"name": "b"}]}]}"#
        var report = MappingReport()
        let item = try Shelf.mapping.map(text, report: &report).items[0]
        #expect(item.parts.map(\.id) == [2] && item.parts[0].parts.map(\.id) == [3])
        #expect(report.warnings.count == 2)
    }

    @Test func `Other issues throw, together with the warnings`() {
        expectIssues(
            """
            1:10 $.name: expected a string, found an array (rule name -> Shelf.name)
            1:25 $.items[0]: expected an object, found a number (rule items -> Shelf.items)
            """
        ) { _ = try Shelf.mapping.map(#"{"name": [], "items": [ 5 ]}"#) }
    }

    @Test func `Changes of a session by an invalid object are undone`() throws {
        let session = MappingSession()
        let known = try Item.mapping.map(#"{"id": 1, "name": "a"}"#, in: session)
        let text =
            #"{"items": [{"id": 1, "parts": [{"id": 7}], "name": []}, {"id": 2, "name": {}}, {"id": 3}]}"#
        let shelf = try Shelf.mapping.map(text, in: session)
        #expect(shelf.items.map(\.id) == [3])
        #expect(known.name == "a" && known.id == 1 && known.parts.isEmpty)
        #expect(session.all(Item.self).map(\.id) == [1, 3])
    }

    @Test func `Skipping invalid elements is a mistake for one object and for rows`() {
        struct Box {
            var item: Item?
        }
        let mapping = Mapping(Box.init) { Relationship("item", \.item).skippingInvalidElements }
        #expect(issues { try mapping.validate() }.contains("for an array or a set of objects"))
        #expect(issues { try Shelf.mapping.validate(for: .rows) }.contains("not in an import, found rows"))
    }

    @Test(arguments: [
        (#"{"deleted_at": "2026-01-01"}"#, true), (#"{"deleted_at": {}}"#, true), (#"{"deleted_at": false}"#, true),
        (#"{"deleted_at": null}"#, false), ("{}", false),
    ]) func `Presence is a boolean`(text: String, isDeleted: Bool) throws {
        struct Post {
            var isDeleted = false
        }
        let mapping = Mapping(Post.init) { Attribute("deleted_at", \.isDeleted, using: .isPresent) }
        let post = try mapping.map(text)
        #expect(post.isDeleted == isDeleted)
        #expect(issues { _ = try mapping.json(of: post) }.contains("expected a rule that is `readOnly`"))
    }
}
