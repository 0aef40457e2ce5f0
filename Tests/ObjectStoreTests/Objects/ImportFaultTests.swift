import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Its key has another type than the referenced identity.
private final class Label: ManagedObject, Mappable {
    @Stored(.identity) var labelID = 0
    @Stored var holderID = ""
    @ToOne var holder: Person?

    static let mapping = Mapping(Label.self) {
        Attribute("id", \.labelID)
        Attribute("holder", \.holderID)
        Connection(\.holder, by: \.holderID)
    }
}

private final class Foreign: ManagedObject, Mappable {
    @Stored(.identity) var foreignID = 0
    static let mapping = Mapping(Foreign.self) { Attribute("id", \.foreignID) }
}

/// Its cuts have an order.
private final class Disc: ManagedObject, Mappable {
    @Stored(.identity) var discID = 0
    @ToMany(inverse: \Cut.disc, isOrdered: true) var cuts: [Cut]
    static let mapping = Mapping(Disc.self) { Attribute("id", \.discID) }
}

private final class Cut: ManagedObject, Mappable {
    @Stored(.identity) var cutID = 0
    @Stored var discID = 0
    @ToOne var disc: Disc?
    @ToOne var code: DiscCode?

    static let mapping = Mapping(Cut.self) {
        Attribute("id", \.cutID)
        Attribute("disc", \.discID)
        Connection(\.disc, by: \.discID)
        Relationship("code", \.code)
    }
}

private final class DiscCode: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored(.unique) var text = ""
    static let mapping = Mapping(DiscCode.self) {
        Attribute("number", \.number)
        Attribute("text", \.text)
    }
}

/// Imports of invalid values, and into stores that others use.
@Suite struct ImportFaultTests {
    private let folder: TemporaryDirectory
    private let store: ManagedObjectStore

    init() throws {
        folder = try TemporaryDirectory()
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(50)
        store = try ManagedObjectStore(
            at: folder.file("store.sqlite"), model: ObjectModel(Ticket.self, Person.self, Board.self, Label.self),
            options: options)
    }

    @discardableResult private func load(_ text: String, skipping: Bool = false) async throws -> ImportReport {
        try await store.importJSON(Data(text.utf8), with: Ticket.mapping, skipsInvalidElements: skipping)
    }

    private func rows(_ sql: String) throws -> [String] {
        try store.rows(sql: sql).map { $0.values.map { $0.text ?? $0.description }.joined(separator: "|") }
    }

    // MARK: Identities

    static let identities = [
        ("[1]", "an array"), ("{\"id\":1}", "an object"), ("1.5", "a number with a fraction"),
        ("\"one\"", "a string that cannot be converted to an integer"), ("true", "a boolean"),
        ("9223372036854775808", "a number out of its range"),
    ]

    @Test(arguments: identities) func `an identity of another type is an issue with its position`(
        _ identity: String, _ found: String
    ) async throws {
        let text = #"[{"id":1,"name":"a"},{"name":"b","id":\#(identity)},{"id":3}]"#
        let error = await #expect(throws: ImportError.self) { try await load(text) }
        let issue = (error?.cause as? MappingError)?.issues.first
        #expect(issue?.path == "$[1].id" && error?.line == 1 && error?.column == 39)
        #expect(issue?.expected == "an integer" && issue?.found == found)
        #expect(try rows("SELECT count(*) FROM Ticket") == ["0"])
        let report = try await load(text, skipping: true)
        #expect(report.skipped == 1)
        #expect(try rows("SELECT ticketID FROM Ticket") == ["1", "3"])
    }

