import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

final class SearchedNote: ManagedObject, Mappable {
    override class var entityName: String { "Note" }
    @Stored(.identity) var number = 0
    @Stored(.searchable) var title = ""
    @Stored(.searchable) var body: String? = nil
    @Stored var author = ""
    @ToOne var folder: SearchedFolder?

    static let mapping = Mapping(SearchedNote.self) {
        Attribute("number", \.number)
        Attribute("title", \.title)
        Attribute("body", \.body)
    }
}

final class SearchedFolder: ManagedObject {
    override class var entityName: String { "Folder" }
    @Stored(.identity, .searchable) var name = ""
    @ToMany(inverse: \SearchedNote.folder) var notes: [SearchedNote]
}

/// Searches by text, by each way in which rows are written.
@Suite struct SearchTests {
    let store: ManagedObjectStore

    init() throws { store = try ManagedObjectStore(inMemory: ObjectModel(SearchedNote.self, SearchedFolder.self)) }

    private func addNotes() throws -> ObjectContext {
        let context = ObjectContext(store)
        let folder = SearchedFolder(in: context)
        folder.name = "House"
        for (number, title, body) in [
            (1, "Attic", "Boxes, and the stairs to the cellar"), (2, "Cellar", "Wine"),
            (3, "Café in the attic", "Tea and attic cake. The attic is warm"), (4, "Émile", nil), (5, "C++", "100 %"),
        ] as [(Int, String, String?)] {
            let note = SearchedNote(in: context)
            (note.number, note.title, note.body) = (number, title, body)
            note.folder = number < 3 ? folder : nil
        }
        try context.save()
        return context
    }

    private func numbers(_ text: String, _ context: ObjectContext) throws -> [Int] {
        try context.fetch(SearchedNote.where { $0.search(text) }).map(\.number).sorted()
    }

    @Test(arguments: [
        ("attic", [1, 3]), ("ATTIC", [1, 3]), ("attic -cellar", [3]), ("attic NOT cellar", [3]), ("cafe", [3]),
        ("emile", [4]),
        ("wine OR tea", [2, 3]), ("attic AND tea", [3]), ("attic tea OR wine", [2, 3]), ("att*", [1, 3]), ("att", []),
        ("\"the stairs\"", [1]), ("\"stairs the\"", []), ("“the stairs”", [1]), ("\"the st\"*", [1]),
        ("-attic", [2, 4, 5]), ("-attic -wine", [4, 5]), ("-attic OR tea", [2, 3, 4, 5]), ("100", [5]), ("c++", [5]),
    ])
    func `words, phrases, prefixes, exclusions and alternatives are found`(_ text: String, _ expected: [Int]) throws {
        #expect(try numbers(text, addNotes()) == expected)
    }

    @Test(arguments: [
        "", " ", "\"", "\"\"", "'", "-", "--", "*", "(", ")", "((attic", "attic)", "AND", "OR", "NOT", "NEAR",
        "AND OR NOT NEAR",
        "NEAR(attic cellar, 2)", "attic OR", "OR attic", "NOT", "attic NOT", "title:attic", "title : attic",
        "{title}:x",
        "^attic", "attic + cellar", "a\"b\"c", "🎉", "attic 🎉", "\u{0}", "at\u{0}tic", "\"\u{301}attic", "x\"\u{301}y",
        "'; DROP TABLE Note; --",
        "-\"", "-*", "a -b OR -c", "\u{FFFF}", "\\", "%", "_", "attic -", "\"attic", "“attic",
    ])
    func `any text is searched without an error`(_ text: String) throws {
        let context = try addNotes()
        _ = try numbers(text, context)
        _ = try context.matches(of: SearchedNote.where { $0.search(text) })
        _ = try context.fetch(SearchedNote.where { $0.title.search(text) })
        #expect(try context.count(SearchedNote.all) == 5)
    }

    @Test func `texts without letters find nothing, and are ignored beside words`() throws {
        let context = try addNotes()
        #expect(try numbers("🎉", context) == [])
        #expect(try numbers("", context) == [])
        #expect(try numbers("attic 🎉 -", context) == [1, 3])
    }

    @Test func `a text of many words is searched`() throws {
        let context = try addNotes()
        let words = (0..<3000).map { "w\($0)" }
        #expect(try numbers((words + ["attic"]).joined(separator: " OR "), context) == [1, 3])
        #expect(try numbers(words.joined(separator: " "), context) == [])
        #expect(try numbers("attic " + words.map { "-\($0)" }.joined(separator: " "), context) == [1, 3])
        #expect(try numbers(words.map { "-\($0)" }.joined(separator: " OR "), context) == [1, 2, 3, 4, 5])
    }

    @Test func `words that a text repeats are searched once`() throws {
        let repeated = SearchText(Array(repeating: "attic \"the stairs\" -wine", count: 3).joined(separator: " "))
        #expect(repeated.match == "\"attic\" \"the stairs\" NOT (\"wine\")")
        #expect(repeated.mismatch == nil)
        #expect(SearchText("-wine NOT wine").mismatch == "\"wine\"")
        #expect(SearchText("tea OR wine OR tea").match == "(\"tea\") OR (\"wine\")")
        #expect(try numbers("attic attic -cellar -cellar", addNotes()) == [3])
    }

