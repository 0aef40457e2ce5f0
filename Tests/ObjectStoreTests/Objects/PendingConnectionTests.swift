import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Player: ManagedObject, Mappable {
    @Stored(.identity) var club = ""
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Goal.player) var goals: [Goal]

    static let mapping = Mapping(Player.self) {
        Attribute("club", \.club)
        Attribute("number", \.number)
    }
}

private final class Goal: ManagedObject, Mappable {
    @Stored(.identity) var goalID = 0
    @Stored var club: String? = nil
    @Stored var number: Int? = nil
    @ToOne var player: Player?

    static let mapping = Mapping(Goal.self) {
        Attribute("id", \.goalID)
        Attribute("club", \.club)
        Attribute("number", \.number)
        Connection(\.player, by: \.club, \.number)
    }
}

@Suite struct PendingConnectionTests {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: Self.model())
        context = ObjectContext(store)
    }

    private static func model() throws -> ObjectModel {
        try ObjectModel(
            Ticket.self, Person.self, Board.self, Player.self, Goal.self, Song.self, Record.self, Playlist.self,
            Lyrics.self)
    }

    /// Maps a payload and saves it.
    @discardableResult
    private func load<Model>(
        _ payload: String, _ mapping: Mapping<Model>, in context: ObjectContext? = nil
    ) throws -> [Model] {
        let context = context ?? self.context
        let models = try context.map(payload, with: mapping)
        try context.save()
        return models
    }

    private func pending() throws -> [String] { try rows("SELECT * FROM _mappingkit_pending ORDER BY rowid") }

    private func rows(_ sql: String) throws -> [String] {
        try store.rows(sql: sql).map { $0.values.map(\.description).joined(separator: "|") }
    }

    @Test func `a connection waits in the file until another context saves its target`() throws {
        let ticket = try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)[0]
        #expect(ticket.assignee == nil)
        #expect(try pending() == ["'Ticket'|1|'assignee'|'[7]'"])

        let other = ObjectContext(store)
        let person = try load(#"[{"id":7,"name":"Ann"}]"#, Person.mapping, in: other)[0]
        #expect(try pending().isEmpty)
        #expect(try rows("SELECT assignee FROM Ticket") == ["1"])
        #expect(person.tickets.map(\.ticketID) == [1])
        let third = ObjectContext(store)
        #expect(try third.find(Ticket.self, 1)?.assignee?.name == "Ann")
    }

    @Test func `objects in memory follow the save that connects them`() throws {
        let ticket = try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)[0]
        let person = Person(in: context)
        person.personID = 7
        #expect(person.tickets.isEmpty)
        try context.save()
        #expect(ticket.assignee === person)
        #expect(person.tickets.count == 1 && person.tickets[0] === ticket)
        #expect(!context.hasChanges)
    }

    @Test func `an object that receives the identity later is a target, too`() throws {
        let person = Person(in: context)
        try context.save()
        let ticket = try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)[0]
        person.personID = 7
        try context.save()
        #expect(ticket.assignee === person)
        #expect(try pending().isEmpty)
    }

    @Test func `a target that was saved between the payload and the save is connected`() throws {
        let ticket = try context.map(#"[{"id":1,"assignee_id":7}]"#, with: Ticket.mapping)[0]
        try load(#"[{"id":7,"name":"Ann"}]"#, Person.mapping, in: ObjectContext(store))
        try context.save()
        #expect(ticket.assignee?.name == "Ann")
        #expect(try pending().isEmpty)
    }

    @Test func `all parts of a compound key must match`() throws {
        let goals = try load(
            #"[{"id":1,"club":"A","number":9},{"id":2,"club":"B","number":9},{"id":3,"club":"A"}]"#, Goal.mapping)
        #expect(try pending() == [#"'Goal'|1|'player'|'["A",9]'"#, #"'Goal'|2|'player'|'["B",9]'"#])
        try load(#"[{"club":"B","number":9},{"club":"B","number":1}]"#, Player.mapping)
        #expect(goals.map { $0.player?.club } == [nil, "B", nil])
        #expect(try pending() == [#"'Goal'|1|'player'|'["A",9]'"#])
    }

    @Test(arguments: [[1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2]])
    func `lists are in the order of their keys, in whatever order the targets are saved`(_ order: [Int]) throws {
        let record = try load(#"[{"id":1,"songs":[4,1,3,2]}]"#, Record.mapping)[0]
        let playlist = try load(#"[{"id":1,"songs":[2,3,1,4]}]"#, Playlist.mapping)[0]
        for id in order { try load(#"[{"id":\#(id)}]"#, Song.mapping) }
        #expect(record.songs.map(\.songID) == [4, 1, 3, 2])
        #expect(playlist.songs.map(\.songID) == [2, 3, 1, 4])
        #expect(try pending().isEmpty)
        let other = ObjectContext(store)
        #expect(try other.find(Record.self, 1)?.songs.map(\.songID) == [4, 1, 3, 2])
        #expect(try other.find(Playlist.self, 1)?.songs.map(\.songID) == [2, 3, 1, 4])
    }

    @Test func `a list with missing targets can be changed, and the others are appended`() throws {
        try load(#"[{"id":1},{"id":4},{"id":5}]"#, Song.mapping)
        let record = try load(#"[{"id":1,"songs":[1,2,3,4]}]"#, Record.mapping)[0]
        let song = try #require(try context.find(Song.self, 5))
        record.songs.append(song)
        try context.save()
        try load(#"[{"id":3},{"id":2}]"#, Song.mapping)
        #expect(record.songs.map(\.songID) == [1, 4, 5, 2, 3])
    }

    @Test func `the last of several rows receives the target of a one-to-one, the others wait`() throws {
        let lyrics = try load(#"[{"id":1,"song":5},{"id":2,"song":5}]"#, Lyrics.mapping)
        let song = try load(#"[{"id":5}]"#, Song.mapping)[0]
        #expect(lyrics.map { $0.song?.songID } == [nil, 5])
        #expect(song.lyrics === lyrics[1])
        #expect(try rows("SELECT lyrics FROM Song") == ["2"])
        #expect(try pending() == ["'Lyrics'|1|'song'|'[5]'"])
    }

    @Test func `new keys replace pending keys`() throws {
        try load(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":7}]"#, Ticket.mapping)
        try load(#"[{"id":1,"assignee_id":8},{"id":2,"assignee_id":null}]"#, Ticket.mapping)
        #expect(try pending() == ["'Ticket'|1|'assignee'|'[8]'"])
        try load(#"[{"id":1,"songs":[1,2]}]"#, Playlist.mapping)
        try load(#"[{"id":1,"songs":[2]}]"#, Playlist.mapping)
        #expect(try pending().last == "'Playlist'|1|'songs'|'[2]'")
        try load(#"[{"id":1,"songs":[]}]"#, Playlist.mapping)
        #expect(try pending().count == 1)
    }

    @Test func `a relationship that is set in code is not pending`() throws {
        let tickets = try load(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":7}]"#, Ticket.mapping)
        let bob = Person(in: context)
        bob.personID = 1
        tickets[0].assignee = bob
        bob.tickets.append(tickets[1])
        try context.save()
        #expect(try pending().isEmpty)
        try load(#"[{"id":7}]"#, Person.mapping)
        #expect(tickets.allSatisfy { $0.assignee === bob })
    }

    @Test func `a key that is assigned in code replaces the pending one`() throws {
        let payload = (1...4).map { #"{"id":\#($0),"assignee_id":7}"# }.joined(separator: ",")
        let tickets = try load("[\(payload)]", Ticket.mapping)
        let ann = try load(#"[{"id":8}]"#, Person.mapping)[0]
        (tickets[0].assigneeID, tickets[1].assigneeID, tickets[2].assigneeID) = (8, 9, nil)
        (tickets[3].assigneeID, tickets[3].assignee) = (9, ann)
        try context.save()
        #expect(tickets.map { $0.assignee?.personID } == [8, nil, nil, 8])
        #expect(try pending() == ["'Ticket'|2|'assignee'|'[9]'"])
        try load(#"[{"id":7},{"id":9}]"#, Person.mapping)
        #expect(tickets.map { $0.assignee?.personID } == [8, 9, nil, 8])

        let goal = try load(#"[{"id":1,"club":"A","number":9}]"#, Goal.mapping)[0]
        goal.number = 1
        let playlist = try load(#"[{"id":1,"songs":[1,2]}]"#, Playlist.mapping)[0]
        playlist.songIDs = [2, 3]
        try context.save()
        #expect(
            try pending() == [
                #"'Goal'|1|'player'|'["A",1]'"#, "'Playlist'|1|'songs'|'[2]'", "'Playlist'|1|'songs'|'[3]'",
            ])
    }

    @Test func `a key that is assigned in code before the save replaces that of the payload`() throws {
        try load(#"[{"id":1,"assignee_id":8}]"#, Ticket.mapping)
        let tickets = try context.map(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":7}]"#, with: Ticket.mapping)
        // The first one is that of the store again.
        (tickets[0].assigneeID, tickets[1].assigneeID) = (8, 9)
        try context.save()
        #expect(try pending() == ["'Ticket'|1|'assignee'|'[8]'", "'Ticket'|2|'assignee'|'[9]'"])
    }

    @Test func `unchanged keys are not written again`() throws {
        try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)
        try store.write { (connection) throws(StoreError) in
            try connection.run(
                "CREATE TRIGGER refuse BEFORE INSERT ON _mappingkit_pending BEGIN SELECT raise(FAIL, 'written'); END")
        }
        try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)
        #expect(throws: StoreError.self) { try load(#"[{"id":2,"assignee_id":7}]"#, Ticket.mapping) }
    }

    @Test func `a rollback removes all changes`() throws {
        _ = try context.map(#"[{"id":1,"assignee_id":7}]"#, with: Ticket.mapping)
        context.rollback()
        try context.save()
        #expect(try pending().isEmpty)

        try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)
        _ = try context.map(#"[{"id":7}]"#, with: Person.mapping)
        context.rollback()
        #expect(try pending().count == 1)
    }

    @Test func `a payload with an issue leaves no keys`() throws {
        #expect(throws: MappingError.self) {
            try context.map(#"[{"id":1,"assignee_id":7},{"id":"x"}]"#, with: Ticket.mapping)
        }
        try context.save()
        #expect(try pending().isEmpty)
    }

    @Test func `a save that fails connects nothing, and can be repeated`() throws {
        let ticket = try load(#"[{"id":1,"assignee_id":7}]"#, Ticket.mapping)[0]
        try store.write { (connection) throws(StoreError) in
            try connection.run(
                "CREATE TRIGGER refuse BEFORE DELETE ON _mappingkit_pending BEGIN SELECT raise(FAIL, 'no'); END")
        }
        let person = try context.map(#"[{"id":7}]"#, with: Person.mapping)[0]
        #expect(throws: StoreError.self) { try context.save() }
        #expect(try rows("SELECT (SELECT count(*) FROM Person), assignee FROM Ticket") == ["0|NULL"])
        try store.write { (connection) throws(StoreError) in try connection.run("DROP TRIGGER refuse") }
        try context.save()
        #expect(ticket.assignee === person)
    }

    @Test func `a deleted object has no pending connection`() throws {
        let ticket = try load(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":7}]"#, Ticket.mapping)[0]
        context.delete(ticket)
        try context.save()
        #expect(try pending() == ["'Ticket'|2|'assignee'|'[7]'"])
        _ = try context.map(#"[{"id":3,"assignee_id":7}]"#, with: Ticket.mapping).map(context.delete)
        try context.save()
        #expect(try pending().count == 1)
    }

    @Test func `objects wait again for a deleted target if their keys identify it`() throws {
        try load(#"[{"id":7,"name":"Ann"},{"id":8,"name":"Bob"}]"#, Person.mapping)
        let tickets = try load(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":8},{"id":3}]"#, Ticket.mapping)
        let ann = try #require(tickets[0].assignee)
        tickets[2].assignee = ann
        try context.save()
        context.delete(ann)
        try context.save()
        #expect(tickets.map { $0.assignee?.personID } == [nil, 8, nil])
        #expect(try pending() == ["'Ticket'|1|'assignee'|'[7]'"])
        let other = ObjectContext(store)
        let again = try load(#"[{"id":7,"name":"Ann"}]"#, Person.mapping, in: other)[0]
        #expect(again.tickets.map(\.ticketID) == [1])
        #expect(try pending().isEmpty)
    }

    @Test func `rows wait again for targets that a query deletes, compound keys and lists included`() throws {
        try load(#"[{"club":"A","number":9},{"club":"A","number":1}]"#, Player.mapping)
        try load(#"[{"id":1,"club":"A","number":9},{"id":2,"club":"A","number":1}]"#, Goal.mapping)
        try load(#"[{"id":1},{"id":2},{"id":3}]"#, Song.mapping)
        try load(#"[{"id":1,"songs":[3,2,1]}]"#, Playlist.mapping)
        try load(#"[{"id":1,"songs":[1,2,3]}]"#, Record.mapping)
        try load(#"[{"id":1,"song":2}]"#, Lyrics.mapping)
        try context.delete(Player.where { $0.number == 9 })
        try context.delete(Song.where { $0.songID == 2 })
        #expect(
            try pending() == [
                #"'Goal'|1|'player'|'["A",9]'"#, "'Record'|1|'songs'|'[2]'", "'Playlist'|1|'songs'|'[2]'",
                "'Lyrics'|1|'song'|'[2]'",
            ])
        try load(#"[{"club":"A","number":9}]"#, Player.mapping)
        let song = try load(#"[{"id":2}]"#, Song.mapping)[0]
        #expect(try context.find(Goal.self, 1)?.player?.number == 9)
        #expect(try context.find(Record.self, 1)?.songs.map(\.songID) == [1, 2, 3])
        #expect(try context.find(Playlist.self, 1)?.songs.map(\.songID) == [3, 2, 1])
        #expect(song.lyrics?.lyricsID == 1)
        #expect(try pending().isEmpty)
    }

    @Test func `rows that are deleted with their target do not wait for it`() throws {
        try load(#"[{"id":7}]"#, Person.mapping)
        let tickets = try load(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":7}]"#, Ticket.mapping)
        context.delete(try #require(tickets[0].assignee))
        context.delete(tickets[0])
        try context.save()
        #expect(try pending() == ["'Ticket'|2|'assignee'|'[7]'"])
    }

    @Test func `a suspending save connects, too`() async throws {
        let (ids, count) = try await store.perform { context in
            let ticket = try context.map(#"[{"id":1,"assignee_id":7}]"#, with: Ticket.mapping)[0]
            try context.save()
            return (ticket.ticketID, context.hasChanges)
        }
        #expect(ids == 1 && !count)
        let ticket = try #require(try await context.find(Ticket.self, 1))
        let person = try await context.map(#"[{"id":7}]"#, with: Person.mapping)[0]
        try await context.save()
        #expect(ticket.assignee === person)
    }

    @Test func `no statement scans a table`() throws {
        try load(#"[{"id":1,"assignee_id":7},{"id":2,"assignee_id":7}]"#, Ticket.mapping)
        try load(#"[{"id":1,"songs":[1,2]}]"#, Playlist.mapping)
        try load(#"[{"id":1,"songs":[1,2]}]"#, Record.mapping)
        let log = StatementLog(store)
        try load(#"[{"id":7}]"#, Person.mapping)
        try load(#"[{"id":1},{"id":2}]"#, Song.mapping)
        try load(#"[{"id":1,"assignee_id":9}]"#, Ticket.mapping)
        try context.delete(Song.where { $0.songID == 2 })
        try log.expectNoScans(in: store, atLeast: 6) { $0.contains("_mappingkit_pending") }
    }

    @Test func `pending connections of a seed are set by the app`() async throws {
        let integer = AttributeType(.integer)
        let seed = try TestStore(
            EntityDescription(
                "Song", identifiedBy: ["songID"], attributes: [AttributeDescription("songID", integer)],
                relationships: [
                    RelationshipDescription("record", to: "Record"),
                    RelationshipDescription("lyrics", to: "Lyrics", inverse: "song"),
                ]),
            EntityDescription(
                "Record", identifiedBy: ["recordID"],
                attributes: [
                    AttributeDescription("recordID", integer),
                    AttributeDescription("songIDs", AttributeType(.integer, isList: true)),
                ],
                relationships: [
                    RelationshipDescription(
                        "songs", to: "Song", isToMany: true, isOrdered: true, inverse: "record", by: ["songIDs"])
                ]),
            EntityDescription(
                "Lyrics", identifiedBy: ["lyricsID"],
                attributes: [AttributeDescription("lyricsID", integer), AttributeDescription("songID", integer)],
                relationships: [RelationshipDescription("song", to: "Song", by: ["songID"])]))
        try seed.build([
            TestObject("Song", ["songID": 2]), TestObject("Record", ["recordID": 1, "songIDs": "[3,2,1]"]),
            TestObject("Lyrics", ["lyricsID": 4, "songID": 1]),
        ])
        let model = try ObjectModel(Song.self, Record.self, Lyrics.self)
        let store = try await ManagedObjectStore.open(at: seed.url("app.sqlite"), model: model, seed: seed.url())
        let context = ObjectContext(store)
        let songs = try await context.map(#"[{"id":1},{"id":3}]"#, with: Song.mapping)
        try await context.save()
        #expect(songs[0].lyrics?.lyricsID == 4)
        #expect(try await context.find(Record.self, 1)?.songs.map(\.songID) == [3, 2, 1])
        #expect(try store.rows(sql: "SELECT * FROM _mappingkit_pending").isEmpty)
    }
}
