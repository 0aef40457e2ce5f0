import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Its kind determines which of two people it belongs to.
private final class Card: ManagedObject, Mappable {
    @Stored(.identity) var cardID = 0
    @Stored var kind = ""
    @Stored var authorID: Int? = nil
    @Stored var editorID: Int? = nil
    @ToOne var person: Person?

    static let mapping = Mapping(Card.self) {
        Attribute("id", \.cardID)
        Attribute("kind", \.kind)
        Attribute("author", \.authorID)
        Attribute("editor", \.editorID)
        Connection(\.person, by: \.authorID).when(\.kind, equals: "draft")
        Connection(\.person, by: \.editorID).when(\.kind, equals: "final")
    }
}

private final class Parcel: ManagedObject, Mappable {
    @Stored(.identity) var parcelID = 0
    @Stored var ownerID: Int? = nil
    @ToOne(isRequired: true) var owner: Person?

    static let mapping = Mapping(Parcel.self) {
        Attribute("id", \.parcelID)
        Attribute("owner", \.ownerID)
        Connection(\.owner, by: \.ownerID)
        Relationship("sender", \.owner)
    }
}

private final class Folder: ManagedObject, Mappable {
    @Stored(.identity) var folderID = 0
    @Stored(.required) var title: String? = nil
    @Stored var parentID: Int? = nil
    @ToOne var parent: Folder?
    @ToMany(inverse: nil) var related: [Folder]

    static let mapping = Mapping(Folder.self) {
        Attribute("id", \.folderID)
        Attribute("title", \.title)
        Attribute("parent", \.parentID)
        Connection(\.parent, by: \.parentID)
        Relationship("related", \.related)
    }
}

@Suite struct ImportedConnectionTests {
    private let store: ManagedObjectStore

    init() throws {
        store = try ManagedObjectStore(
            inMemory: ObjectModel(
                Ticket.self, Person.self, Board.self, Song.self, Record.self, Playlist.self, Lyrics.self, Card.self,
                Parcel.self, Folder.self))
    }

    @discardableResult private func load<Model: ManagedObject>(
        _ text: String, _ mapping: Mapping<Model>
    ) async throws -> ImportReport {
        try await store.importJSON(Data(text.utf8), with: mapping)
    }

    private func rows(_ sql: String) throws -> [String] {
        try store.rows(sql: sql).map { $0.values.map(\.description).joined(separator: "|") }
    }

    private func pending() throws -> [String] {
        try rows("SELECT entity, row, relationship, key FROM _mappingkit_pending ORDER BY rowid")
    }

    /// The identities of a list in order, in the file and in a context.
    private func songs(of table: String) throws -> [Int] {
        let context = ObjectContext(store)
        let listed =
            try table == "Record"
            ? context.find(Record.self, 1)?.songs.map(\.songID) : context.find(Playlist.self, 1)?.songs.map(\.songID)
        let stored = try store.rows(
            sql: "SELECT songID FROM \(table)_songs JOIN Song ON target = _id WHERE owner = 1 ORDER BY position")
        #expect(stored.map { $0.values.first?.integer.map(Int.init) } == listed)
        return listed ?? []
    }

    // MARK: Lists of keys

