import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Wrong names, types and objects without classes.
@Suite struct DynamicMistakeTests {
    let store: ManagedObjectStore
    let context: ObjectContext
    let roy: ManagedObject

    init() throws {
        store = try AuthorModel.filled()
        context = ObjectContext(store)
        roy = try #require(try context.find("Author", 1))
    }

    private func expect(
        _ kind: StoreError.Kind, _ text: String, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: location) { try body() }
        #expect(error?.kind == kind, sourceLocation: location)
        #expect(error?.description == text, sourceLocation: location)
    }

    @Test func `wrong entities are errors with near names`() {
        expect(.unknownEntity, "unknown entity 'Autor'; did you mean 'Author'?") { try context.insert("Autor") }
        expect(.unknownEntity, "unknown entity 'book'; did you mean 'Book'?") { _ = try context.fetch("book") }
        expect(.unknownEntity, "unknown entity ''") { _ = try context.find("", 1) }
        expect(.unknownEntity, "unknown entity 'Zebra'") { _ = try store.query("Zebra") }
    }

    @Test func `wrong names are errors with near names`() {
        let text = "unknown property 'nmae' of 'Author'; did you mean 'name'?"
        expect(.unknownProperty, text) { _ = try roy.value(for: "nmae") }
        expect(.unknownProperty, text) { try roy.set("x", for: "nmae") }
        expect(.unknownProperty, text) { _ = try context.fetch("Author") { $0["nmae"] == "x" } }
        expect(.unknownProperty, text) { _ = try context.fetch(context.query("Author").sorted(by: "nmae")) }
        expect(.unknownProperty, "unknown property 'bookz' of 'Author'; did you mean 'books'?") {
            _ = try context.fetch(context.query("Author").prefetch("bookz"))
        }
        expect(.unknownProperty, "unknown property 'titel' of 'Book'; did you mean 'title'?") {
            _ = try context.fetch("Author") { $0["books"].any { $0["titel"] == "x" } }
        }
        expect(.unknownProperty, text) { _ = try context.fetch("Book") { $0["author"]["nmae"] == "x" } }
        #expect(!context.hasChanges)
    }

    @Test func `a wrong name in a subscript fails the save`() throws {
        roy["nmae"] = "x"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObjects)
        #expect(
            error?.problems.map(\.description) == [
                "Author.nmae of Author/1: unknown property 'nmae' of 'Author'; did you mean 'name'?"
            ])
        context.rollback()
        try context.save()
        // Also if it is only read.
        #expect(roy["nmae"] == nil)
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test func `a wrong type in a subscript fails the save until it is corrected`() throws {
        roy["rating"] = "high"
        roy["books"] = roy
        #expect(roy["rating"] == 4.5 && roy.objects("books").count == 2)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.problems.map(\.message) == [
                "expected double for 'rating' of 'Author', found String",
                "expected an array of objects of 'Book' for 'books' of 'Author', found an object of 'Author'",
            ])
        roy["rating"] = 5
        roy["books"] = roy.objects("books")
        try context.save()
        #expect(roy["rating"] == 5.0)
        let number: Int? = roy["name"]
        #expect(number == nil)
        let read = #expect(throws: StoreError.self) { try context.save() }
        #expect(read?.problems.map(\.message) == ["expected Int for 'name' of 'Author', found String"])
    }

    @Test(
        arguments: [
            ("id", "1", "expected integer for 'id' of 'Author', found String"),
            ("id", 1.5, "expected integer for 'id' of 'Author', found Double"),
            ("id", UInt64.max, "expected integer for 'id' of 'Author', found UInt64"),
            ("isAlive", 1, "expected boolean for 'isAlive' of 'Author', found Int"),
            ("rating", Double.nan, "expected double for 'rating' of 'Author', found Double"),
            ("born", "yesterday", "expected date for 'born' of 'Author', found String"),
            ("tags", "a", "expected [string] for 'tags' of 'Author', found String"),
            ("tags", [1], "expected [string] for 'tags' of 'Author', found Array<Int>"),
            ("name", ["a"], "expected string for 'name' of 'Author', found Array<String>"),
            ("books", "Attics", "expected an array of objects of 'Book' for 'books' of 'Author', found String"),
        ] as [(String, any Sendable, String)])
    func `wrong types are errors`(_ name: String, _ value: any Sendable, _ text: String) {
        expect(.invalidValue, text) { try roy.set(value, for: name) }
        #expect(!context.hasChanges)
    }

    @Test func `values that cannot be nil are errors`() {
        expect(.invalidValue, "'name' of 'Author' cannot be nil: a value of type string is required") {
            try roy.set(nil, for: "name")
        }
    }

    @Test func `integers become other numbers without loss only`() throws {
        try roy.set(3, for: "rating")
        #expect(roy["rating"] as? Double == 3)
        try roy.set(7, for: "royalty")
        #expect(roy["royalty"] == Decimal(7))
        try roy.set(Int8(9), for: "id")
        #expect(roy["id"] == 9)
        expect(.invalidValue, "expected double for 'rating' of 'Author', found Int") {
            try roy.set(Int.max, for: "rating")
        }
    }

    @Test func `objects that a relationship cannot have are errors`() throws {
        let book = try #require(try context.fetch("Book").first)
        expect(.invalidValue, "expected an object of 'Author' for 'author' of 'Book', found an object of 'Book'") {
            try book.set(book, for: "author")
        }
        let foreign = try #require(try ObjectContext(store).find("Author", 2))
        expect(
            .misuse,
            "cannot set 'author' of Book/1: the object belongs to another context; fetch it in this context by its ID"
        ) { try book.set(foreign, for: "author") }
        let ann = try #require(try context.find("Author", 2))
        context.delete(ann)
        expect(.missingObject, "cannot set 'author' of Book/1: the object was deleted; set it to another object or nil")
        {
            try book.set(ann, for: "author")
        }
        expect(.missingObject, "cannot set 'name' of Author/2: the object was deleted; insert it again first") {
            try ann.set("x", for: "name")
        }
        try context.save()
        expect(.missingObject, "cannot set 'name' of Author/detached: the object was deleted; insert it again first") {
            try ann.set("x", for: "name")
        }
        #expect(book["author"] as? ManagedObject === roy)
    }

    @Test func `objects of another store cannot be inserted or compared`() throws {
        let other = ObjectContext(try AuthorModel.filled())
        let stranger = try #require(try other.find("Author", 2))
        other.delete(stranger)
        try other.save()
        context.insert(stranger)
        expect(
            .unknownEntity, "the object of 'Author' belongs to another store; insert an object with the same values"
        ) { try context.save() }
        context.rollback()
        expect(
            .unknownEntity,
            "the query for 'Author' was created for another store; create it by query(\"Author\") of this store"
        ) { _ = try context.fetch(other.query("Author")) }
        let object = DynamicObject(in: context)
        expect(
            .unknownEntity,
            "an object that was created with DynamicObject() has no entity; use insert(\"Entity\") of the context"
        ) { try context.save() }
        #expect(throws: StoreError.self) { try object.value(for: "name") }
        #expect(throws: StoreError.self) { try context.fetch(DynamicObject.all) }
    }

    @Test func `comparisons with other types are errors`() {
        expect(.invalidValue, "cannot compare 'id' of type integer with String") {
            _ = try context.fetch("Author") { $0["id"] == "1" }
        }
        expect(.invalidValue, "'books' of 'Author' is not an attribute, and cannot be compared with values") {
            _ = try context.fetch("Author") { $0["books"] == 1 }
        }
        expect(.invalidValue, "'id' of 'Author' is not a text, and cannot be compared as a text") {
            _ = try context.fetch("Author") { $0["id"].hasPrefix("1") }
        }
        expect(.invalidValue, "'name' of 'Author' is not a relationship, and cannot be used as one") {
            _ = try context.fetch("Author") { $0["name"]["x"] == 1 }
        }
        expect(
            .misuse,
            "'books' has several objects, whose 'title' cannot be compared directly; use $0[\"books\"].any { $0[\"title\"] == … }"
        ) { _ = try context.fetch("Author") { $0["books"]["title"] == "x" } }
        expect(.misuse, "the values of 'tags' are stored as JSON and have no order") {
            _ = try context.fetch("Author") { $0["tags"] < ["a"] }
        }
    }

    @Test func `a value that others wrote in another form is an error of the object`() throws {
        try store.write(sql: #"UPDATE "Author" SET "born" = 'soon' WHERE "id" = 1"#)
        let fresh = try #require(try ObjectContext(store).find("Author", 1))
        expect(
            .corrupt,
            "row 1 of 'Author': the value of the column 'born' cannot be read as date; correct the value in the file, such as "
                + "with write(sql:), or change the type of the property"
        ) { _ = try fresh.value(for: "born") }
        #expect(fresh["name"] == "Roy")
    }

    @Test func `files of others are refused`() async throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("other.sqlite")
        try Data("This is a text, and not a database. ".utf8).write(to: url)
        await #expect(throws: StoreError.self) { try await ManagedObjectStore.open(at: url) }
        let database = folder.file("foreign.sqlite")
        try SQLiteDatabase(path: database.path, mode: .create).execute("CREATE TABLE t(a)")
        let error = await #expect(throws: StoreError.self) { try await ManagedObjectStore.open(at: database) }
        #expect(error?.kind == .foreign)
    }

    @Test func `NaN and infinity in lists and JSON are refused, as in a class`() throws {
        let store = try ManagedObjectStore(
            inMemory: ObjectModel(entities: [
                EntityDescription(
                    "Sample",
                    [
                        AttributeDescription("values", AttributeType(.double, isList: true)),
                        AttributeDescription("value", AttributeType(.double)),
                        AttributeDescription("extra", AttributeType(.json)),
                    ])
            ]))
        let context = ObjectContext(store)
        let sample = try context.insert("Sample")
        let mistakes: [(String, Any)] = [
            ("value", Double.nan), ("values", [1, Double.nan]), ("values", [Double.infinity]),
            ("values", [1.5, nil, -Double.infinity] as [Double?]), ("values", [Float.nan]),
            ("extra", Double.nan), ("extra", [Double.infinity]), ("extra", ["a": [Float.nan]]), ("extra", Decimal.nan),
        ]
        for (name, value) in mistakes {
            let error = #expect(throws: StoreError.self, "\(name) \(value)") { try sample.set(value, for: name) }
            #expect(error?.kind == .invalidValue)
        }
        try sample.set([1.5, nil] as [Double?], for: "values")
        try sample.set(["a": [1.5]], for: "extra")
        try context.save()
        #expect(try store.text(#"SELECT "values", extra FROM Sample"#) == #"[1.5,null],{"a":[1.5]}"#)
    }
}
