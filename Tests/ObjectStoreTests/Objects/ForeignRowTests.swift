import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Row numbers that other programs have written, which the package never writes.
@Suite struct ForeignRowTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        folder = try TemporaryDirectory()
        store = try ManagedObjectStore(
            at: folder.file("tickets.sqlite"), model: ObjectModel(Ticket.self, Person.self, Board.self))
        context = ObjectContext(store)
    }

    private func otherProgram(runs sql: String) throws {
        let database = try SQLiteDatabase(path: folder.file("tickets.sqlite").path, mode: .readWrite)
        try database.execute(sql)
        database.close()
    }

    private func expectError(
        _ text: String, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        var error: StoreError?
        do { try await body() } catch let thrown { error = ((thrown as? ImportError)?.cause ?? thrown) as? StoreError }
        #expect(
            error?.kind == .corrupt && error?.message == text, "\(error?.description ?? "-")", sourceLocation: location)
    }

    @Test(arguments: [
        "INSERT INTO Person(_id, personID) VALUES(9223372036854775807, 1)",
        "INSERT INTO _mappingkit VALUES('rows.Person', 9223372036854775807)",
    ]) func `a table whose row numbers are used up is an error of the save and the import`(_ sql: String) async throws {
        try otherProgram(runs: sql)
        let text = "cannot add rows to 'Person': its last row has the number 9223372036854775807"
        let person = Person(in: context)
        person.personID = 7
        await expectError(text) { try context.save() }
        context.rollback()
        await expectError(text) {
            _ = try await store.importJSON(Data(#"[{"id":8}]"#.utf8), with: Person.mapping)
        }
        await expectError(text) {
            _ = try context.map(#"[{"id":9}]"#, with: Person.mapping)
            try context.save()
        }
        #expect(try SeedDatabase(at: folder.file("tickets.sqlite")).damages().isEmpty)
    }

    @Test(arguments: [-5, -1, 0]) func `a row with a number below 1 is an error of reads and imports`(
        _ row: Int
    ) async throws {
        try otherProgram(runs: "INSERT INTO Person(_id, personID) VALUES(\(row), 1)")
        let text = "cannot read row \(row) of 'Person': row numbers must be positive"
        await expectError(text) { _ = try context.fetch(Person.all) }
        await expectError(text) { _ = try await context.fetch(Person.all) }
        await expectError(text) { _ = try context.find(Person.self, 1) }
        await expectError(text) { _ = try context.ids(Person.all) }
        await expectError(text) { _ = try context.snapshots(Person.all) }
        #expect {
            _ = try context.map(#"[{"id":1}]"#, with: Person.mapping)
        } throws: { error in
            (error as? MappingError)?.issues.first?.kind == .dataSource
        }
        await expectError(text) {
            _ = try await store.importJSON(Data(#"[{"id":1,"name":"x"}]"#.utf8), with: Person.mapping)
        }
        await expectError(text) {
            _ = try await store.importJSON(Data(#"[{"id":1,"assignee_id":1}]"#.utf8), with: Ticket.mapping)
        }
        let person = Person(in: context)
        person.personID = 1
        await expectError(text) { try context.save() }
        context.rollback()
        // Other rows are read and added.
        let other = Person(in: context)
        other.personID = 2
        try await context.save()
        #expect(other.managed.id.description == "Person/1")
    }

    @Test(arguments: ["0", "-1", "'x'", "1.5"])
    func `a reference that is not a row number is an error with its column`(_ value: String) async throws {
        // A new object has the temporary row -1.
        let unsaved = Person(in: context)
        try otherProgram(runs: "INSERT INTO Ticket(_id, ticketID, assignee) VALUES(1, 1, \(value))")
        let ticket = try #require(try await context.fetch(Ticket.all).first)
        #expect(ticket.assignee == nil && unsaved.tickets.isEmpty && ticket.managed.error?.kind == .corrupt)
        #expect(
            ticket.managed.error?.message
                == "row 1 of 'Ticket': the column 'assignee' must be NULL or the number of a row of 'Person'")
        ticket.name = "x"
        await expectError(ticket.managed.error?.message ?? "-") { try context.save() }
        context.rollback()
        let person = Person(in: context)
        person.personID = 50
        try await context.save()
        #expect(try store.write(sql: "UPDATE Ticket SET assignee = 1") == 1)
        #expect(try await context.fetch(Ticket.all).first?.assignee === person)
    }

    @Test(arguments: [("'x'", "a value of type text"), ("1.5", "a value of type real"), ("0", "one below 1")])
    func `a link that is not a row number is an error with its table`(_ value: String, _ found: String) async throws {
        for number in 1...2 {
            let (board, ticket) = (Board(in: context), Ticket(in: context))
            (board.number, ticket.ticketID, board.tickets) = (number, number, [ticket])
        }
        try await context.save()
        try otherProgram(runs: "INSERT INTO Board_tickets(owner, target, position) VALUES(1, \(value), 5)")
        let text =
            "row 1 of 'Board': the table \"Board_tickets\" must contain the numbers of rows of 'Ticket', but contains "
            + found
        for query in [Board.all, Board.all.prefetch(\.tickets)] {
            let other = ObjectContext(store)
            let boards = try await other.fetch(query.sorted(by: \.number))
            // Both are read together.
            #expect(boards[1].tickets.map(\.ticketID) == [2] && boards[1].managed.error == nil)
            #expect(boards[0].tickets.isEmpty && boards[0].managed.error?.message == text)
            boards[0].key = "x"
            await expectError(text) { try other.save() }
        }
    }

    @Test(arguments: ["x", "7", #"["x"]"#, #"{"a":1}"#])
    func `A list of keys that cannot be read is an error of the import`(_ keys: String) async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(KeyShelf.self, Volume.self))
        let first = #"[{"id":1,"shown":true,"volumes":[3]}]"#
        _ = try await store.importJSON(Data(first.utf8), with: KeyShelf.mapping)
        _ = try await store.importJSON(Data(#"[{"id":3}]"#.utf8), with: Volume.mapping)
        try store.write(sql: "UPDATE KeyShelf SET volumeIDs = ?", arguments: [.text(keys)])
        await expectError("row 1 of 'KeyShelf': the value of the column 'volumeIDs' cannot be read as [integer]") {
            _ = try await store.importJSON(Data(#"[{"id":1,"shown":true}]"#.utf8), with: KeyShelf.mapping)
        }
        #expect(try store.rows(sql: "SELECT count(*) AS n FROM KeyShelf_volumes")[0]["n"] == .integer(1))
    }

    @Test func `a full table of pending connections is an error of the import`() async throws {
        try otherProgram(
            runs: "INSERT INTO _mappingkit_pending(rowid, entity) VALUES(9223372036854775807, 'Other')")
        await expectError("cannot add rows to '_mappingkit_pending': its last row has the number 9223372036854775807") {
            _ = try await store.importJSON(Data(#"[{"id":1,"assignee_id":7}]"#.utf8), with: Ticket.mapping)
        }
        #expect(try await context.count(Ticket.all) == 0)
    }

    @Test func `a mark that is not a number is ignored`() throws {
        try otherProgram(runs: "INSERT INTO _mappingkit VALUES('rows.Person', 'x'), ('rows.Ticket', -4)")
        let (person, ticket) = (Person(in: context), Ticket(in: context))
        (person.personID, ticket.ticketID) = (1, 1)
        try context.save()
        #expect(person.managed.id.description == "Person/1" && ticket.managed.id.description == "Ticket/1")
    }
}

private final class Volume: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    static let mapping = Mapping(Volume.self) { Attribute("id", \.id) }
}

private final class KeyShelf: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var isShown: Bool? = nil
    @Stored var volumeIDs: [Int] = []
    @ToMany(inverse: nil) var volumes: [Volume]
    static let mapping = Mapping(KeyShelf.self) {
        Attribute("id", \.id)
        Attribute("shown", \.isShown)
        Attribute("volumes", \.volumeIDs)
        Connection(\.volumes, by: \.volumeIDs).when(\.isShown, equals: true)
    }
}