    @Test func `results are ranked unless they are sorted`() throws {
        let context = try addNotes()
        let query = SearchedNote.where { $0.search("attic") && $0.number < 4 }
        #expect(try context.fetch(query).map(\.number) == [3, 1])
        #expect(try context.fetch(query.limit(1)).map(\.number) == [3])
        #expect(try context.fetch(query.sorted(by: \.number)).map(\.number) == [1, 3])
        #expect(try context.ids(query).count == 2)
        #expect(try context.count(query) == 2)
        #expect(try context.values(of: \.title, query) == ["Café in the attic", "Attic"])
        #expect(try context.aggregate(query) { $0.number.sum() } == 4)
    }

    @Test func `one attribute is searched`() throws {
        let context = try addNotes()
        #expect(try context.fetch(SearchedNote.where { $0.title.search("cellar") }).map(\.number) == [2])
        #expect(try context.fetch(SearchedNote.where { $0.body.search("cellar OR tea") }).count == 2)
        #expect(try context.fetch(SearchedNote.where { $0.title.search("-cellar") }).count == 4)
    }

    @Test func `related objects are searched`() throws {
        let context = try addNotes()
        #expect(try context.fetch(SearchedNote.where { $0.folder.search("house") }).map(\.number) == [1, 2])
        #expect(try context.fetch(SearchedNote.where { $0.folder.search("-garden") }).map(\.number) == [1, 2])
        let folders = SearchedFolder.where { $0.notes.any { $0.search("wine") } }
        #expect(try context.fetch(folders).map(\.name) == ["House"])
        let both = SearchedNote.where { $0.search("attic") && $0.folder.search("house") }
        #expect(try context.fetch(both).map(\.number) == [1])
        #expect(try context.fetch(SearchedNote.where { !$0.search("attic") }).map(\.number) == [2, 4, 5])
        #expect(try context.fetch(SearchedNote.where { $0.search("wine") || $0.number == 5 }).map(\.number) == [2, 5])
    }

    @Test func `properties are searched by name`() throws {
        let context = try addNotes()
        func find(
            _ entity: String, _ condition: (QueryObject<ManagedObject, ManagedObject>) -> QueryPredicate<ManagedObject>
        )
            throws -> [String]
        {
            try context.fetch(entity, where: condition).map { "\($0["number"] ?? $0["name"] ?? "")" }
        }
        #expect(try find("Note") { $0["title"].search("cellar") } == ["2"])
        #expect(try find("Note") { $0["title"].search("-cellar") } == ["1", "3", "4", "5"])
        #expect(try find("Note") { $0["folder"].search("house") } == ["1", "2"])
        #expect(try find("Note") { $0["folder"]["name"].search("house") && $0.search("attic") } == ["1"])
        #expect(try find("Note") { $0["body"].search(syntax: "NEAR(stairs cellar, 5)") } == ["1"])
        #expect(try find("Note") { $0["folder"].search(syntax: "name : house") } == ["1", "2"])
        #expect(try find("Folder") { $0["notes"].any { $0["body"].search("wine") } } == ["House"])
        let problems: [(String, String, (QueryObject<ManagedObject, ManagedObject>) -> QueryPredicate<ManagedObject>)] =
            [
                ("Note", "'Note.author' is not searchable", { $0["author"].search("x") }),
                ("Note", "'Note.number' is not searchable", { $0["number"].search("x") }),
                (
                    "Folder", "'notes' has several objects, which cannot be searched directly",
                    { $0["notes"].search("x") }
                ),
                ("Folder", "'count' ", { $0["notes"].count.search("x") }),
                ("Note", "", { $0["titel"].search("x") }),
            ]
        for (entity, message, condition) in problems {
            let error = #expect(throws: StoreError.self) { _ = try find(entity, condition) }
            #expect(error?.message.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test func `matches have snippets with highlighted words`() throws {
        let context = try addNotes()
        let matches = try context.matches(of: SearchedNote.where { $0.search("cake tea") })
        let match = try #require(matches.first)
        #expect(match.object.number == 3)
        #expect(match.relevance > 0)
        #expect(match.highlights.map { match.snippet[$0] } == ["Tea", "cake"])
        let all = try context.matches(of: SearchedNote.where { $0.search("attic") }, words: 3)
        #expect(all.map(\.object.number) == [3, 1])
        #expect(all[0].relevance >= all[1].relevance)
        #expect(all[0].snippet.contains("…"))
    }

    @Test func `an expression of FTS5 is used as it is, and an invalid one is a typed error`() throws {
        let context = try addNotes()
        func find(_ syntax: String) throws -> [Int] {
            try context.fetch(SearchedNote.where { $0.search(syntax: syntax) }).map(\.number).sorted()
        }
        #expect(try find("title : attic OR NEAR(stairs cellar, 5)") == [1, 3])
        for syntax in ["", "AND", "attic AND", "\"", "(", "nothing : x", "*", "attic ^"] where !syntax.isEmpty {
            let error = #expect(throws: StoreError.self) { _ = try find(syntax) }
            #expect(error?.kind == .invalidSearch, "\(syntax): \(error.map { "\($0)" } ?? "")")
            #expect(error?.advice?.contains("search(_:)") == true)
        }
    }

    @Test func `what is not searchable is named`() throws {
        let context = ObjectContext(store)
        let error = #expect(throws: StoreError.self) {
            _ = try context.fetch(SearchedNote.where { $0.author.search("x") })
        }
        #expect(error?.kind == .misuse && error?.message == "'Note.author' is not searchable")
        let other = #expect(throws: StoreError.self) { _ = try context.matches(of: SearchedNote.all) }
        #expect(other?.kind == .misuse)
        let plain = ObjectContext(
            try ManagedObjectStore(inMemory: ObjectModel(Song.self, Record.self, Playlist.self, Lyrics.self)))
        let none = #expect(throws: StoreError.self) { _ = try plain.fetch(Song.where { $0.search("x") }) }
        #expect(none?.message == "'Song' has no searchable attribute")
    }

