import ObjectMapping
import ObjectStore
import Testing

@Suite struct MemberNameTests {
    @Test func `attributes may have the names of the base class's members`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Issue.self))
        let context = ObjectContext(store)
        let issue = Issue(in: context)
        (issue.state, issue.row, issue.context, issue.isDeleted) = ("open", 5, "app", true)
        try context.save()
        let other = ObjectContext(store)
        let read: Issue = try other.object(with: issue.managed.id)
        #expect(read.state == "open" && read.row == 5 && read.context == "app" && read.isDeleted)
    }

    @Test func `columns have the names of their properties without Swift's backticks`() throws {
        let model = try ObjectModel(Quotation.self)
        #expect(model.entities[0].attributes.map(\.name) == ["_number", "first name", "a-b", "init", "class", "größe"])
        #expect(model.entities[0].relationships.map(\.name) == ["self", "next one"])
        let store = try ManagedObjectStore(inMemory: model)
        let context = ObjectContext(store)
        let text = #"{ "n": 1, "f": "a", "i": 2, "next": { "n": 3, "f": "b" } }"#
        let quotation = try context.map(text, with: Quotation.mapping)[0]
        #expect(quotation.`init` == 2 && quotation.`next one`?.`first name` == "b")
        try context.save()
        #expect(try context.fetch(Quotation.where { $0.`first name` == "b" }).map(\._number) == [3])
    }
}

/// A class with names that the base class uses internally.
final class Issue: ManagedObject {
    @Stored var state = ""
    @Stored var row = 0
    @Stored var context: String? = nil
    @Stored var isDeleted = false
}

/// A class whose names are keywords or not identifiers.
final class Quotation: ManagedObject, Mappable {
    @Stored(.identity) var _number = 0
    @Stored var `first name` = ""
    @Stored var `a-b`: Int? = nil
    @Stored var `init`: Int? = nil
    @Stored var `class` = ""
    @Stored var größe = 0.0
    @ToOne var `self`: Quotation?
    @ToOne var `next one`: Quotation?

    static let mapping = Mapping(Quotation.self) {
        Attribute("n", \._number)
        Attribute("f", \.`first name`)
        Attribute("i", \.`init`)
        Relationship("next", \.`next one`)
    }
}
