import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

/// Policies of relationships, timestamps, skipped elements and adoption, for objects that a payload maps into a
/// context.
@Suite struct ContextPolicyTests {
    /// A plain model that contains boards.
    private struct Page {
        var total = 0
        var boards: [Board] = []
        static let mapping = Mapping(Page.init) {
            Attribute("total", \.total)
            Relationship("boards", \.boards, ContextPolicyTests.boards(.set))
        }
    }

    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Ticket.self, Person.self, Board.self))
        context = ObjectContext(store)
    }

    private static func boards(_ policy: AssignmentPolicy) -> Mapping<Board> {
        Mapping(Board.self) {
            Attribute("key", \.key)
            Attribute("number", \.number)
            Relationship("tickets", \.tickets).policy(policy)
        }
    }

    @discardableResult
    private func load<Model>(_ payload: String, _ mapping: Mapping<Model>) throws -> [Model] {
        let models = try context.map(payload, with: mapping)
        try context.save()
        return models
    }

    /// The rows of tickets: number, name and the row of the board.
    private func tickets() throws -> [String] {
        try store.rows(sql: "SELECT ticketID, name, board FROM Ticket ORDER BY 1").map {
            $0.values.map(\.description).joined(separator: "|")
        }
    }

    @Test(arguments: [
        (AssignmentPolicy.set, [3, 2], ["1|''|NULL", "2|''|1", "3|''|1"]),
        (.union, [1, 2, 3], ["1|''|1", "2|''|1", "3|''|1"]),
        (.replace, [3, 2], ["2|''|1", "3|''|1"]),
    ])
    func `the policy of a relationship decides about objects that the payload lacks`(
        _ policy: AssignmentPolicy, _ expected: [Int], _ rows: [String]
    ) throws {
        let mapping = Self.boards(policy)
        let board = try load(#"{"key":"A","number":1,"tickets":[{"id":1},{"id":2}]}"#, mapping)[0]
        _ = try context.map(#"{"key":"A","number":1,"tickets":[{"id":3},{"id":2}]}"#, with: mapping)
        #expect(board.tickets.map(\.ticketID) == expected)
        #expect(try tickets().count == 2, "saved before save()")
        try context.save()
        #expect(try tickets() == rows)
        let other = ObjectContext(store)
        #expect(try other.find(Board.self, "A", 1)?.tickets.map(\.ticketID) == expected)
    }

    @Test(arguments: [
        ("2026-01-01T00:00:00Z", false), ("2026-01-02T00:00:00Z", false), ("2026-01-03T00:00:00Z", true), (nil, true),
    ])
    func `a payload updates an object and its relationships if its timestamp is newer or absent`(
        _ stamp: String?, _ isRead: Bool
    ) throws {
        try load(#"[{"id":7},{"id":8}]"#, Person.mapping)
        try load(#"{"id":1,"name":"old","updated_at":"2026-01-02T00:00:00Z","assignee_id":7}"#, Ticket.mapping)
        let other = ObjectContext(store)
        let member = stamp.map { #","updated_at":"\#($0)""# } ?? ""
        let board = #"{"key":"A","number":1,"tickets":[{"id":1,"name":"new","assignee_id":8\#(member)}]}"#
        let ticket = try other.map(board, with: Board.mapping)[0].tickets[0]
        #expect(ticket.name == (isRead ? "new" : "old") && ticket.assignee?.personID == (isRead ? 8 : 7))
        #expect(ticket.board?.key == "A")
        try other.save()
        #expect(try tickets() == [isRead ? "1|'new'|1" : "1|'old'|1"])
    }

    @Test func `a skipped element is undone with its nested objects, and is in the report`() throws {
        try load(#"{"key":"A","number":1,"tickets":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}"#, Board.mapping)
        let bad = #"{"key":"A","number":1,"tickets":[{"id":1,"name":"x"},{"id":9},{"id":2,"name":[]}]}"#
        var report = MappingReport(policy: .skipElement)
        let boards = try context.map(
            #"[\#(bad),{"key":"B","number":1,"tickets":[{"id":1}]}]"#, with: Board.mapping, report: &report)
        #expect(boards.map(\.key) == ["B"] && boards[0].tickets.map(\.name) == ["a"])
        #expect(report.rejected.map(\.path) == ["$[0]"] && report.rejected[0].json == Data(bad.utf8))
        #expect(context.insertedObjects == [boards[0]])
        try context.save()
        #expect(try tickets() == ["1|'a'|2", "2|'b'|1"])
    }

    @Test func `valid values of an element with issues are kept if the report collects them`() throws {
        var report = MappingReport(policy: .collect)
        let text = #"[{"id":1,"name":[],"assignee_id":7},{"name":"no identity"}]"#
        let tickets = try context.map(text, with: Ticket.mapping, report: &report)
        #expect(tickets.map(\.assigneeID) == [7] && report.issues.map(\.path) == ["$[0].name", "$[1]"])
        #expect(report.rejected.map(\.path) == ["$[1]"] && context.insertedObjects == [tickets[0]])
    }

    @Test func `objects in plain models are found, moved and undone like others`() throws {
        try load(#"{"key":"A","number":1,"tickets":[{"id":1}]}"#, Board.mapping)
        let other = ObjectContext(store)
        let text = #"{"total":1,"boards":[{"key":"A","number":1},{"key":"B","number":1,"tickets":[{"id":1}]}]}"#
        #expect(throws: MappingError.self) {
            _ = try other.map(text.replacing(#""total":1"#, with: #""total":"many""#), with: Page.mapping)
        }
        #expect(!other.hasChanges)
        let page = try other.map(text, with: Page.mapping)[0]
        #expect(page.total == 1 && page.boards.map { $0.tickets.map(\.ticketID) } == [[], [1]])
        #expect(other.insertedObjects == [page.boards[1]])
        try other.save()
        #expect(try tickets() == ["1|''|2"])
    }

    @Test func `objects of a payload get the saved values of others, except for unsaved changes`() throws {
        let old = #"{"id":1,"name":"old","assignee_id":7,"updated_at":"2026-01-01T00:00:00Z"}"#
        let ticket = try load(old, Ticket.mapping)[0]
        let other = ObjectContext(store)
        let theirs = try #require(try other.find(Ticket.self, 1))
        (theirs.name, theirs.assigneeID) = ("theirs", 8)
        try other.save()
        ticket.assigneeID = 9
        _ = try context.map(#"{"id":1}"#, with: Ticket.mapping)
        #expect(ticket.name == "theirs" && ticket.assigneeID == 9)
        context.rollback()
        // Equal to the value that the object had before, but not to that of the store.
        try load(#"{"id":1,"name":"old"}"#, Ticket.mapping)
        #expect(try tickets() == ["1|'old'|NULL"])

        theirs.updatedAt = Date(timeIntervalSince1970: 1_800_000_000)
        other.mergePolicy = .objectWins
        try other.save()
        // Newer than the object in memory, but not than the row.
        _ = try context.map(#"{"id":1,"name":"late","updated_at":"2026-06-01T00:00:00Z"}"#, with: Ticket.mapping)
        #expect(ticket.name == "old" && !context.hasChanges)
    }

    @Test func `an unsaved object adopts the row that another context saves first`() throws {
        let ticket = try context.map(#"{"id":1,"name":"mine"}"#, with: Ticket.mapping)[0]
        let other = ObjectContext(store)
        _ = try other.map(#"{"id":1,"name":"theirs","assignee_id":7}"#, with: Ticket.mapping)
        try other.save()
        try context.save()
        #expect(try tickets() == ["1|'mine'|NULL"] && ticket.assigneeID == 7)
        // An object of the app without an identity is the same one after the payload.
        let new = Ticket(in: context)
        new.name = "posted"
        try Ticket.mapping.update(new, from: #"{"id":2}"#)
        #expect(try context.map(#"{"id":2,"name":"again"}"#, with: Ticket.mapping)[0] === new)
        try context.save()
        #expect(try tickets() == ["1|'mine'|NULL", "2|'again'|NULL"])
    }

    @Test func `a tombstone is kept, so that a payload that arrives late does not restore the object`() throws {
        final class Memo: ManagedObject, Mappable {
            @Stored(.identity) var memoID = 0
            @Stored var text = ""
            @Stored(.indexed) var isRemoved = false
            @Stored var version = 0

            static let mapping = Mapping(Memo.self) {
                Attribute("id", \.memoID)
                Attribute("text", \.text)
                Attribute("deleted", \.isRemoved)
                Attribute("version", \.version)
            }
            .modified(by: \.version)
        }
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Memo.self)))
        let deltas = [
            #"[{"id":1,"text":"a","version":1},{"id":2,"text":"b","version":1}]"#,
            #"[{"id":2,"deleted":true,"version":2},{"id":3,"deleted":true,"version":2}]"#,
        ]
        for delta in deltas + deltas {
            _ = try context.map(delta, with: Memo.mapping)
            try context.save()
        }
        let present = Memo.where { $0.isRemoved == false }
        #expect(try context.fetch(present).map(\.memoID) == [1])
        #expect(try context.delete(Memo.where { $0.isRemoved }) == 2)
        #expect(try context.count(Memo.all) == 1)
    }
}

private final class Invoice: ManagedObject, Mappable {
    @Stored(.identity) var invoiceID = 0
    @Stored(.required) var title: String? = nil
    @ToMany(inverse: \InvoiceLine.invoice, deleteRule: .cascade) var lines: [InvoiceLine]

    static let mapping = Mapping(Invoice.self) {
        Attribute("id", \.invoiceID)
        Attribute("title", \.title)
        Relationship("lines", \.lines)
    }
}

private final class InvoiceLine: ManagedObject, Mappable {
    @Stored(.identity) var lineID = 0
    @Stored var amount = 0
    @ToOne(isRequired: true) var invoice: Invoice?

    static let mapping = Mapping(InvoiceLine.self) {
        Attribute("id", \.lineID)
        Attribute("amount", \.amount)
    }
    override func willSave() { if amount == -2 { amount = 2 } }
    override func validateForSave() throws {
        if amount < 0 { throw ValidationFailure("the amount is negative") }
    }
}

/// New objects that a payload leaves incomplete.
@Suite struct DiscardedObjectTests {
    @Test func `new objects that are invalid are discarded with those that require them, and the others are saved`()
        throws
    {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Invoice.self, InvoiceLine.self))
        let context = ObjectContext(store)
        let stored = try context.map(#"{"id":1,"title":"A","lines":[{"id":1},{"id":2}]}"#, with: Invoice.mapping)[0]
        try context.save()
        #expect(context.discardInvalidObjects() == [])

        // Invoice 2 has no title and takes the stored line 2; line 4 is negative; line 5 is valid once it is saved.
        let invoices = try context.map(
            #"[{"id":2,"lines":[{"id":2},{"id":3}]},{"id":3,"title":"C","lines":[{"id":4,"amount":-1},"#
                + #"{"id":5,"amount":-2}]}]"#, with: Invoice.mapping)
        let new = invoices[0].lines + invoices[1].lines
        let failure = #expect(throws: StoreError.self) { try context.save() }
        #expect(failure?.kind == .invalidObjects)
        let problems = context.discardInvalidObjects()
        #expect(
            problems.map { "\($0.object.entity).\($0.property ?? "-"): \($0.message)" }.sorted() == [
                "Invoice.title: a value is required, found nil", "InvoiceLine.-: the amount is negative",
                "InvoiceLine.invoice: an object is required, found nil; assign one, or delete this object",
            ])
        #expect(context.insertedObjects == [invoices[1], new[3]] && invoices[1].lines == [new[3]])
        // A stored object is not removed; it has lost its invoice.
        let rest = #expect(throws: StoreError.self) { try context.save() }
        #expect(rest?.problems.map(\.property) == ["invoice"])
        new[0].invoice = stored
        try context.save()
        #expect(try context.fetch(InvoiceLine.all.sorted(by: \.lineID)).map(\.lineID) == [1, 2, 5])
        #expect(try context.count(Invoice.all) == 2)
    }
}
