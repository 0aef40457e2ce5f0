import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The classes of a tracker, mapped.
final class Ticket: ManagedObject, Mappable {
    @Stored(.identity) var ticketID = 0
    @Stored(.indexed) var name = ""
    @Stored var assigneeID: Int? = nil
    @Stored var updatedAt: Date? = nil
    @ToOne var assignee: Person?
    @ToOne var board: Board?

    static let mapping = Mapping(Ticket.self) {
        Attribute("id", \.ticketID)
        Attribute("name", \.name)
        Attribute("assignee_id", \.assigneeID)
        Attribute("updated_at", \.updatedAt)
        Connection(\.assignee, by: \.assigneeID)
    }
    .modified(by: \.updatedAt)
}

final class Person: ManagedObject, Mappable {
    @Stored(.identity) var personID = 0
    @Stored var name = ""
    @ToMany(inverse: \Ticket.assignee) var tickets: [Ticket]

    static let mapping = Mapping(Person.self) {
        Attribute("id", \.personID)
        Attribute("name", \.name)
    }
}

final class Board: ManagedObject, Mappable {
    @Stored(.identity) var key = ""
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Ticket.board, isOrdered: true) var tickets: [Ticket]

    static let mapping = Mapping(Board.self) {
        Attribute("key", \.key)
        Attribute("number", \.number)
        Relationship("tickets", \.tickets).policy(.replace)
    }
}

