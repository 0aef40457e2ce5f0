import ObjectMapping
import Testing

@testable import ObjectStore

/// A class with every option, and with relationships of each order.
final class Shelf: ManagedObject {
    override class var entityName: String { "Book case" }
    override class var indexes: [ObjectIndex] { [.index("color", "height"), .unique("label", "height")] }

    @Stored(.identity) var room = ""
    @Stored(.identity) var position = 0
    @Stored(.indexed) var label = ""
    @Stored(.unique) var code: String? = nil
    @Stored(.required) var material: String? = "wood"
    @Stored(.was("paint")) var color = "white"
    @Stored(.transient) var isSelected = false
    @Stored var height = 2.0
    @ToMany(inverse: \Book.shelf, sortedBy: \Book.title) var books: [Book]
    @ToMany(inverse: \Book.window, isOrdered: true) var displayed: [Book]
    @ToOne var next: Shelf?
    @ToMany(inverse: nil) var similar: [Shelf]
}

final class Book: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var title = ""
    @Stored var subtitle: String?
    @ToOne var shelf: Shelf?
    @ToOne var window: Shelf?
}

@Suite struct ClassDeclarationTests {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Shelf.self, Book.self))
        context = ObjectContext(store)
    }

    private func shelf(_ room: String, _ position: Int) -> Shelf {
        let shelf = Shelf(in: context)
        (shelf.room, shelf.position, shelf.label) = (room, position, "\(room)\(position)")
        return shelf
    }

    private func book(_ number: Int, _ title: String) -> Book {
        let book = Book(in: context)
        (book.number, book.title) = (number, title)
        return book
    }

    // MARK: The file

    @Test func `table, columns and relationships of the file are derived from the wrappers`() throws {
        let tables = try store.rows(
            sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '#_%' ESCAPE '#'")
        #expect(
            tables.compactMap { $0["sql"]?.text } == [
                #"CREATE TABLE "Book case"("_id" INTEGER PRIMARY KEY, "room" TEXT, "position" INTEGER, "label" TEXT, "#
                    + #""code" TEXT, "material" TEXT, "color" TEXT, "height" REAL, "#
                    + #""next" INTEGER REFERENCES "Book case"("_id"))"#,
                #"CREATE TABLE "Book"("_id" INTEGER PRIMARY KEY, "number" INTEGER, "title" TEXT, "subtitle" TEXT, "#
                    + #""shelf" INTEGER REFERENCES "Book case"("_id"), "window" INTEGER REFERENCES "Book case"("_id"))"#,
                #"CREATE TABLE "Book case_displayed"("owner" INTEGER REFERENCES "Book case"("_id"), "#
                    + #""target" INTEGER REFERENCES "Book"("_id"), "position" INTEGER, "#
                    + #"PRIMARY KEY("owner", "target")) WITHOUT ROWID"#,
                #"CREATE TABLE "Book case_similar"("owner" INTEGER REFERENCES "Book case"("_id"), "#
                    + #""target" INTEGER REFERENCES "Book case"("_id"), "position" INTEGER, "#
                    + #"PRIMARY KEY("owner", "target")) WITHOUT ROWID"#,
            ])
    }

    @Test func `the model in the file has everything that the classes declare`() throws {
        let text = try #require(
            store.rows(sql: "SELECT value FROM _mappingkit WHERE key = 'model'").first?.values.first?.text)
        let model = try ObjectModel(json: JSON(text))
        let shelf = try #require(model.entity(named: "Book case"))
        #expect(shelf.attribute(named: "color")?.formerName == "paint")
        #expect(shelf.attributes.filter(\.isIndexed).map(\.name) == ["label"])
        #expect(shelf.attributes.filter(\.isUnique).map(\.name) == ["code"])
        #expect(shelf.indexes == [.index("color", "height"), .unique("label", "height")])
        #expect(shelf.relationship(named: "books")?.sortedBy == "title")
        #expect(try model == ObjectModel(Shelf.self, Book.self))
    }

    @Test func `indexes of the file are derived from options, relationships and class indexes`() throws {
        let indexes = try store.rows(
            sql: """
                SELECT list.tbl_name AS "table", "unique", group_concat(info.name) AS columns
                FROM sqlite_schema AS list, pragma_index_list(list.tbl_name) AS i, pragma_index_info(i.name) AS info
                WHERE list.type = 'index' AND i.name = list.name AND list.tbl_name NOT LIKE '#_%' ESCAPE '#'
                GROUP BY list.name ORDER BY list.tbl_name, columns
                """)
        #expect(
            indexes.map {
                "\($0["table"]?.text ?? ""): \($0["columns"]?.text ?? "")\($0["unique"] == 1 ? " unique" : "")"
            }
                == [
                    "Book: number unique", "Book: shelf", "Book: window", "Book case: code unique",
                    "Book case: color,height", "Book case: label", "Book case: label,height unique", "Book case: next",
                    "Book case: room,position unique", "Book case_displayed: target unique",
                    "Book case_similar: target",
                ])
    }

    @Test func `an identity of several properties is a compound key`() throws {
        let (a, b) = (shelf("A", 1), shelf("A", 2))
        try context.save()
        #expect(try context.find(Shelf.self, "A", 2) === b && context.find(Shelf.self, "A", 1) === a)
        let error = #expect(throws: StoreError.self) {
            try store.write(sql: #"UPDATE "Book case" SET "position" = 1"#)
        }
        #expect(error?.kind == .constraint)
    }

    @Test func `objects with the same values of a unique compound index cannot be saved`() throws {
        let (a, b) = (shelf("A", 1), shelf("A", 2))
        b.label = a.label
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.message.hasSuffix(
                "another object of 'Book case' has the same values of 'label', 'height', which must be unique") == true,
            "\(error?.message ?? "-")")
        #expect(error?.violation?.attributes == ["label", "height"])
        b.height = 1
        try context.save()
    }

    @Test func `an optional attribute is nil without an initial value`() throws {
        let (a, b) = (book(1, "a"), book(2, "b"))
        a.subtitle = "x"
        try context.save()
        context.refresh()
        #expect(a.subtitle == "x" && b.subtitle == nil)
        #expect(store.model.entity(named: "Book")?.attribute(named: "subtitle")?.isOptional == true)
    }

    @Test func `a required property that is nil cannot be saved`() throws {
        let a = shelf("A", 1)
        a.material = nil
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.message) == ["a value is required, found nil"])
        #expect(error?.problems.first?.property == "material" && error?.entity == "Book case")
    }

    @Test func `the former name of an attribute is not a column`() throws {
        #expect(try store.rows(sql: #"SELECT "color" FROM "Book case""#).isEmpty)
        #expect(throws: StoreError.self) { try store.rows(sql: #"SELECT [paint] FROM "Book case""#) }
    }

    // MARK: Relationships

    @Test func `a to-many relationship is a set`() throws {
        let (a, b) = (shelf("A", 1), shelf("A", 2))
        a.similar = [b, a, b]
        #expect(a.similar == [b, a])
        a.similar.append(a)
        try context.save()
        context.refresh()
        #expect(a.similar.count == 2)
    }

    @Test func `a sorted relationship is in the order of its attribute, nil first`() throws {
        let (a, b) = (shelf("A", 1), shelf("B", 1))
        let books = ["m", "z", "a", "Z"].enumerated().map { book($0.offset, $0.element) }
        for book in books { book.shelf = a }
        #expect(a.books.map(\.title) == ["Z", "a", "m", "z"])
        let late = book(9, "b")
        late.shelf = a
        #expect(a.books.map(\.title) == ["Z", "a", "b", "m", "z"])
        try context.save()
        context.refresh()
        #expect(a.books.map(\.title) == ["Z", "a", "b", "m", "z"])
        late.title = "zz"
        late.shelf = b
        #expect(a.books.map(\.title) == ["Z", "a", "m", "z"] && b.books == [late])
        late.shelf = a
        try context.save()
        context.refresh()
        #expect(a.books.map(\.title) == ["Z", "a", "m", "z", "zz"])
    }

    @Test func `an ordered relationship has positions in the file`() throws {
        let a = shelf("A", 1)
        a.displayed = [book(3, "c"), book(1, "a"), book(2, "b")]
        try context.save()
        let sql =
            #"SELECT b.number FROM "Book case_displayed" AS l JOIN Book AS b ON b._id = l.target ORDER BY l.position"#
        #expect(try store.rows(sql: sql).map { $0.values[0] } == [3, 1, 2])
    }

    @Test func `an inverse that is declared on one side applies to both sides`() throws {
        let (a, one) = (shelf("A", 1), book(1, "a"))
        one.window = a
        #expect(a.displayed == [one])
        a.displayed = []
        #expect(one.window == nil)
        #expect(store.model.entity(named: "Book")?.relationships.map(\.inverse) == ["books", "displayed"])
    }

    // MARK: New objects

    @Test func `a new object is created by its initializer or by the context`() throws {
        let (a, b) = (Book(in: context), context.insert(Book.self))
        #expect(context.insertedObjects == [a, b] && a.managed.state == .inserted && a.managed.context === context)
        let c = Book()
        context.insert(c)
        #expect(context.insertedObjects.count == 3)
    }

    @Test func `an identity that is assigned its default identifies an object`() throws {
        let (a, b) = (Book(in: context), Book(in: context))
        a.number = 0
        try context.save()
        #expect(try context.find(Book.self, 0) === a)
        #expect(try store.rows(sql: "SELECT number FROM Book ORDER BY _id").map { $0.values[0] } == [0, .null])
        b.number = 0
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .identityTaken && error?.message.hasPrefix("cannot save the object Book/2: ") == true)
    }

    @Test func `an identity that was not assigned can be assigned after a save`() throws {
        let (a, b) = (Book(in: context), Book(in: context))
        try context.save()
        (a.number, b.number) = (0, 5)
        try context.save()
        #expect(try store.rows(sql: "SELECT number FROM Book ORDER BY _id").map { $0.values[0] } == [0, 5])
    }

    @Test func `replacing NULL, which is read as the default, is not a conflict`() throws {
        let a = book(1, "a")
        try context.save()
        try context.write(sql: "UPDATE Book SET title = NULL")
        #expect(a.title == "")
        a.title = "b"
        try context.save()
        #expect(try store.rows(sql: "SELECT title FROM Book").map { $0.values[0] } == ["b"])
    }

    @Test func `equality and hashes of objects are those of references`() throws {
        let (a, b) = (book(1, "a"), Book())
        (b.number, b.title) = (1, "a")
        #expect(a == a && a != b && Set([a, b, a]).count == 2)
        try context.save()
        #expect(try ObjectContext(store).find(Book.self, 1) != a)
        let hash = a.hashValue
        a.title = "other"
        #expect(a.hashValue == hash)
    }

    @Test func `IDs, snapshots and results of them can leave a context`() async throws {
        let (ids, titles, snapshots) = try await store.perform { context in
            for number in 1...3 {
                let book = Book(in: context)
                (book.number, book.title) = (number, "title \(number)")
            }
            try context.save()
            let books = try context.fetch(Book.all)
            return (books.map(\.managed.id), books.map(\.title), books.map { $0.managed.snapshot() })
        }
        #expect(snapshots.map(\.id) == ids && snapshots.map(\.title) == titles && snapshots[2].number == 3)
        #expect(try ids.map { try context.object(with: $0, as: Book.self).title } == titles)
    }
}
