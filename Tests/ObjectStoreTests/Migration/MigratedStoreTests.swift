import Dispatch
import Foundation
import Synchronization
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private enum First {
    final class Track: ManagedObject {
        override class var entityName: String { "Track" }
        @Stored(.identity) var trackID = 0
        @Stored var title = ""
        @Stored var seconds = 0
        @ToOne var album: Album?
    }

    final class Album: ManagedObject {
        override class var entityName: String { "Album" }
        @Stored(.identity) var albumID = 0
        @ToMany(inverse: \Track.album) var tracks: [Track]
    }

    static func model() throws -> ObjectModel { try ObjectModel(Track.self, Album.self) }
}

private enum Second {
    final class Song: ManagedObject {
        override class var entityName: String { "Song" }
        override class var formerEntityNames: [String] { ["Track"] }
        @Stored(.identity, .was("trackID")) var songID = 0
        @Stored(.indexed, .was("title")) var name = ""
        @Stored var seconds = 0.0
        @Stored var rating = 3
        @ToOne(was: "album") var record: Album?
    }

    final class Album: ManagedObject {
        override class var entityName: String { "Album" }
        @Stored(.identity) var albumID = 0
        @ToMany(inverse: \Song.record, isOrdered: true, was: "tracks") var songs: [Song]
    }

    static func model() throws -> ObjectModel { try ObjectModel(Song.self, Album.self) }
}

/// Stores of classes that changed.
@Suite struct `Migrated stores` {
    private let folder: TemporaryDirectory
    private let url: URL

    init() async throws {
        folder = try TemporaryDirectory()
        url = folder.file("music.sqlite")
        let store = try ManagedObjectStore(at: url, model: First.model())
        try await store.perform { context in
            let album = First.Album(in: context)
            album.albumID = 1
            for number in 1...3 {
                let track = First.Track(in: context)
                (track.trackID, track.title, track.seconds, track.album) = (number, "t\(number)", number * 60, album)
            }
            try context.save()
        }
        try store.checkpoint()
        store.close()
    }

    private func open(_ options: ManagedObjectStore.Options = .init()) async throws -> ManagedObjectStore {
        try await .open(at: url, model: Second.model(), options: options)
    }

    @Test func `have the objects of the earlier classes`() async throws {
        let store = try await open()
        let found = try await store.perform { context in
            let album = try context.find(Second.Album.self, 1)
            album?.songs.reverse()
            try context.save()
            return album?.songs.map { "\($0.songID) \($0.name) \($0.seconds) \($0.rating)" }
        }
        #expect(found == ["3 t3 180.0 3", "2 t2 120.0 3", "1 t1 60.0 3"])
        #expect(try SeedDatabase(at: url).damages() == [])
    }

