import Dispatch
import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ImportTests {
    private let folder: TemporaryDirectory
    private let store: ManagedObjectStore

    init() throws {
        folder = try TemporaryDirectory()
        store = try Self.store(at: folder.file("store.sqlite"))
    }

    private static func store(at url: URL) throws -> ManagedObjectStore {
        try ManagedObjectStore(at: url, model: ObjectModel(Ticket.self, Person.self, Board.self))
    }

    /// The rows of a query, one per line, with bars between the values.
    private func rows(_ sql: String, in store: ManagedObjectStore? = nil) throws -> [String] {
        try (store ?? self.store).read { (connection) throws(StoreError) in
            let statement = try connection.database.prepare(sql)
            var lines: [String] = []
            while try statement.step() {
                lines.append(
                    statement.columnNames.indices.map { text(of: statement.value(at: $0)) }.joined(separator: "|"))
            }
            return lines
        }
    }

    private func text(of value: StoredValue) -> String { value.text ?? value.description }

    /// Everything in the tables of a store.
    private func dump(_ store: ManagedObjectStore? = nil) throws -> [String] {
        try ["Ticket", "Person", "Board", "Board_tickets"].flatMap { table in
            try [table] + rows("SELECT * FROM \(table)", in: store)
        } + rows("SELECT entity, row, relationship, key FROM _mappingkit_pending", in: store)
    }

    private static let tickets = #"[{"id":1,"name":"a","assignee_id":7},{"id":2,"name":"b","assignee_id":8},{"id":3}]"#
    private static let people = #"{"people":[{"id":7,"name":"Ann"},{"id":8,"name":"Bob"}]}"#

    @discardableResult private func importTickets(
        _ text: String = tickets, into store: ManagedObjectStore? = nil, commit: ImportCommit = .once,
        skipping: Bool = false
    ) async throws -> ImportReport {
        try await (store ?? self.store).importJSON(
            Data(text.utf8), with: Ticket.mapping, commit: commit, skipsInvalidElements: skipping)
    }

    @discardableResult private func importPeople(into store: ManagedObjectStore? = nil) async throws -> ImportReport {
        try await (store ?? self.store).importJSON(Data(Self.people.utf8), with: Person.mapping, at: "people")
    }

    // MARK: Rows

    @Test func `rows are inserted, updated by their identity, and not written if they are equal`() async throws {
        var report = try await importTickets()
        #expect(report.elements == 3 && report["Ticket"]?.inserted == 3 && report["Ticket"]?.waiting == 2)
        let log = StatementLog(store)
        report = try await importTickets()
        #expect(report["Ticket"]?.unchanged == 3 && report["Ticket"]?.inserted == 0)
        #expect(!log.take().contains { $0.hasPrefix("UPDATE") || $0.hasPrefix("INSERT") || $0.hasPrefix("DELETE") })
        report = try await importTickets(#"[{"id":2,"name":"c"},{"id":4,"name":"d"}]"#)
        #expect(report["Ticket"]?.updated == 1 && report["Ticket"]?.inserted == 1)
        #expect(
            try rows("SELECT _id, ticketID, name, assigneeID FROM Ticket") == [
                "1|1|a|7", "2|2|c|8", "3|3||NULL", "4|4|d|NULL",
            ])
    }

    @Test func `a row with an identity that occurs twice in a payload is written once`() async throws {
        let report = try await importTickets(#"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#)
        #expect(report["Ticket"]?.inserted == 1 && report["Ticket"]?.updated == 1)
        #expect(report.description == "2 elements imported\nTicket: 1 inserted, 1 updated")
        #expect(report.inserted == 1 && report.updated == 1 && report.unchanged == 0 && report.deleted == 0)
        #expect(try rows("SELECT ticketID, name FROM Ticket") == ["1|b"])
    }

    @Test func `a payload that is not newer leaves the row unchanged`() async throws {
        try await importTickets(#"[{"id":1,"name":"new","updated_at":"2026-01-02T00:00:00Z"}]"#)
        let report = try await importTickets(#"[{"id":1,"name":"old","updated_at":"2026-01-02T00:00:00Z"}]"#)
        #expect(report["Ticket"]?.unchanged == 1)
        try await importTickets(#"[{"id":1,"assignee_id":7,"updated_at":"2026-01-03T00:00:00Z"}]"#)
        #expect(try rows("SELECT name, assigneeID FROM Ticket") == ["new|7"])
    }

    @Test func `row numbers of deleted objects are not used again`() async throws {
        try await importTickets()
        try await store.perform { context in
            for ticket in try context.fetch(Ticket.where { $0.ticketID > 1 }) { context.delete(ticket) }
            try context.save()
        }
        try await importTickets(#"{"id":9}"#)
        #expect(try rows("SELECT _id, ticketID FROM Ticket") == ["1|1", "4|9"])
    }

    @Test func `an import writes the rows that a save of objects writes`() async throws {
        let text =
            #"{"key":"A","number":1,"tickets":[{"id":2,"name":"b","updated_at":"2026-01-02T03:04:05.678Z"},{"id":1}]}"#
        _ = try await store.importJSON(Data(text.utf8), with: Board.mapping)
        let other = try Self.store(at: folder.file("other.sqlite"))
        let context = ObjectContext(other)
        _ = try await context.map(text, with: Board.mapping)
        try await context.save()
        #expect(try dump() == dump(other))
        try #expect(SeedDatabase(at: folder.file("store.sqlite")).damages().isEmpty)
    }

    // MARK: Relationships

    @Test func `connections have the same rows in any order of payloads`() async throws {
        let first = try await importTickets()
        #expect(first["Ticket"]?.waiting == 2 && first["Ticket"]?.connected == 0)
        #expect(try rows("SELECT row, key FROM _mappingkit_pending") == ["1|[7]", "2|[8]"])
        let second = try await importPeople()
        #expect(second["Ticket"]?.connected == 2)
        let other = try Self.store(at: folder.file("other.sqlite"))
        try await importPeople(into: other)
        let last = try await importTickets(into: other)
        #expect(last["Ticket"]?.connected == 2 && last["Ticket"]?.waiting == 0)
        #expect(try dump() == dump(other))
        #expect(try rows("SELECT assignee FROM Ticket ORDER BY _id") == ["1", "2", "NULL"])
        try #expect(SeedDatabase(at: folder.file("store.sqlite")).damages().isEmpty)
    }

    @Test(arguments: [true, false])
    func `pending connections of an import are set by a save, and vice versa`(_ importsFirst: Bool)
        async throws
    {
        func save(_ body: @escaping @Sendable (ObjectContext) throws -> Void) async throws {
            try await store.perform { context in
                try body(context)
                try context.save()
            }
        }
        if importsFirst {
            try await importTickets()
            try await save { _ = try $0.map(Self.people, with: Person.mapping, at: "people") }
        } else {
            try await save { _ = try $0.map(Self.tickets, with: Ticket.mapping) }
            #expect(try rows("SELECT count(*) FROM _mappingkit_pending") == ["2"])
            try await importPeople()
        }
        let connected = "SELECT Ticket.name, Person.name FROM Ticket JOIN Person ON Person._id = assignee ORDER BY 1"
        #expect(try rows(connected) == ["a|Ann", "b|Bob"])
        #expect(try rows("SELECT count(*) FROM _mappingkit_pending") == ["0"])
    }

    @Test func `a connection waits across processes, and follows a key that changes`() async throws {
        try await importTickets()
        store.close()
        let again = try Self.store(at: folder.file("store.sqlite"))
        try await importTickets(#"[{"id":1,"assignee_id":8},{"id":2,"assignee_id":null}]"#, into: again)
        #expect(try rows("SELECT row, key FROM _mappingkit_pending", in: again) == ["1|[8]"])
        try await importPeople(into: again)
        #expect(try rows("SELECT assignee FROM Ticket ORDER BY _id", in: again) == ["2", "NULL", "NULL"])
        try await importTickets(#"[{"id":1,"assignee_id":99}]"#, into: again)
        #expect(try rows("SELECT assignee FROM Ticket WHERE ticketID = 1", in: again) == ["NULL"])
    }

    @Test func `nested objects replace a list, move between lists, and are deleted without an owner`() async throws {
        func importBoards(_ text: String) async throws -> ImportReport {
            try await store.importJSON(Data(text.utf8), with: Board.mapping)
        }
        _ = try await importBoards(
            #"[{"key":"A","number":1,"tickets":[{"id":1},{"id":2},{"id":3}]},{"key":"A","number":2,"tickets":[]}]"#)
        #expect(try rows("SELECT * FROM Board_tickets") == ["1|1|0", "1|2|1", "1|3|2"])
        let report = try await importBoards(
            #"[{"key":"A","number":1,"tickets":[{"id":3}]},{"key":"A","number":2,"tickets":[{"id":1}]}]"#)
        #expect(report["Board"]?.updated == 2 && report["Ticket"]?.deleted == 1)
        #expect(try rows("SELECT * FROM Board_tickets") == ["1|3|0", "2|1|0"])
        #expect(try rows("SELECT ticketID, board FROM Ticket") == ["1|2", "3|1"])
        let same = try await importBoards(#"[{"key":"A","number":1,"tickets":[{"id":3}]}]"#)
        #expect(same["Board"]?.unchanged == 1 && same["Ticket"]?.unchanged == 1)
        try #expect(SeedDatabase(at: folder.file("store.sqlite")).damages().isEmpty)
    }

    @Test func `the two sides of many-to-many and one-to-one relationships agree`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Club.self, Member.self))
        func importClubs(_ text: String) async throws -> [String] {
            _ = try await store.importJSON(Data(text.utf8), with: Club.mapping)
            return try rows("SELECT clubID, head FROM Club ORDER BY 1", in: store)
                + rows("SELECT headOf FROM Member ORDER BY _id", in: store)
                + rows("SELECT owner, target FROM Club_members ORDER BY 1, 2", in: store)
        }
        let first = try await importClubs(
            #"[{"id":1,"head":{"id":1},"members":[{"id":1},{"id":2}]},{"id":2,"head":{"id":2},"members":[{"id":2}]}]"#)
        #expect(first == ["1|1", "2|2", "1", "2", "1|1", "1|2", "2|2"])
        let second = try await importClubs(#"[{"id":2,"head":{"id":1},"members":[{"id":1}]}]"#)
        #expect(second == ["1|NULL", "2|1", "2", "NULL", "1|1", "1|2", "2|1"])
    }

    @Test func `no statement of an import scans a table`() async throws {
        let log = StatementLog(store)
        // It is still pending: the table is emptied only if nothing is pending.
        try await importTickets(#"[{"id":9,"assignee_id":98}]"#)
        try await importTickets()
        try await importPeople()
        try await importTickets(#"[{"id":1,"assignee_id":99},{"id":2,"name":"x","assignee_id":7}]"#)
        for text in [
            #"[{"key":"A","number":1,"tickets":[{"id":1},{"id":2}]}]"#,
            #"[{"key":"A","number":1,"tickets":[{"id":2}]}]"#,
        ] {
            _ = try await store.importJSON(Data(text.utf8), with: Board.mapping)
        }
        let plans = try log.expectNoScans(in: store, atLeast: 21)
        let removal = plans.first { sql, _ in sql.hasPrefix("DELETE") && sql.contains("_mappingkit_arrived\" CROSS") }
        // Without the row it would read all connections of the relationship.
        #expect(removal?.value.contains { $0.hasSuffix("(entity=? AND row=? AND relationship=?)") } == true)
    }

    @Test(arguments: [ImportCommit.once, .every(1), .every(2)])
    func `a key that changes after its target arrived connects the new target`(commit: ImportCommit) async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Branch.self))
        let text =
            #"[{"id":1,"parent":2},{"id":3,"parent":2},{"id":2,"parent":2},{"id":1,"parent":4},{"id":5,"parent":3}]"#
        let report = try await store.importJSON(Data(text.utf8), with: Branch.mapping, commit: commit)
        #expect(try rows("SELECT _id, parent FROM Branch ORDER BY 1", in: store) == ["1|NULL", "2|3", "3|3", "4|2"])
        #expect(try rows("SELECT row, key FROM _mappingkit_pending", in: store) == ["1|[4]"])
        #expect(report["Branch"]?.inserted == 4 && report.elements == 5)
    }

    @Test func `pending connections of a seed are set by the first import`() async throws {
        let ticket = try #require(store.model.entity(named: "Ticket"))
        let url = folder.file("seeded.sqlite")
        _ = try Self.store(at: url).close()
        let database = try SQLiteDatabase(path: url.path, mode: .readWrite)
        try database.execute(
            #"""
            DROP INDEX "_mappingkit_index_pending_row";
            INSERT INTO "Ticket"("_id", "ticketID", "name", "assigneeID") VALUES(1, 5, 'a', 7);
            INSERT INTO "_mappingkit_pending" VALUES('\#(ticket.name)', 1, 'assignee', '[7]');
            """#)
        database.close()
        let report = try await importPeople(into: Self.store(at: url))
        #expect(report["Ticket"]?.connected == 1 && report["Ticket"]?.waiting == 0)
        let seed = try SeedDatabase(at: url)
        #expect(try seed.value(sql: "SELECT assignee FROM Ticket")?.integer == 1)
        #expect(try seed.value(sql: "SELECT count(*) FROM _mappingkit_pending")?.integer == 0)
    }

    // MARK: Contexts

    @Test func `contexts see imported values at their next fetch and keep unsaved changes`() async throws {
        try await importTickets()
        let context = ObjectContext(store)
        let tickets = try await context.fetch(Ticket.where { $0.ticketID > 0 }.sorted(by: \.ticketID))
        #expect(tickets.map(\.name) == ["a", "b", ""])
        tickets[1].name = "mine"
        try await importTickets(#"[{"id":1,"name":"x"},{"id":2,"name":"y","assignee_id":7}]"#)
        #expect(tickets[0].name == "a")
        _ = try await context.fetch(Ticket.where { $0.ticketID == 3 })
        #expect(tickets[0].name == "x" && tickets[1].name == "mine" && tickets[1].assigneeID == 7)
    }

    // MARK: Failures

    private func message(of error: ImportError?) -> String { error.map { "\($0.cause)" } ?? "" }

    private static func elements(_ count: Int, bad: Int? = nil) -> String {
        "[" + (1...count).map { #"{"id":\#($0),"name":\#($0 == bad ? "[]" : "\"n\"")}"# }.joined(separator: ",\n") + "]"
    }

    @Test(arguments: [ImportCommit.once, .every(3)])
    func `a batch with an issue is not written, the batches before it are`(commit: ImportCommit) async throws {
        let error = await #expect(throws: ImportError.self) {
            try await importTickets(Self.elements(10, bad: 8), commit: commit)
        }
        let count = commit == .once ? 0 : 6
        #expect(error?.committed.elements == count && error?.line == 8 && error?.column == 16)
        #expect(error?.committed["Ticket"]?.inserted == count)
        #expect(message(of: error).hasPrefix("8:16 $[7].name: expected a string"))
        #expect(try rows("SELECT count(*) FROM Ticket") == ["\(count)"])
    }

    @Test func `elements with issues are skipped if the import allows it`() async throws {
        let report = try await importTickets(
            #"[{"id":1},{"name":"x"},{"id":"x"},{"id":2}]"#, skipping: true)
        #expect(report.elements == 2 && report.skipped == 2)
        #expect(
            report.issues.map(\.description) == [
                "1:11 $[1]: expected a value for Ticket.ticketID, the identity of the object, found no value",
                "1:30 $[2].id: expected an integer, found a string that cannot be converted to an integer "
                    + "(rule id -> Ticket.ticketID)",
            ])
    }

    @Test func `an object without a required attribute is refused or skipped`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Titled.self))
        let text = #"[{"id":1,"title":"a"},{"id":2},{"id":1,"title":null}]"#
        let error = await #expect(throws: ImportError.self) {
            try await store.importJSON(Data(text.utf8), with: Titled.mapping)
        }
        #expect(error?.element == 1 && error?.column == 23)
        #expect((error?.cause as? StoreError)?.message == "cannot import an object of Titled: title is required")
        let report = try await store.importJSON(Data(text.utf8), with: Titled.mapping, skipsInvalidElements: true)
        #expect(report.skipped == 2 && report["Titled"]?.inserted == 1 && report["Titled"]?.updated == 0)
        #expect(try rows("SELECT titledID, title FROM Titled", in: store) == ["1|a"])
    }

    @Test func `a mapping without rows is an error before anything is written`() async throws {
        let mapping = Mapping(Ticket.self) {
            Attribute("id", \.ticketID)
            Dynamic("board", \.board) { Match { _ in Board.mapping } }
        }
        let error = await #expect(throws: ImportError.self) {
            try await store.importJSON(Data(Self.tickets.utf8), with: mapping)
        }
        #expect(message(of: error).contains("a case with a fixed mapping, for rows in the mapping of Board"))
        #expect(try rows("SELECT count(*) FROM Ticket") == ["0"])
    }

    // MARK: Files, progress, cancellation

    @Test func `a file is imported in batches with progress`() async throws {
        let file = folder.file("tickets.json")
        try Data(Self.elements(10).utf8).write(to: file)
        let counts = Mutex<[Int]>([])
        let report = try await store.importJSON(file, with: Ticket.mapping, commit: .every(4)) { report in
            counts.withLock { $0.append(report.elements) }
        }
        #expect(report.elements == 10 && counts.withLock { $0 } == [4, 8, 10])
    }

    @Test func `a cancelled import keeps complete batches only`() async throws {
        let text = Data(Self.elements(1000).utf8)
        let cancelled = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [store] in
            try await store.importJSON(text, with: Ticket.mapping, commit: .every(10)) { report in
                guard report.elements == 200 else { return }
                start.finish()
                cancelled.wait()
            }
        }
        for await _ in started {}
        task.cancel()
        cancelled.signal()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try rows("SELECT count(*) FROM Ticket") == ["200"])
    }

    @Test func `an import that is cancelled at any moment leaves complete batches only`() async throws {
        let text = Data(Self.elements(200).utf8)
        for moment in 0..<100 {
            let store = try ManagedObjectStore(inMemory: ObjectModel(Ticket.self, Person.self, Board.self))
            let task = Task { try await store.importJSON(text, with: Ticket.mapping, commit: .every(20)) }
            try await Task.sleep(for: .microseconds(moment * 200))
            task.cancel()
            let result = await task.result
            let count = try #require(try Int(rows("SELECT count(*) FROM Ticket", in: store)[0]))
            switch result {
            case .success(let report): #expect(count == 200 && report.elements == 200)
            case .failure(let error): #expect(error is CancellationError && count % 20 == 0)
            }
        }
    }

    @Test(arguments: killMoments(4, upTo: 60))
    func `a process that is killed during an import leaves complete batches only`(milliseconds: Int) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, milliseconds = milliseconds as Int] in
            let store = try Self.store(at: URL(fileURLWithPath: path + "/killed.sqlite"))
            let text = Data(Self.elements(200_000).utf8)
            DispatchQueue(label: "kill").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                kill(getpid(), SIGKILL)
            }
            _ = try await store.importJSON(text, with: Ticket.mapping, commit: .every(50))
        }
        let seed = try SeedDatabase(at: folder.file("killed.sqlite"))
        #expect(try seed.damages().isEmpty)
        #expect(try seed.count(of: "Ticket") % 50 == 0)
    }

    @Test func `concurrent imports of overlapping identities lose nothing and make no duplicates`() async throws {
        // Import n has the tickets from n and the people from n / 2: most identities come with several imports.
        try await withThrowingTaskGroup(of: Void.self) { [store] group in
            for number in 0..<32 {
                group.addTask {
                    let tickets = (number..<number + 20).map { #"{"id":\#($0),"name":"n","assignee_id":\#($0 / 2)}"# }
                    let people = (number / 2..<number / 2 + 10).map { #"{"id":\#($0),"name":"p"}"# }
                    _ = try await store.importJSON(
                        Data("[\(tickets.joined(separator: ","))]".utf8), with: Ticket.mapping, commit: .every(7))
                    _ = try await store.importJSON(
                        Data("[\(people.joined(separator: ","))]".utf8), with: Person.mapping, commit: .every(3))
                }
            }
            try await group.waitForAll()
        }
        #expect(try rows("SELECT count(*), min(ticketID), max(ticketID) FROM Ticket") == ["51|0|50"])
        #expect(try rows("SELECT count(*), count(DISTINCT personID) FROM Person") == ["25|25"])
        #expect(
            try rows("SELECT count(*) FROM Ticket JOIN Person ON Person._id = assignee WHERE personID = assigneeID")
                == ["50"])
        // Row numbers depend on which import was first.
        #expect(
            try rows("SELECT ticketID, key FROM _mappingkit_pending JOIN Ticket ON Ticket._id = row") == ["50|[25]"])
    }
}

final class Club: ManagedObject, Mappable {
    @Stored(.identity) var clubID = 0
    @ToOne(inverse: \Member.headOf) var head: Member?
    @ToMany(inverse: \Member.clubs) var members: [Member]

    static let mapping = Mapping(Club.self) {
        Attribute("id", \.clubID)
        Relationship("head", \.head)
        Relationship("members", \.members)
    }
}

final class Member: ManagedObject, Mappable {
    @Stored(.identity) var memberID = 0
    @ToOne var headOf: Club?
    @ToMany var clubs: [Club]

    static let mapping = Mapping(Member.self) { Attribute("id", \.memberID) }
}

final class Titled: ManagedObject, Mappable {
    @Stored(.identity) var titledID = 0
    @Stored(.required) var title: String? = nil

    static let mapping = Mapping(Titled.self) {
        Attribute("id", \.titledID)
        Attribute("title", \.title)
    }
}

final class Branch: ManagedObject, Mappable {
    @Stored(.identity) var branchID = 0
    @Stored var parentID: Int? = nil
    @ToOne var parent: Branch?
    @ToMany(inverse: \Branch.parent) var branches: [Branch]

    static let mapping = Mapping(Branch.self) {
        Attribute("id", \.branchID)
        Attribute("parent", \.parentID)
        Connection(\.parent, by: \.parentID)
    }
}
