import ObjectMapping
import Testing

@testable import ObjectStore

/// Payloads with objects of several types, mapped into a context.
@Suite struct ContextPayloadTests {
    private struct Page {
        var total = 0
        var latest: Ticket?
        static let mapping = Mapping(Page.init) {
            Attribute("total", \.total)
            Relationship("latest", \.latest)
        }
    }

    private static let payload = PayloadMapping {
        Root("tickets", Ticket.mapping)
        Root("people", Person.mapping)
        Root("boards", Board.mapping)
        Root("page", Page.mapping)
    }
    private static let tickets = #""tickets":[{"id":1,"name":"a","assignee_id":7},{"id":2,"assignee_id":8}]"#
    private static let others =
        #""people":[{"id":7,"name":"Ann"}],"boards":[{"key":"A","number":1,"tickets":[{"id":2},{"id":1}]}]"#
    private static let page = #""page":{"total":2,"latest":{"id":2,"name":"b"}}"#

    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Ticket.self, Person.self, Board.self))
        context = ObjectContext(store)
    }

    @Test(arguments: [[tickets, others, page], [page, others, tickets], [others, page, tickets]])
    func `objects of several roots are shared and connected in any order`(_ roots: [String]) throws {
        let result = try context.map("{\(roots.joined(separator: ","))}", with: Self.payload)
        let tickets = result[Ticket.self]
        #expect(tickets.map(\.ticketID) == [1, 2] && tickets.map(\.name) == ["a", "b"])
        #expect(tickets[0].assignee === result.first(Person.self) && tickets[0].assignee?.name == "Ann")
        #expect(result.first(Board.self)?.tickets == [tickets[1], tickets[0]])
        #expect(result.first(Page.self)?.latest === tickets[1] && result.first(Page.self)?.total == 2)
        #expect(try context.count(Ticket.all) == 0, "saved before save()")
        try context.save()

        // The target that is missing waits in the file.
        let other = ObjectContext(store)
        let again = try other.map(#"{"people":{"id":8},"tickets":{"id":1}}"#, with: Self.payload)
        try other.save()
        #expect(again.first(Ticket.self)?.assignee?.name == "Ann")
        context.refresh()
        #expect(tickets[1].assignee?.personID == 8)
    }

    @Test func `an issue of one root leaves the context unchanged`() throws {
        let ticket = try context.map(#"{"id":1,"name":"a"}"#, with: Ticket.mapping)[0]
        try context.save()
        let text = #"{"tickets":[{"id":1,"name":"b"},{"id":2}],"people":[{"id":"x"}]}"#
        let error = #expect(throws: MappingError.self) { _ = try context.map(text, with: Self.payload) }
        #expect(
            error?.description == "1:59 $.people[0].id: expected an integer, found a string that cannot be converted "
                + "to an integer (rule id -> Person.personID)")
        #expect(ticket.name == "a" && !context.hasChanges && context.insertedObjects.isEmpty)

        var report = MappingReport(policy: .skipElement)
        let result = try context.map(text, with: Self.payload, report: &report)
        #expect(result[Ticket.self].count == 2 && result[Person.self].isEmpty && ticket.name == "b")
        #expect(report.rejected.map(\.path) == ["$.people[0]"])
        // The next payload finds the context in order.
        #expect(try context.map(#"{"tickets":{"id":2}}"#, with: Self.payload).first(Ticket.self)?.ticketID == 2)
    }
}