    @Test func `unsaved changes of searched objects are refused by name`() throws {
        let context = try addNotes()
        let folder = SearchedFolder(in: context)
        folder.name = "Garden"
        #expect(try numbers("attic", context) == [1, 3])
        let note = SearchedNote(in: context)
        note.title = "Attic"
        let error = #expect(throws: StoreError.self) { _ = try numbers("attic", context) }
        #expect(error?.kind == .misuse && error?.message.contains("unsaved changes of 'Note'") == true)
        context.rollback()
        #expect(try numbers("attic", context) == [1, 3])
    }

    enum Writer: CaseIterable { case save, map, importJSON, update, sql, replace, otherProgram }

    @Test(arguments: Writer.allCases)
    func `every writer keeps the index`(_ writer: Writer) async throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("notes.sqlite")
        let store = try ManagedObjectStore(at: url, model: ObjectModel(SearchedNote.self, SearchedFolder.self))
        let context = ObjectContext(store)
        let json = Data(#"[{"number": 1, "title": "Roof"}, {"number": 2, "title": "Gate"}]"#.utf8)
        _ = try await store.importJSON(json, with: SearchedNote.mapping)
        #expect(try numbers("roof OR gate", context) == [1, 2])
        let new = Data(#"[{"number": 1, "title": "Chimney"}, {"number": 3, "title": "Fence"}]"#.utf8)
        switch writer {
        case .save:
            try #require(try await context.find(SearchedNote.self, 1)).title = "Chimney"
            let note = SearchedNote(in: context)
            (note.number, note.title) = (3, "Fence")
            context.delete(try #require(try await context.find(SearchedNote.self, 2)))
            try await context.save()
        case .map:
            _ = try await context.map(new, with: SearchedNote.mapping)
            context.delete(try #require(try await context.find(SearchedNote.self, 2)))
            try await context.save()
        case .importJSON:
            _ = try await store.importJSON(new, with: SearchedNote.mapping)
            try await context.delete(SearchedNote.where { $0.number == 2 })
        case .update:
            try await context.update(SearchedNote.where { $0.number == 1 }) { $0.set(\.title, to: "Chimney") }
            try await context.update(SearchedNote.where { $0.number == 2 }) {
                $0.set(\.title, to: "Fence")
                $0.set(\.number, to: 3)
            }
        case .sql:
            try store.write(sql: #"UPDATE "Note" SET "title" = 'Chimney' WHERE "number" = 1"#)
            try store.write(sql: #"DELETE FROM "Note" WHERE "number" = 2"#)
            try store.write(sql: #"INSERT INTO "Note"("number", "title") VALUES(3, 'Fence')"#)
        case .replace:
            try store.write(sql: #"REPLACE INTO "Note"("number", "title") VALUES(1, 'Chimney')"#)
            try store.write(sql: #"INSERT OR REPLACE INTO "Note"("_id", "number", "title") VALUES(2, 3, 'Fence')"#)
        case .otherProgram:
            let other = try SQLiteDatabase(path: url.path, mode: .readWrite)
            // Without recursive triggers, the deletion of a replaced row fires none.
            try other.execute(
                #"REPLACE INTO "Note"("_id", "number", "title") VALUES(1, 1, 'Chimney'), (2, 3, 'Fence')"#)
            other.close()
        }
        #expect(try numbers("chimney OR fence", context) == [1, 3])
        #expect(try numbers("roof OR gate", context) == [])
        #expect(try SeedDatabase(at: url).damages().isEmpty)
        try store.write(sql: #"DELETE FROM "Note""#)
        #expect(try numbers("chimney OR fence", context) == [])
    }

    @Test func `the table of the index cannot be written by statements of users, and is readable`() throws {
        _ = try addNotes()
        let rows = try store.rows(
            sql: #"SELECT rowid FROM "_mappingkit_Note_search" WHERE "_mappingkit_Note_search" MATCH ?"#,
            arguments: ["wine"])
        #expect(rows.count == 1)
        #expect(throws: StoreError.self) { try store.write(sql: #"DELETE FROM "_mappingkit_Note_search""#) }
    }
}
