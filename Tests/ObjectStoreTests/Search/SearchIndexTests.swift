import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The class of an earlier version of the app.
private final class PlainNote: ManagedObject {
    override class var entityName: String { "Note" }
    @Stored(.identity) var number = 0
    @Stored var title = ""
}

private final class TitledNote: ManagedObject {
    override class var entityName: String { "Note" }
    @Stored(.identity) var number = 0
    @Stored(.searchable) var title = ""
}

private final class FullNote: ManagedObject {
    override class var entityName: String { "Note" }
    @Stored(.identity) var number = 0
    @Stored(.searchable) var title = ""
    @Stored(.searchable) var body = "empty"
}

/// Has the columns of the class above.
private final class PartNote: ManagedObject {
    override class var entityName: String { "Note" }
    @Stored(.identity) var number = 0
    @Stored(.searchable) var title = ""
    @Stored var body = "empty"
}

private final class WrongNote: ManagedObject {
    @Stored(.searchable) var hours = 1.5
    @Stored(.searchable) var rank = ""
}

/// The files and models of search indexes.
@Suite struct SearchIndexTests {
    let folder: TemporaryDirectory
    let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        url = folder.file("notes.sqlite")
    }

    private func addNotes() throws {
        let store = try ManagedObjectStore(at: url, model: ObjectModel(PlainNote.self))
        let context = ObjectContext(store)
        for (number, title) in [(1, "Roof"), (2, "Gate")] {
            let note = PlainNote(in: context)
            (note.number, note.title) = (number, title)
        }
        try context.save()
        store.close()
    }

    private func triggers() throws -> [String] {
        try SeedDatabase(at: url).rows(sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1")
            .compactMap { $0.values[0].text }
    }

    @Test func `an old file gets the index of a class that became searchable, and loses it again`() throws {
        try addNotes()
        var store = try ManagedObjectStore(at: url, model: ObjectModel(TitledNote.self))
        #expect(try ObjectContext(store).fetch(TitledNote.where { $0.search("gate") }).map(\.number) == [2])
        store.close()
        store = try ManagedObjectStore(at: url, model: ObjectModel(FullNote.self))
        #expect(try ObjectContext(store).fetch(FullNote.where { $0.search("empty gate") }).map(\.number) == [2])
        store.close()
        let names = ["delete", "insert", "update"].map { "_mappingkit_search_\($0)_Note" }
        #expect(try triggers() == names)
        #expect(try SeedDatabase(at: url).model.entity(named: "Note")?.attribute(named: "title")?.isSearchable == true)
    }

    @Test func `a class without searchable attributes removes the index`() throws {
        let store = try ManagedObjectStore(at: url, model: ObjectModel(TitledNote.self))
        store.close()
        try addNotes()
        let left = try SeedDatabase(at: url).rows(
            sql: "SELECT name FROM sqlite_schema WHERE name LIKE '%\\_search%' ESCAPE '\\'")
        #expect(left.isEmpty)
    }

    @Test func `a missing trigger or table is repaired when the file is opened`() throws {
        try addNotes()
        try ManagedObjectStore(at: url, model: ObjectModel(TitledNote.self)).close()
        for sql in [#"DROP TRIGGER "_mappingkit_search_insert_Note""#, #"DROP TABLE "_mappingkit_Note_search""#] {
            let other = try SQLiteDatabase(path: url.path, mode: .readWrite)
            try other.execute(sql)
            if sql.contains("TRIGGER") {
                try other.execute(#"INSERT INTO "Note"("_id", "number", "title") VALUES(3, 3, 'Gate')"#)
            }
            other.close()
            let store = try ManagedObjectStore(at: url, model: ObjectModel(TitledNote.self))
            #expect(try ObjectContext(store).fetch(TitledNote.where { $0.search("gate") }).map(\.number) == [2, 3])
            store.close()
        }
    }

    @Test func `a search in a file without the index, opened for reading, says what to do`() throws {
        try addNotes()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        let store = try ManagedObjectStore(at: url, model: ObjectModel(TitledNote.self), options: options)
        let context = ObjectContext(store)
        let error = #expect(throws: StoreError.self) { try context.fetch(TitledNote.where { $0.search("gate") }) }
        #expect(error?.kind == .misuse && error?.message == "'\(url.path)' has no search index of 'Note'")
        #expect(error?.advice == "open the file for writing once, which builds the index")
        #expect(try context.count(TitledNote.all) == 2)
    }

    @Test func `only strings with other names than those of FTS5 are searchable`() throws {
        let error = #expect(throws: ModelError.self) { _ = try ObjectModel(WrongNote.self) }
        #expect(
            error?.problems.map(\.message) == [
                "an attribute of type double cannot be searchable; only strings are",
                "'rank' cannot be searchable, because FTS5 reserves this name",
            ])
    }

    @Test func `names of any kind are quoted`() throws {
        let model = try ObjectModel(entities: [
            EntityDescription(
                "It's \"a\" note",
                attributes: [
                    AttributeDescription("first, \"name\" = x", AttributeType(.string), isSearchable: true),
                    AttributeDescription("tokenize", AttributeType(.string), isSearchable: true),
                ]),
            EntityDescription(
                "It's \"a\" note_search",
                attributes: [
                    AttributeDescription("content", AttributeType(.string), isSearchable: true)
                ]),
        ])
        for _ in 0..<2 {
            let store = try ManagedObjectStore(at: url, model: model)
            try store.write(sql: #"INSERT INTO "It's ""a"" note"("tokenize") VALUES('Attic')"#)
            let sql = #"SELECT count(*) FROM "_mappingkit_It's ""a"" note_search" WHERE tokenize MATCH 'attic'"#
            #expect(try store.rows(sql: sql)[0].values[0].integer ?? 0 > 0)
            store.close()
        }
        #expect(try SeedDatabase(at: url).damages().isEmpty)
    }

    @Test func `a seed contains the index, also after an update`() throws {
        let entity = EntityDescription(
            "Note", identifiedBy: ["number"],
            attributes: [
                AttributeDescription("number", AttributeType(.integer)),
                AttributeDescription("title", AttributeType(.string), isSearchable: true),
            ])
        let store = try TestStore(entity)
        let sql = #"SELECT rowid FROM "_mappingkit_Note_search" WHERE "_mappingkit_Note_search" MATCH 'gate'"#
        try store.build([
            TestObject("Note", ["number": 1, "title": "Roof"]), TestObject("Note", ["number": 2, "title": "Gate"]),
        ])
        #expect(try store.rows(sql) == ["2"])
        try store.build([TestObject("Note", ["number": 1, "title": "Garden gate"])], updating: true)
        #expect(try store.rows(sql) == ["1", "2"])
        #expect(try store.seed().damages().isEmpty)
    }

    @Test func `a search in an index of other attributes, opened for reading, says what to do`() throws {
        try addNotes()
        var options = ManagedObjectStore.Options()
        options.isReadOnly = true
        func expect<Note>(_ query: ObjectQuery<Note>, _ model: ObjectModel, _ text: String) throws {
            let store = try ManagedObjectStore(at: url, model: model, options: options)
            let context = ObjectContext(store)
            for error in [
                #expect(throws: StoreError.self) { try context.fetch(query) },
                #expect(throws: StoreError.self) { try context.count(query) },
                #expect(throws: StoreError.self) { try context.matches(of: query) },
            ] {
                #expect(error?.kind == .misuse)
                #expect(error?.message == "the search index of 'Note' in '\(url.path)' has \(text)")
                #expect(error?.advice == "open the file for writing once, which builds the index")
            }
            store.close()
        }
        try ManagedObjectStore(at: url, model: ObjectModel(PartNote.self)).close()
        try expect(
            FullNote.where { $0.search("gate") }, ObjectModel(FullNote.self), "'title', expected 'title', 'body'")
        try ManagedObjectStore(at: url, model: ObjectModel(FullNote.self)).close()
        try expect(
            PartNote.where { $0.search("gate") }, ObjectModel(PartNote.self), "'title', 'body', expected 'title'")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a search, a change by it and an observation end after another version has built the index`() async throws {
        try addNotes()
        let store = try ManagedObjectStore(at: url, model: ObjectModel(FullNote.self))
        let context = ObjectContext(store)
        let query = FullNote.where { $0.search("gate") }
        var changes = context.observe(query).makeAsyncIterator()
        #expect(try await changes.next()?.objects.map(\.number) == [2])
        #expect(try await ObjectContext(store).count(query) == 1)
        let other = try ManagedObjectStore(at: url, model: ObjectModel(PartNote.self))
        #expect(try await ObjectContext(other).count(PartNote.where { $0.search("gate") }) == 1)
        func expect(_ error: (any Error)?) {
            let error = error as? StoreError
            #expect(error?.kind == .misuse)
            #expect(
                error?.message == "the search index of 'Note' in '\(url.path)' has 'title', expected 'title', 'body'")
            #expect(error?.advice?.hasPrefix("another version of the program has changed it: close the store") == true)
        }
        expect(await #expect(throws: StoreError.self) { try await ObjectContext(store).count(query) })
        expect(await #expect(throws: StoreError.self) { try await ObjectContext(store).delete(query) })
        do {
            while try await changes.next() != nil {}
            Testing.Issue.record("the observation ended without an error")
        } catch {
            expect(error)
        }
        // Everything else continues to work.
        #expect(try await ObjectContext(store).count(FullNote.all) == 2)
        store.close()
        let again = try ManagedObjectStore(at: url, model: ObjectModel(FullNote.self))
        #expect(try await ObjectContext(again).count(FullNote.where { $0.search("empty gate") }) == 1)
    }
}