    @Test func `are described by a plan, which changes nothing`() async throws {
        let before = try Data(contentsOf: url)
        let plan = try await ManagedObjectStore.migrationPlan(at: url, model: Second.model())
        #expect(try Data(contentsOf: url) == before)
        #expect(
            plan.description == """
                convert 'Song.seconds' from integer to double
                add 'Song.rating' (integer, 3)
                add an index over 'name' of 'Song'
                change 'Album.songs' from a relationship to many Song with the inverse record to a relationship to many Song, \
                ordered with the inverse record
                rename the entity 'Track' to 'Song'
                rename 'Song.trackID' to 'songID'
                rename 'Song.title' to 'name'
                rename 'Song.album' to 'record'
                rename 'Album.tracks' to 'songs'
                """)
        #expect(plan.isPossible && !plan.isEmpty && plan.changes.allSatisfy { !$0.losesValues })
        #expect(plan.statements.contains(#"ALTER TABLE "Track" RENAME TO "Song""#))
        // The statements are those of the migration.
        let copy = try SQLiteDatabase(path: url.path, mode: .readOnly)
        let expected = folder.file("expected.sqlite")
        try copy.run("VACUUM INTO ?", [.text(expected.path)])
        copy.close()
        let other = try SQLiteDatabase(path: expected.path, mode: .readWrite)
        for sql in plan.statements { try other.execute(sql) }
        let tables = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        let rows = #"SELECT * FROM "Song""#
        let (schema, songs) = (try other.prepare(tables).rows([]), try other.prepare(rows).rows([]))
        other.close()
        let store = try await open()
        #expect(try store.rows(sql: tables).map(\.values) == schema)
        #expect(try store.rows(sql: rows).map(\.values) == songs)
        store.close()
        let done = try await ManagedObjectStore.migrationPlan(at: url, model: Second.model())
        #expect(done.isEmpty && done.description == "nothing to change")
    }

    @Test func `report their progress`() async throws {
        var options = ManagedObjectStore.Options()
        let steps = Mutex<[MigrationProgress]>([])
        options.onMigrationProgress = { step in steps.withLock { $0.append(step) } }
        _ = try await open(options)
        let reported = steps.withLock { $0 }
        #expect(reported.count > 5 && reported.last?.fraction == 1)
        #expect(zip(reported, reported.dropFirst()).allSatisfy { $0.completed < $1.completed }, "\(reported)")
        #expect(Set(reported.map(\.total)).count == 1, "\(reported)")
        #expect(reported.contains { $0.description.hasPrefix("INSERT INTO \"_mappingkit_copy\"") })
    }

    @Test func `are refused by an earlier program`() async throws {
        try await open().close()
        let before = try Data(contentsOf: url)
        let error = await #expect(throws: StoreError.self) {
            _ = try await ManagedObjectStore.open(at: url, model: First.model())
        }
        #expect(error?.kind == .modelMismatch)
        #expect(
            error?.message.hasPrefix("'\(url.path)' had the model of this program, and was migrated to a later one: ")
                == true)
        #expect(try Data(contentsOf: url) == before)
        let plan = try await ManagedObjectStore.migrationPlan(at: url, model: First.model())
        #expect(plan.problems == [error?.message ?? ""])
    }

    @Test func `are refused by an earlier version of the program, and changed back by a later one`() async throws {
        func open(_ version: Int, _ model: ObjectModel) async throws -> ManagedObjectStore {
            var options = ManagedObjectStore.Options()
            options.modelVersion = version
            return try await ManagedObjectStore.open(at: folder.file("new.sqlite"), model: model, options: options)
        }
        let later = [EntityDescription("Song", [.string("name"), .string("note")])]
        let earlier = [EntityDescription("Song", [.string("name")])]
        // Created by the later version: the earlier one has never seen the file.
        try await open(2, ObjectModel(entities: later)).close()
        let error = await #expect(throws: StoreError.self) { _ = try await open(1, ObjectModel(entities: earlier)) }
        #expect(error?.kind == .modelMismatch)
        #expect(
            error?.message.contains("has version 2 of the model, which is later than that of this program: ") == true)
        try await open(3, ObjectModel(entities: earlier)).close()
        try await open(4, ObjectModel(entities: later)).close()
        #expect(
            try await open(5, ObjectModel(entities: earlier)).text(
                "SELECT value FROM _mappingkit WHERE key = 'version'") == "5")
    }

    @Test func `cannot be read with other classes before they are migrated`() async throws {
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let error = await #expect(throws: StoreError.self) { _ = try await open(options) }
        #expect(error?.kind == .modelMismatch && error?.advice == "open the file for writing once, which migrates it")
        #expect(error?.message.contains("the entity 'Song' is 'Track' in the file") == true)
    }

    @Test func `end those that are open with the earlier classes`() throws {
        let old = try ManagedObjectStore(at: url, model: First.model())
        let context = ObjectContext(old)
        let track = try #require(try context.find(First.Track.self, 1))
        let new = try ManagedObjectStore(at: url, model: Second.model())
        track.title = "late"
        let errors = [
            #expect(throws: StoreError.self) { try context.save() },
            #expect(throws: StoreError.self) { try context.fetch(First.Track.all) },
            #expect(throws: StoreError.self) { try old.write(sql: "UPDATE Album SET albumID = 5") },
            #expect(throws: StoreError.self) { try old.count(of: "Track") },
        ]
        for error in errors {
            #expect(error?.kind == .modelMismatch)
            #expect(
                error?.message.hasPrefix("'\(url.path)' was migrated to another model while the store was open: ")
                    == true)
        }
        #expect(try new.text("SELECT name FROM Song WHERE songID = 1") == "t1")
        #expect(try new.text("SELECT albumID FROM Album") == "1")
    }

    @Test func `that another process has migrated are noticed`() async throws {
        let old = try ManagedObjectStore(at: url, model: First.model())
        await #expect(processExitsWith: .success) { [path = url.path as String] in
            try ManagedObjectStore(at: URL(fileURLWithPath: path), model: Second.model()).close()
        }
        let error = #expect(throws: StoreError.self) { try old.write(sql: "UPDATE Album SET albumID = 5") }
        #expect(error?.kind == .modelMismatch)
        #expect(throws: StoreError.self) { try old.count(of: "Track") }
    }

    /// The columns remain if an integer becomes a double, so that no statement fails.
    @Test(arguments: [false, true])
    func `that another process has migrated are noticed by reads of a read-only store`(isUsed: Bool) async throws {
        let file = folder.file("read.sqlite")
        func model(_ type: AttributeType.Scalar) throws -> ObjectModel {
            try ObjectModel(entities: [
                EntityDescription("Song", [AttributeDescription("seconds", AttributeType(type))])
            ])
        }
        let first = try ManagedObjectStore(at: file, model: model(.integer))
        try first.write(sql: "INSERT INTO Song(id, seconds) VALUES(1, 60)")
        first.close()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let store = try ManagedObjectStore(at: file, model: model(.integer), options: options)
        let context = ObjectContext(store)
        let song = isUsed ? try await context.fetch("Song").first : nil
        await #expect(processExitsWith: .success) { [path = file.path as String] in
            let model = try ObjectModel(entities: [
                EntityDescription("Song", [AttributeDescription("seconds", AttributeType(.double))])
            ])
            let other = try ManagedObjectStore(at: URL(fileURLWithPath: path), model: model)
            try other.write(sql: "UPDATE Song SET seconds = 60.5")
            other.close()
        }
        for error in [
            await #expect(throws: StoreError.self) { _ = try await context.fetch("Song") },
            #expect(throws: StoreError.self) { try store.count(of: "Song") },
            #expect(throws: StoreError.self) { try store.rows(sql: "SELECT seconds FROM Song") },
        ] {
            #expect(error?.kind == .modelMismatch)
        }
        withExtendedLifetime(song) {}
    }

    @Test(.timeLimit(.minutes(1)))
    func `end observations of a read-only store, which reports the commits of others before`() async throws {
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let store = try ManagedObjectStore(at: url, model: First.model(), options: options)
        let context = ObjectContext(store)
        var changes = context.observe(First.Track.all.sorted(by: \.trackID)).makeAsyncIterator()
        #expect(try await changes.next()?.objects.count == 3)
        let other = try ManagedObjectStore(at: url, model: First.model())
        try other.write(sql: "INSERT INTO Track(trackID, title, seconds) VALUES(4, 'x', 1)")
        #expect(try await changes.next()?.objects.count == 4)
        try ManagedObjectStore(at: url, model: Second.model()).close()
        let error = await #expect(throws: StoreError.self) { while try await changes.next() != nil {} }
        #expect(error?.kind == .modelMismatch)
    }

    @Test func `whose changes do not concern the storage are not ended`() throws {
        let old = try ManagedObjectStore(at: url, model: First.model())
        var entities = try First.model().entities
        entities[0].attributes[2].isOptional = true
        entities[0].attributes[1].isIndexed = true
        try ManagedObjectStore(at: url, model: ObjectModel(entities: entities)).close()
        #expect(try old.write(sql: "UPDATE Album SET albumID = 5") == 1)
        // Nor are they refused later.
        #expect(try ManagedObjectStore(at: url, model: First.model()).count(of: "Track") == 3)
    }

    @Test func `of the fixture of format 1 have its objects`() async throws {
        let fixture = resource("Tests/ObjectStoreTests/Fixtures/tracker-format1.sqlite")
        var entities = try SeedDatabase(at: fixture).model.entities
        entities[0].name = "Member"
        entities[0].formerNames = ["User"]
        entities[1].relationships[0].destination = "Member"
        entities[2].relationships[1].destination = "Member"
        entities[2].attributes[1].name = "title"
        entities[2].attributes[1].formerNames = ["name"]
        entities[2].attributes.remove(at: 2)
        entities[2].attributes[0].type = AttributeType(.string)
        let copy = folder.file("tracker.sqlite")
        let store = try await ManagedObjectStore.open(at: copy, model: ObjectModel(entities: entities), seed: fixture)
        #expect(
            try store.text("SELECT t.id, t.title, m.name FROM Task t JOIN Member m ON m._id = t.assignedUser LIMIT 1")
                == "100,Survey the pier,Ada Brandt")
        #expect(try SeedDatabase(at: copy).damages() == [])
        #expect(try SeedDatabase(at: copy).value(sql: "PRAGMA user_version") == 2)
    }

    @Test func `keep the original values of seeded rows`() async throws {
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let copy = folder.file("copy.sqlite")
        let old = try await ManagedObjectStore.open(at: copy, model: First.model(), seed: url, options: options)
        try old.write(sql: "UPDATE Track SET title = 'x', seconds = 1 WHERE trackID = 2")
        old.close()
        let store = try await ManagedObjectStore.open(at: copy, model: Second.model(), seed: url, options: options)
        #expect(
            try store.text(#"SELECT "table", row, v1, v2, v3, v4, v5 FROM _mappingkit_base"#) == "Song,2,2,t2,120.0,1,3"
        )
        let keys = "SELECT key, value FROM _mappingkit WHERE key LIKE 'base.%' ORDER BY key"
        #expect(
            try store.text(keys) == #"base.Album,{"columns":["albumID"],"rows":1};"#
                + #"base.Album_songs,{"columns":["target"],"rows":1};"#
                + #"base.Song,{"columns":["songID","name","seconds","record","rating"],"rows":3}"#)
        try store.write(sql: "UPDATE Song SET name = 'y', rating = 5 WHERE songID = 3")
        #expect(
            try store.text(#"SELECT "table", row, v1, v2, v3, v4, v5 FROM _mappingkit_base WHERE row = 3"#)
                == "Song,3,3,t3,180.0,1,3")
        store.close()
        let third = [
            EntityDescription("Song", identifiedBy: ["songID"], attributes: [.integer("songID"), .string("name")])
        ]
        let last = try ManagedObjectStore(at: copy, model: ObjectModel(entities: third))
        #expect(
            try last.text("SELECT \"table\", row, v1, v2, v3 FROM _mappingkit_base ORDER BY row")
                == "Song,2,2,t2,NULL;Song,3,3,t3,NULL")
    }
}
