import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Random changes of boards, tickets and people, in code and by payloads.
private struct RandomBoards {
    private var random: SeededGenerator
    let store: ManagedObjectStore
    let context: ObjectContext
    /// Keeps the objects in memory.
    private var boards: [Board] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        store = try ManagedObjectStore(inMemory: ObjectModel(Ticket.self, Person.self, Board.self))
        context = ObjectContext(store)
        let people = (0..<3).map { #"{"id":\#($0),"name":"P"}"# }.joined(separator: ",")
        _ = try context.map("[\(people)]", with: Person.mapping)
        for _ in 0..<3 { _ = try context.map(board(), with: Board.mapping) }
        try context.save()
        boards = try context.fetch(Board.all)
        for board in boards { _ = board.tickets }
    }

    private mutating func ticket() -> String {
        let assignee = Int.random(in: 0..<5, using: &random)
        return #"{"id":\#(Int.random(in: 0..<8, using: &random)),"name":"\#(random.next() % 100)","#
            + #""assignee_id":\#(assignee == 4 ? "null" : "\(assignee)")}"#
    }

    private mutating func board(_ suffix: String = "") -> String {
        let tickets =
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in ticket() } + (suffix.isEmpty ? [] : [suffix])
        return #"{"tickets":[\#(tickets.joined(separator: ","))],"key":"B","number":\#(random.next() % 4)}"#
    }

    /// Changes objects of the context in code.
    mutating func edit() throws {
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let boards = try context.fetch(Board.all.sorted(by: \.number))
            let tickets = try context.fetch(Ticket.all.sorted(by: \.ticketID))
            guard let board = boards.randomElement(using: &random), let ticket = tickets.randomElement(using: &random)
            else { return }
            switch random.next() % 6 {
            case 0: ticket.name = "edited"
            case 1: ticket.board = board
            case 2: board.tickets = tickets.shuffled(using: &random)
            case 3: ticket.assignee = nil
            case 4: context.delete(ticket)
            default: Ticket(in: context).board = board
            }
        }
    }

    /// Maps boards, the last one of which has an issue if `fails`.
    mutating func map(fails: Bool) throws {
        let boards = [board(), board(), board(fails ? #"{"id":1,"name":[]}"# : "")]
        _ = try context.map("[\(boards.joined(separator: ","))]", with: Board.mapping)
    }

    /// Maps boards of which the second one has an issue, and skips it.
    mutating func mapSkipping(_ isIncluded: Bool) throws -> Int {
        let boards = [board(), board(#"{"id":1,"name":[]}"#), board()]
        var report = MappingReport(policy: .skipElement)
        let text = (isIncluded ? boards : [boards[0], boards[2]]).joined(separator: ",")
        _ = try context.map("[\(text)]", with: Board.mapping, report: &report)
        return report.rejected.count
    }

    /// The objects of the context with their properties and states.
    func description() throws -> [String] {
        let boards = try context.fetch(Board.all.sorted(by: \.number)).map { board in
            "\(board.number): \(board.tickets.map { "\($0.ticketID) \($0.name)" })"
        }
        let tickets = try context.fetch(Ticket.all).map { ticket in
            "\(ticket.ticketID) \(ticket.name) \(ticket.managed.state) \(ticket.managed.changes.map(\.property).sorted()) "
                + "\(ticket.board?.number ?? -1) \(ticket.assigneeID ?? -1) \(ticket.assignee?.personID ?? -1)"
        }
        let people = try context.fetch(Person.all.sorted(by: \.personID)).map { person in
            "\(person.personID) \(person.managed.state) \(person.tickets.map(\.ticketID).sorted())"
        }
        return boards + tickets.sorted() + people + ["\(context.hasChanges)"]
    }

    /// The rows of the store.
    func rows() throws -> [String] {
        try [
            "SELECT ticketID, name, assigneeID, (SELECT number FROM Board WHERE _id = board), assignee FROM Ticket ORDER BY 1, 2",
            "SELECT b.number, t.ticketID FROM Board b JOIN Board_tickets l ON l.owner = b._id JOIN Ticket t "
                + "ON t._id = l.target ORDER BY 1, l.position",
        ].flatMap { try store.rows(sql: $0).map { $0.values.map(\.description).joined(separator: "|") } }
    }
}

@Suite struct ContextUndoTests {
    @Test(arguments: 0..<40) func `a payload with an issue leaves all objects and unsaved changes unchanged`(
        _ seed: Int
    ) throws {
        var (boards, others) = (try RandomBoards(seed: UInt64(seed)), try RandomBoards(seed: UInt64(seed)))
        try boards.edit()
        try others.edit()
        let (before, updated) = (try boards.description(), boards.context.updatedObjects)
        #expect(throws: MappingError.self) { try boards.map(fails: true) }
        #expect(try boards.description() == before)
        #expect(boards.context.updatedObjects == updated)
        try boards.context.save()
        try others.context.save()
        #expect(try boards.rows() == others.rows())
    }

    @Test(arguments: 0..<40) func `a skipped element has no effect`(
        _ seed: Int
    ) throws {
        var (boards, others) = (try RandomBoards(seed: UInt64(seed)), try RandomBoards(seed: UInt64(seed)))
        try boards.edit()
        try others.edit()
        #expect(try boards.mapSkipping(true) == 1)
        #expect(try others.mapSkipping(false) == 0)
        let difference = try boards.description().difference(from: others.description())
        #expect(difference.isEmpty, "\(difference.map { "\($0)" }.joined(separator: "\n"))")
        try boards.context.save()
        try others.context.save()
        #expect(try boards.rows() == others.rows())
    }
}
