import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ClasslessStoreTests {
    let folder: TemporaryDirectory
    let url: URL

    /// A file of an app with two songs, one of which is on a record.
    init() async throws {
        folder = try TemporaryDirectory()
        url = folder.file("app.sqlite")
        let model = try ObjectModel(Song.self, Record.self, Lyrics.self)
        let store = try await ManagedObjectStore.open(at: url, model: model)
        _ = try await store.importJSON(Data(#"[{"id":1},{"id":2}]"#.utf8), with: Song.mapping)
        _ = try await store.importJSON(Data(#"[{"id":7,"songs":[2,3]}]"#.utf8), with: Record.mapping)
        store.close()
    }

    private func expectUnknown(
        _ name: String, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    )
        async
    {
        var error: (any Error)?
        do { try await body() } catch let thrown { error = thrown }
        if let failed = error as? ImportError { error = failed.cause }
        #expect(
            (error as? StoreError)?.kind == .unknownEntity, "\(String(describing: error))", sourceLocation: location)
        #expect("\(error.map { "\($0)" } ?? "")".contains(name), sourceLocation: location)
    }

    @Test func `a file opens with its own model`() async throws {
        let store = try await ManagedObjectStore.open(at: url)
        #expect(store.model.entities.map(\.name) == ["Song", "Record", "Lyrics"])
        #expect(store.model.entity(named: "Record")?.relationship(named: "songs")?.isOrdered == true)
        #expect(try store.count(of: "Song") == 2)
        #expect(try store.count(of: "Lyrics") == 0)
        let error = #expect(throws: StoreError.self) { try store.count(of: "Sonng") }
        #expect(error?.description == "unknown entity 'Sonng'; did you mean 'Song'?")
        let sql = #"SELECT "songID" FROM "Song" JOIN "Record" ON "record" = "Record"."_id" WHERE "recordID" = ?"#
        #expect(try store.rows(sql: sql, arguments: [7]).map { $0.values } == [[2]])
    }

    @Test func `a file without classes is changed by SQL, saved and backed up`() async throws {
        let store = try await ManagedObjectStore.open(at: url)
        #expect(try store.write(sql: #"DELETE FROM "Song" WHERE "songID" = 1"#) == 1)
        let refused = #expect(throws: StoreError.self) { try store.write(sql: #"DELETE FROM "Song""#) }
        #expect(refused?.kind == .constraint)
        #expect(try await store.perform { try $0.write(sql: #"UPDATE "Song" SET "songID" = 9"#) } == 1)
        try store.checkpoint()
        let copy = folder.file("copy.sqlite")
        try store.backup(to: copy)
        store.close()
        let backup = try await ManagedObjectStore.open(at: copy)
        #expect(try backup.count(of: "Song") == 1)
        // The row of the deleted song is not used again, and the missing song is still waited for.
        let app = try await ManagedObjectStore.open(at: url, model: ObjectModel(Song.self, Record.self, Lyrics.self))
        _ = try await app.importJSON(Data(#"[{"id":3}]"#.utf8), with: Song.mapping)
        let songs = try await app.perform { try $0.find(Record.self, 7)?.songs.map(\.songID) }
        #expect(songs == [9, 3])
    }

    @Test func `a copy of a seed opens without classes`() async throws {
        let seed = try TestStore(
            EntityDescription("Note", attributes: [AttributeDescription("text", AttributeType(.string))]))
        try seed.build([TestObject("Note", ["text": "a"])])
        let store = try await ManagedObjectStore.open(at: folder.file("notes.sqlite"), seed: seed.url())
        #expect(try store.count(of: "Note") == 1)
        #expect(store.model == seed.model)
    }

    @Test func `a new file is created from entities without classes`() async throws {
        let entity = EntityDescription(
            "Note", attributes: [AttributeDescription("text", AttributeType(.string), isIndexed: true)])
        let store = try ManagedObjectStore(inMemory: ObjectModel(entities: [entity]))
        #expect(try store.write(sql: #"INSERT INTO "Note"("text") VALUES('a')"#) == 1)
        #expect(try store.count(of: "Note") == 1)
        let plan = try store.rows(sql: #"EXPLAIN QUERY PLAN SELECT 1 FROM "Note" WHERE "text" = 'a'"#)
        #expect(plan.first?["detail"]?.text?.contains("_mappingkit_index_Note.text") == true)
        #expect(try await store.reset().count(of: "Note") == 0)
    }

    @Test func `calls with a class are errors in a store without classes`() async throws {
        let store = try await ManagedObjectStore.open(at: url)
        let context = ObjectContext(store)
        await expectUnknown("Song") { _ = try context.fetch(Song.all) }
        await expectUnknown("Song") { _ = try context.find(Song.self, 1) }
        await expectUnknown("Song") { _ = try context.count(Song.all) }
        await expectUnknown("Song") { _ = try context.delete(Song.all) }
        await expectUnknown("Song") { _ = try await store.importJSON(Data("[]".utf8), with: Song.mapping) }
        await expectUnknown("Song") {
            _ = Song(in: context)
            try context.save()
        }
        #expect(throws: MappingError.self) { _ = try ObjectContext(store).map(#"[{"id":5}]"#, with: Song.mapping) }
        #expect(try store.count(of: "Song") == 2)
    }

    @Test func `a missing file is not created without a model`() async throws {
        let missing = folder.file("missing.sqlite")
        var error: (any Error)?
        do { _ = try await ManagedObjectStore.open(at: missing) } catch let thrown { error = thrown }
        #expect((error as? StoreError)?.kind == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }
}
