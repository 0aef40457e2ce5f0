import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Imports and saves of many rows, during which triggers are removed.
@Suite struct LargeImportSearchTests {
    private func payload(_ numbers: [Int], _ word: String) -> Data {
        Data("[\(numbers.map { #"{"number": \#($0), "title": "\#(word) \#($0)"}"# }.joined(separator: ","))]".utf8)
    }

    private func expectCurrent(_ store: ManagedObjectStore, at location: SourceLocation = #_sourceLocation) throws {
        let (rows, index) = (
            #"SELECT "_id", "title", "body" FROM "Note""#,
            #"SELECT rowid, "title", "body" FROM "_mappingkit_Note_search""#
        )
        for sql in ["\(rows) EXCEPT \(index)", "\(index) EXCEPT \(rows)"] {
            #expect(try store.rows(sql: sql).isEmpty, sourceLocation: location)
        }
        let triggers = #"SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Note'"#
        #expect(try store.rows(sql: triggers)[0].values[0] == 3, sourceLocation: location)
    }

    @Test(arguments: [ImportCommit.once, .every(150)])
    func `large imports keep the index`(_ commit: ImportCommit) async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(SearchedNote.self, SearchedFolder.self))
        let context = ObjectContext(store)
        _ = try await store.importJSON(payload(Array(1...400), "roof"), with: SearchedNote.mapping, commit: commit)
        try expectCurrent(store)
        #expect(try await context.count(SearchedNote.where { $0.search("roof") }) == 400)
        _ = try await store.importJSON(payload(Array(300...700), "gate"), with: SearchedNote.mapping, commit: commit)
        try expectCurrent(store)
        #expect(try await context.count(SearchedNote.where { $0.search("roof") }) == 299)
        #expect(try await context.count(SearchedNote.where { $0.search("gate") }) == 401)
        try store.write(sql: #"UPDATE "Note" SET "title" = 'wall' WHERE "number" < 5"#)
        try expectCurrent(store)
    }

    @Test func `large saves keep the index`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(SearchedNote.self, SearchedFolder.self))
        let context = ObjectContext(store)
        let folder = SearchedFolder(in: context)
        folder.name = "House"
        for number in 1...300 {
            let note = SearchedNote(in: context)
            (note.number, note.title, note.folder) = (number, "roof \(number)", folder)
        }
        try await context.save()
        try expectCurrent(store)
        let notes = try await context.fetch(SearchedNote.all.sorted(by: \.number))
        for note in notes.prefix(150) { note.title = "gate" }
        for note in notes.suffix(20) { context.delete(note) }
        // Adopts the row of a note that another context has saved meanwhile.
        try store.write(sql: #"INSERT INTO "Note"("number", "title") VALUES(1000, 'wall')"#)
        let adopted = SearchedNote(in: context)
        (adopted.number, adopted.title) = (1000, "fence")
        try await context.save()
        try expectCurrent(store)
        #expect(try await context.count(SearchedNote.where { $0.search("gate OR fence") }) == 151)
        #expect(try await context.count(SearchedNote.where { $0.search("wall") }) == 0)
        #expect(try await context.count(SearchedFolder.where { $0.search("house") }) == 1)
    }

    @Test func `a large import that fails leaves the index`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(SearchedNote.self, SearchedFolder.self))
        _ = try await store.importJSON(payload(Array(1...300), "roof"), with: SearchedNote.mapping)
        var bad = payload(Array(200...500), "gate")
        bad.removeLast(3)
        await #expect(throws: ImportError.self) { _ = try await store.importJSON(bad, with: SearchedNote.mapping) }
        try expectCurrent(store)
        #expect(try store.rows(sql: #"SELECT rowid FROM "_mappingkit_Note_search" WHERE title MATCH 'gate'"#).isEmpty)
    }
}