@Suite struct ContextMappingTests {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Ticket.self, Person.self, Board.self))
        context = ObjectContext(store)
    }

    private func expectIssues(
        _ expected: String, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: MappingError.self, sourceLocation: location, performing: body)
        #expect(error?.description == expected, sourceLocation: location)
        #expect(!context.hasChanges, sourceLocation: location)
    }

    @Test func `messages name the wrapped property`() throws {
        expectIssues(
            "1:8 $[0].id: expected an integer, found a string that cannot be converted to an integer "
                + "(rule id -> Ticket.ticketID)"
        ) {
            _ = try context.map(#"[{"id":"x"}]"#, with: Ticket.mapping)
        }
    }

    @Test func `objects are created, found by their identity, and connected in any order`() throws {
        let tickets = try context.map(
            #"[{"id":1,"name":"a","assignee_id":7},{"id":2,"assignee_id":7},{"id":1,"name":"b"}]"#, with: Ticket.mapping
        )
        #expect(tickets.count == 3 && tickets[0] === tickets[2])
        #expect(tickets[0].name == "b" && tickets[0].assignee == nil)
        let people = try context.map(#"{"people":[{"id":7,"name":"Ann"}]}"#, with: Person.mapping, at: "people")
        #expect(tickets[1].assignee === people[0])
        #expect(people[0].tickets == [tickets[0], tickets[1]])
        try context.save()

        let other = ObjectContext(store)
        let again = try other.map(#"{"id":2,"name":"c"}"#, with: Ticket.mapping)
        #expect(again[0].managed.id == tickets[1].managed.id)
        #expect(again[0].assignee?.name == "Ann" && again[0].managed.changes.map(\.property) == ["name"])
        try other.save()
        context.refresh()
        #expect(tickets[1].name == "c")
    }

    @Test func `a compound identity, nested objects and replacement`() throws {
        let boards = try context.map(
            #"[{"key":"A","number":1,"tickets":[{"id":1},{"id":2}]},{"key":"A","number":2}]"#, with: Board.mapping)
        try context.save()
        #expect(boards[0].tickets.map(\.ticketID) == [1, 2] && boards[1].tickets.isEmpty)
        let old = boards[0].tickets[0]
        let again = try context.map(#"{"number":1,"key":"A","tickets":[{"id":3},{"id":2}]}"#, with: Board.mapping)
        #expect(again[0] === boards[0] && again[0].tickets.map(\.ticketID) == [3, 2])
        #expect(old.managed.state == .deleted)
        try context.save()
        context.refresh()
        #expect(boards[0].tickets.map(\.ticketID) == [3, 2])
    }

    @Test func `a replaced object that the payload moves to another owner is kept`() throws {
        let payload = #"[{"key":"A","number":1,"tickets":[{"id":1}]},{"key":"A","number":2}]"#
        let boards = try context.map(payload, with: Board.mapping)
        try context.save()
        let ticket = boards[0].tickets[0]
        let moved = #"[{"key":"A","number":1,"tickets":[]},{"key":"A","number":2,"tickets":[{"id":1}]}]"#
        _ = try context.map(moved, with: Board.mapping)
        #expect(ticket.managed.state == .updated && ticket.board === boards[1] && boards[0].tickets.isEmpty)
    }

    @Test func `a payload with an issue deletes no replaced object`() throws {
        let board = try context.map(#"{"key":"A","number":1,"tickets":[{"id":1}]}"#, with: Board.mapping)[0]
        try context.save()
        let ticket = board.tickets[0]
        #expect(throws: MappingError.self) {
            _ = try context.map(
                #"[{"key":"A","number":1,"tickets":[]},{"key":"A","number":"x"}]"#, with: Board.mapping)
        }
        #expect(ticket.managed.state != .deleted && board.tickets == [ticket] && ticket.board === board)
    }

    @Test func `an object that was changed or inserted in code is found`() throws {
        let ticket = Ticket(in: context)
        ticket.ticketID = 5
        #expect(try context.map(#"{"id":5,"name":"x"}"#, with: Ticket.mapping)[0] === ticket)
        try context.save()
        ticket.ticketID = 6
        #expect(try context.map(#"{"id":6}"#, with: Ticket.mapping)[0] === ticket)
        #expect(try context.map(#"{"id":5}"#, with: Ticket.mapping)[0] !== ticket)
    }

    @Test func `a payload that is not newer leaves the object unchanged`() throws {
        let date = "2026-01-02T00:00:00Z"
        let ticket = try context.map(#"{"id":1,"name":"new","updated_at":"\#(date)"}"#, with: Ticket.mapping)[0]
        try context.save()
        _ = try context.map(#"{"id":1,"name":"old","updated_at":"2026-01-01T00:00:00Z"}"#, with: Ticket.mapping)
        #expect(ticket.name == "new" && !context.hasChanges)
    }

    @Test func `a payload with an issue changes nothing`() throws {
        let ticket = try context.map(#"{"id":1,"name":"a"}"#, with: Ticket.mapping)[0]
        try context.save()
        #expect(throws: MappingError.self) {
            _ = try context.map(#"[{"id":1,"name":"b"},{"id":2,"name":"c"},{"id":3,"name":[]}]"#, with: Ticket.mapping)
        }
        #expect(ticket.name == "a" && context.insertedObjects.isEmpty && ticket.managed.changes.isEmpty)
        var report = MappingReport(policy: .skipElement)
        let tickets = try context.map(
            #"[{"id":1,"name":"b"},{"id":2,"name":[]},{"id":3,"name":"d"}]"#, with: Ticket.mapping, report: &report)
        #expect(tickets.map(\.ticketID) == [1, 3] && context.insertedObjects.count == 1)
    }

    @Test func `an element without its identity is an issue`() throws {
        for payload in [#"[{"name":"a"}]"#, #"[{"id":null}]"#] {
            expectIssues(
                "1:2 $[0]: expected a value for Ticket.ticketID, the identity of the object, found no value"
            ) {
                _ = try context.map(payload, with: Ticket.mapping)
            }
        }
    }

    @Test func `values that are equal to the stored ones are not written again`() throws {
        let text = #"[{"id":1,"name":"a","assignee_id":7}]"#
        _ = try context.map(text, with: Ticket.mapping)
        try context.save()
        let log = StatementLog(store)
        let other = ObjectContext(store)
        _ = try other.map(text, with: Ticket.mapping)
        try other.save()
        #expect(!log.take().contains { $0.hasPrefix("UPDATE") || $0.hasPrefix("INSERT") })
    }

    @Test func `plain models may hold managed objects`() throws {
        struct Page {
            var total = 0
            var tickets: [Ticket] = []
        }
        let mapping = Mapping(Page.init) {
            Attribute("total", \.total)
            Relationship("tickets", \.tickets)
        }
        let page = try context.map(#"{"total":9,"tickets":[{"id":1},{"id":1}]}"#, with: mapping)[0]
        #expect(page.total == 9 && page.tickets.count == 2 && page.tickets[0] === page.tickets[1])
        #expect(context.insertedObjects == [page.tickets[0]])
    }

    @Test func `a managed object is written by its mapping`() throws {
        let ticket = Ticket(in: context)
        (ticket.ticketID, ticket.name) = (3, "x")
        let text = String(decoding: try Ticket.mapping.serialize(ticket), as: UTF8.self)
        #expect(text == #"{"id":3,"name":"x"}"#)
    }

    @Test func `an issue contains the error of a closed store`() throws {
        store.close()
        do throws(MappingError) {
            _ = try context.map(#"[{"id": 1}]"#, with: Ticket.mapping)
            Testing.Issue.record("nothing can be read")
        } catch {
            #expect(error.description.contains("found an error: the store was closed (closed)"), "\(error)")
        }
    }
}