    @Test func `a number in quotes identifies the same row as the number`() async throws {
        try await load(#"[{"id":7,"name":"a"}]"#)
        let report = try await load(#"[{"id":"7","name":"b"}]"#)
        #expect(report["Ticket"]?.updated == 1)
        #expect(try rows("SELECT ticketID, name FROM Ticket") == ["7|b"])
    }

    @Test func `keys of another type than the identity are an error before anything is written`() async throws {
        let error = await #expect(throws: ImportError.self) {
            try await store.importJSON(Data(#"[{"id":1,"holder":"x"}]"#.utf8), with: Label.mapping)
        }
        #expect(error?.description.contains("Label.holder") == true, "\(error!)")
        #expect(try rows("SELECT count(*) FROM Label") == ["0"])
    }

    @Test func `a class outside of the store's model is an error that names it`() async throws {
        let error = await #expect(throws: ImportError.self) {
            try await store.importJSON(Data("[]".utf8), with: Foreign.mapping)
        }
        #expect((error?.cause as? StoreError)?.kind == .unknownEntity)
        #expect(error?.description.contains("Foreign") == true)
    }

    // MARK: Undone elements

    @Test func `an element that is undone partway leaves no row, and no gap in an ordered list`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Disc.self, Cut.self, DiscCode.self))
        _ = try await store.importJSON(Data(#"{"id":1}"#.utf8), with: Disc.mapping)
        let cuts = [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "c")].map { number, code in
            #"{"id":\#(number),"disc":1,"code":{"number":\#(number),"text":"\#(code)"}}"#
        }
        let report = try await store.importJSON(
            Data("[\(cuts.joined(separator: ","))]".utf8), with: Cut.mapping, skipsInvalidElements: true)
        #expect(report.elements == 3 && report.skipped == 2 && report["Cut"]?.inserted == 3)
        #expect(report["Cut"]?.connected == 3 && report["DiscCode"]?.inserted == 3)
        let found = try store.rows(
            sql: #"SELECT "target", "position" FROM "Disc_cuts" ORDER BY "position""#
        ).map(\.values)
        #expect(found == [[.integer(1), .integer(0)], [.integer(2), .integer(1)], [.integer(3), .integer(2)]])
        let cutIDs = try store.rows(sql: "SELECT cutID FROM Cut").map(\.values)
        #expect(cutIDs == [[.integer(1)], [.integer(3)], [.integer(5)]])
    }

    // MARK: Other users of the store

    @Test func `a store that another process locks is an error after the timeout, and nothing is committed`()
        async throws
    {
        let other = try SQLiteDatabase(path: folder.file("store.sqlite").path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let error = await #expect(throws: ImportError.self) { try await load(#"[{"id":1}]"#) }
        #expect((error?.cause as? StoreError)?.kind == .busy && error?.committed.elements == 0)
        try other.execute("ROLLBACK")
        other.close()
        #expect(try await load(#"[{"id":1}]"#)["Ticket"]?.inserted == 1)
    }

    @Test(arguments: [(MergePolicy.storeWins, "theirs"), (.objectWins, "mine"), (.throwConflict, "theirs")])
    func `the merge policy decides between an import and unsaved changes of the same row`(
        _ policy: MergePolicy, _ expected: String
    ) async throws {
        try await load(#"[{"id":1,"name":"base"},{"id":2,"name":"base"},{"id":3,"name":"base"}]"#)
        let context = ObjectContext(store)
        context.mergePolicy = policy
        let tickets = try await context.fetch(Ticket.all.sorted(by: \.ticketID))
        tickets[0].name = "mine"
        tickets[1].assigneeID = 7
        context.delete(tickets[2])
        let new = Ticket(in: context)
        (new.ticketID, new.name) = (4, "mine")
        try await load(
            #"""
            [{"id":1,"name":"theirs","assignee_id":8},{"id":2,"name":"theirs"},{"id":4,"name":"theirs","assignee_id":9}]
            """#)
        #expect(tickets[0].name == "mine" && tickets[1].assigneeID == 7)
        do {
            try await context.save()
            #expect(policy != .throwConflict)
        } catch {
            #expect(policy == .throwConflict && error.conflicts.map(\.property) == ["name"])
            return
        }
        // Attributes that only one side has changed have the values of that side; the new object adopts the row.
        #expect(
            try rows("SELECT ticketID, name, assigneeID FROM Ticket ORDER BY 1")
                == ["1|\(expected)|8", "2|theirs|7", "4|mine|9"])
    }
}