    @Test(arguments: [[1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2]])
    func `lists are in the order of their keys, in whatever order the targets are imported`(_ order: [Int]) async throws
    {
        var report = try await load(#"[{"id":1,"songs":[4,1,3,2]}]"#, Record.mapping)
        #expect(report["Record"]?.waiting == 4 && report["Record"]?.connected == 0)
        report = try await load(#"[{"id":1,"songs":[2,3,1,4]}]"#, Playlist.mapping)
        for id in order {
            report = try await load(#"[{"id":\#(id)}]"#, Song.mapping)
            #expect(report["Record"]?.connected == 1 && report["Playlist"]?.connected == 1)
        }
        #expect(try songs(of: "Record") == [4, 1, 3, 2])
        #expect(try songs(of: "Playlist") == [2, 3, 1, 4])
        #expect(try pending().isEmpty)
    }

    @Test func `existing targets are connected, the others wait and keep their positions`() async throws {
        try await load(#"[{"id":1},{"id":3}]"#, Song.mapping)
        let report = try await load(#"[{"id":1,"songs":[1,2,3]}]"#, Playlist.mapping)
        #expect(report["Playlist"]?.connected == 2 && report["Playlist"]?.waiting == 1)
        #expect(try songs(of: "Playlist") == [1, 3])
        try await load(#"[{"id":2}]"#, Song.mapping)
        #expect(try songs(of: "Playlist") == [1, 2, 3])
    }

    @Test(arguments: ["[1,2,3]", "[1,9,3]", "[]"]) func `a list that is imported again is unchanged`(
        _ keys: String
    ) async throws {
        try await load(#"[{"id":1},{"id":3}]"#, Song.mapping)
        let text = #"[{"id":1,"songs":\#(keys)}]"#
        try await load(text, Playlist.mapping)
        try await load(text, Record.mapping)
        let before = try (songs(of: "Playlist"), songs(of: "Record"), pending())
        let log = StatementLog(store)
        #expect(try await load(text, Playlist.mapping)["Playlist"]?.unchanged == 1)
        #expect(try await load(text, Record.mapping)["Record"]?.unchanged == 1)
        #expect(!log.take().contains { $0.hasPrefix("INSERT") || $0.hasPrefix("DELETE") })
        #expect(try (songs(of: "Playlist"), songs(of: "Record"), pending()) == before)
    }

    @Test func `new keys change a list: removed, moved, added and missing ones`() async throws {
        try await load(#"[{"id":1},{"id":2},{"id":3}]"#, Song.mapping)
        for mapping in ["Record", "Playlist"] {
            func list(_ keys: String) async throws -> [Int] {
                let text = #"[{"id":1,"songs":\#(keys)}]"#
                let report =
                    try await mapping == "Record" ? load(text, Record.mapping) : load(text, Playlist.mapping)
                #expect(report[mapping]?.unchanged == 0)
                return try songs(of: mapping)
            }
            #expect(try await list("[1,2,3]") == [1, 2, 3])
            #expect(try await list("[3,1]") == [3, 1])
            #expect(try await list("[8,1,9,2]") == [1, 2])
            #expect(try pending().map { $0.suffix(5) } == ["'[8]'", "'[9]'"])
            #expect(try await list("[]") == [])
            #expect(try pending().isEmpty)
        }
    }

    @Test func `a key that is repeated counts once`() async throws {
        try await load(#"[{"id":1,"songs":[2,1,2,1]}]"#, Playlist.mapping)
        try await load(#"[{"id":1},{"id":2}]"#, Song.mapping)
        #expect(try songs(of: "Playlist") == [2, 1])
        #expect(try pending().isEmpty)
        try await load(#"[{"id":1,"songs":[1,1,2,2]}]"#, Playlist.mapping)
        #expect(try songs(of: "Playlist") == [1, 2])
    }

    @Test func `an absent list of keys is unchanged`() async throws {
        try await load(#"[{"id":1},{"id":2}]"#, Song.mapping)
        try await load(#"[{"id":1,"songs":[2,1,5]}]"#, Playlist.mapping)
        #expect(try await load(#"[{"id":1}]"#, Playlist.mapping)["Playlist"]?.unchanged == 1)
        #expect(try songs(of: "Playlist") == [2, 1])
        #expect(try pending().count == 1)
    }

    @Test func `an import writes the same rows as saved objects`() async throws {
        let other = try ManagedObjectStore(inMemory: ObjectModel(Song.self, Record.self, Playlist.self, Lyrics.self))
        let context = ObjectContext(other)
        let songs = #"[{"id":1},{"id":4},{"id":3}]"#
        let lists = #"[{"id":1,"songs":[9,1,8,4,3]},{"id":2,"songs":[3,1]}]"#
        try await load(songs, Song.mapping)
        try await load(lists, Record.mapping)
        try await load(lists, Playlist.mapping)
        _ = try await context.map(songs, with: Song.mapping)
        _ = try await context.map(lists, with: Record.mapping)
        _ = try await context.map(lists, with: Playlist.mapping)
        try await context.save()
        for table in ["Song", "Record", "Playlist", "Record_songs", "Playlist_songs", "_mappingkit_pending"] {
            let sql = "SELECT * FROM \(table)"
            let (imported, saved) = try (store.rows(sql: sql).map(\.values), other.rows(sql: sql).map(\.values))
            #expect(imported == saved, "\(table)")
        }
    }

    // MARK: One-to-one

    @Test func `the last of several rows receives the target of a one-to-one, the others wait`() async throws {
        try await load(#"[{"id":1,"song":5},{"id":2,"song":5}]"#, Lyrics.mapping)
        try await load(#"[{"id":5}]"#, Song.mapping)
        #expect(try rows("SELECT song FROM Lyrics") == ["NULL", "1"])
        #expect(try rows("SELECT lyrics FROM Song") == ["2"])
        #expect(try pending() == ["'Lyrics'|1|'song'|'[5]'"])
    }

    // MARK: Conditions

    @Test(arguments: [true, false]) func `the first connection whose condition is met sets the relationship`(
        _ peopleFirst: Bool
    ) async throws {
        let people = #"[{"id":7,"name":"Ann"},{"id":8,"name":"Bob"}]"#
        if peopleFirst { try await load(people, Person.mapping) }
        try await load(
            #"""
            [{"id":1,"kind":"draft","author":7,"editor":8},{"id":2,"kind":"final","author":7,"editor":8},
             {"id":3,"kind":"other","author":7,"editor":8},{"id":4,"kind":"final","author":7,"editor":null},
             {"id":5,"kind":"final","editor":8}]
            """#, Card.mapping)
        if !peopleFirst {
            let keys = ["'Card'|1|'person'|'[7]'", "'Card'|2|'person'|'[8]'", "'Card'|5|'person'|'[8]'"]
            #expect(try pending() == keys)
            try await load(people, Person.mapping)
        }
        #expect(try rows("SELECT person FROM Card ORDER BY cardID") == ["1", "2", "NULL", "NULL", "2"])
        #expect(try pending().isEmpty)
    }

    @Test func `a condition that changes later moves the relationship`() async throws {
        try await load(#"[{"id":7,"name":"Ann"},{"id":8,"name":"Bob"}]"#, Person.mapping)
        try await load(#"[{"id":1,"kind":"draft","author":7,"editor":8}]"#, Card.mapping)
        var report = try await load(#"[{"id":1,"kind":"final"}]"#, Card.mapping)
        #expect(report["Card"]?.updated == 1)
        #expect(try rows("SELECT person FROM Card") == ["2"])
        report = try await load(#"[{"id":1,"kind":"other"}]"#, Card.mapping)
        #expect(try rows("SELECT person FROM Card") == ["NULL"])
        report = try await load(#"[{"id":1,"kind":"draft","author":9}]"#, Card.mapping)
        #expect(try rows("SELECT person FROM Card") == ["NULL"])
        #expect(try pending() == ["'Card'|1|'person'|'[9]'"])
        report = try await load(#"[{"id":1,"author":9}]"#, Card.mapping)
        #expect(report["Card"]?.unchanged == 1)
    }

    @Test func `a target in a skipped element is not connected`() async throws {
        let text = #"""
            [{"id":1,"title":"a"},
             {"id":2,"title":"b","related":[{"id":3,"title":"c","parent":2},{"id":4,"title":null}]},
             {"id":5,"title":"d","parent":2}]
            """#
        let report = try await store.importJSON(Data(text.utf8), with: Folder.mapping, skipsInvalidElements: true)
        #expect(report.skipped == 1 && report["Folder"]?.inserted == 2)
        #expect(try rows("SELECT folderID, parent FROM Folder ORDER BY 1") == ["1|NULL", "5|NULL"])
        #expect(try pending() == ["'Folder'|2|'parent'|'[2]'"])
    }

    // MARK: Required objects

    @Test(arguments: [
        #"[{"id":1,"owner":7},{"id":2,"owner":9}]"#, #"[{"id":2}]"#, #"[{"id":1,"owner":7},{"id":2,"sender":null}]"#,
    ])
    func `an object without a required one is refused, with its batch`(_ text: String) async throws {
        try await load(#"[{"id":7,"name":"Ann"}]"#, Person.mapping)
        let error = await #expect(throws: ImportError.self) { try await load(text, Parcel.mapping) }
        #expect(
            error?.description.contains(
                "cannot import Parcel 2: owner is required, and its object is not in the store; "
                    + "import its objects before, or in the same batch") == true, "\(error!)")
        #expect(try rows("SELECT count(*) FROM Parcel") == ["0"])
    }

    @Test func `a required object can be part of the payload, but not be removed`() async throws {
        try await load(#"[{"id":1,"sender":{"id":7,"name":"Ann"}},{"id":2,"owner":7}]"#, Parcel.mapping)
        #expect(try rows("SELECT owner FROM Parcel") == ["1", "1"])
        let error = await #expect(throws: ImportError.self) { try await load(#"[{"id":2,"owner":8}]"#, Parcel.mapping) }
        #expect(error?.description.contains("cannot import Parcel 2: owner is required") == true)
        #expect(try rows("SELECT owner FROM Parcel") == ["1", "1"])
    }

    // MARK: Cost

    @Test func `no statement scans a table`() async throws {
        let log = StatementLog(store)
        let lists = #"[{"id":1,"songs":[3,1,2]},{"id":2,"songs":[2,3]}]"#
        try await load(lists, Record.mapping)
        try await load(lists, Playlist.mapping)
        try await load(#"[{"id":1,"song":2},{"id":2,"song":2}]"#, Lyrics.mapping)
        try await load(#"[{"id":1,"kind":"draft","author":7}]"#, Card.mapping)
        try await load(#"[{"id":1},{"id":2},{"id":3}]"#, Song.mapping)
        try await load(#"[{"id":7}]"#, Person.mapping)
        try await load(#"[{"id":1,"songs":[2,9]}]"#, Playlist.mapping)
        try log.expectNoScans(in: store, atLeast: 30)
    }
}
