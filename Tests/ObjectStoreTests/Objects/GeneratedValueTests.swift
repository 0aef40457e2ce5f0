import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// A class whose identity and other defaults differ from object to object.
private final class Draft: ManagedObject, Mappable {
    @Stored(.identity, .generated) var id = UUID()
    @Stored var title = ""
    @Stored var token = UUID()
    @Stored var created = Date()
    @Stored var optionalToken: UUID? = UUID()
    @ToOne var previous: Draft?

    static let mapping = Mapping(Draft.self) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("token", \.token)
        Relationship("previous", \.previous)
    }
    /// Without a rule for the identity.
    static let titles = Mapping(Draft.self) { Attribute("title", \.title) }
}

private let lastNumber = Mutex(0)

/// A compound identity with a generated part.
private final class Line: ManagedObject, Mappable {
    @Stored(.identity) var page = 0
    @Stored(.identity, .generated) var number = lastNumber.withLock { number in
        number += 1
        return number
    }
    @Stored var text = ""

    static let mapping = Mapping(Line.self) {
        Attribute("page", \.page)
        Attribute("number", \.number)
        Attribute("text", \.text)
    }
}

@Suite struct `Defaults that differ from object to object` {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Draft.self, Line.self))
        context = ObjectContext(store)
    }

    private func values(_ column: String) throws -> [StoredValue] {
        try store.rows(sql: "SELECT \(column) FROM Draft ORDER BY _id").map { $0.values[0] }
    }

    /// Expects that all rows have different values, which can be read.
    private func expectDifferent(_ count: Int, at location: SourceLocation = #_sourceLocation) throws {
        for column in ["id", "token", "optionalToken"] {
            let found = try values(column)
            #expect(found.count == count && !found.contains(.null), "\(column)", sourceLocation: location)
            #expect(Set(found).count == count, "\(column)", sourceLocation: location)
        }
        for draft in try ObjectContext(store).fetch(Draft.all) {
            #expect(try ObjectContext(store).find(Draft.self, draft.id)?.title == draft.title)
            #expect(draft.managed.error == nil && abs(draft.created.timeIntervalSinceNow) < 600)
        }
    }

    @Test func `new objects have generated identities, which are stored`() throws {
        let drafts = [Draft(in: context), context.insert(Draft.self), Draft()]
        context.insert(drafts[2])
        let ids = drafts.map(\.id)
        #expect(Set(ids).count == 3)
        #expect(try context.find(Draft.self, ids[2]) === drafts[2])
        try context.save()
        context.refresh()
        #expect(drafts.map(\.id) == ids)
        try expectDifferent(3)
    }

    @Test func `a generated identity can be assigned instead`() throws {
        let (draft, id) = (Draft(in: context), UUID())
        draft.id = id
        try context.save()
        #expect(try values("id") == [.text(id.uuidString.lowercased())])
        #expect(try context.findOrCreate(Draft.self, id) === draft)
    }

    @Test func `an object whose default identity is not generated has none until it is assigned`() throws {
        let line = Line()
        context.insert(line)
        try context.save()
        #expect(
            try store.rows(sql: "SELECT page, number FROM Line").map(\.values) == [
                [.null, .integer(Int64(line.number))]
            ])
    }

    @Test func `mapped objects without the key get a generated identity, others are found`() throws {
        let id = UUID()
        let text = #"[{"title":"a"},{"id":null,"title":"b"},{"id":"\#(id)","title":"c"},{"previous":{"title":"d"}}]"#
        let drafts = try context.map(text, with: Draft.mapping)
        try context.save()
        #expect(drafts[2].id == id)
        try expectDifferent(5)
        let again = try context.map(#"[{"id":"\#(id)"},{"id":"\#(drafts[0].id)"}]"#, with: Draft.mapping)
        #expect(again == [drafts[2], drafts[0]])
        _ = try context.map(#"[{"title":"e"},{"title":"f"}]"#, with: Draft.titles)
        try context.save()
        try expectDifferent(7)
    }

    @Test func `an invalid identity is an issue, although it could be generated`() throws {
        #expect(throws: MappingError.self) { try context.map(#"[{"id":"x"}]"#, with: Draft.mapping) }
        #expect(!context.hasChanges)
    }

    @Test func `the parts of a compound identity that are not generated are required`() throws {
        let lines = try context.map(#"[{"page":1,"text":"a"},{"page":1}]"#, with: Line.mapping)
        #expect(lines[0] !== lines[1] && lines[0].number != lines[1].number)
        try context.save()
        #expect(try context.find(Line.self, 1, lines[0].number) === lines[0])
        let error = #expect(throws: MappingError.self) { try context.map(#"[{"number":1}]"#, with: Line.mapping) }
        #expect(error?.description.contains("a value for Line.page, Line.number") == true)
    }

    @Test func `null resets a property to a new default for each object`() throws {
        let drafts = try context.map(#"[{"token":null},{"token":null}]"#, with: Draft.mapping)
        #expect(drafts[0].token != drafts[1].token)
    }

    @Test(arguments: [false, true])
    func `imported rows get new defaults for absent keys`(_ inBatches: Bool) async throws {
        let id = UUID()
        let text = #"[{"title":"a"},{"id":null,"title":"b"},{"id":"\#(id)","token":null},{"previous":{"title":"d"}}]"#
        let commit = inBatches ? ImportCommit.every(1) : .once
        let report = try await store.importJSON(Data(text.utf8), with: Draft.mapping, commit: commit)
        #expect(report["Draft"]?.inserted == 5)
        try expectDifferent(5)
        let titles = #"[{"title":"e"},{"title":"f"}]"#
        #expect(
            try await store.importJSON(Data(titles.utf8), with: Draft.titles, commit: commit)["Draft"]?.inserted == 2)
        try expectDifferent(7)
        let tokens = try values("token")
        let update = #"[{"id":"\#(id)","title":"c"}]"#
        #expect(try await store.importJSON(Data(update.utf8), with: Draft.mapping)["Draft"]?.updated == 1)
        #expect(try values("token") == tokens)
    }

    @Test func `an imported row without a part of the identity that is not generated is an issue`() async throws {
        let text = #"[{"page":1},{"page":1},{"text":"x"}]"#
        let report = try await store.importJSON(Data(text.utf8), with: Line.mapping, skipsInvalidElements: true)
        #expect(report["Line"]?.inserted == 2 && report.skipped == 1)
        #expect(report.issues.first?.expected == "a value for Line.page, the identity of the object")
        #expect(try store.rows(sql: "SELECT DISTINCT number FROM Line WHERE page = 1").count == 2)
    }

    @Test func `the model of the file has no default that differs`() throws {
        let entity = try #require(store.model.entity(named: "Draft"))
        for name in ["id", "token", "created"] { #expect(entity.attribute(named: name)?.defaultValue == nil) }
        #expect(entity.attribute(named: "title")?.defaultValue?.string == "")
    }
}
