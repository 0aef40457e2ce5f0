import Foundation
import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Objects of entities without classes.
@Suite struct DynamicObjectTests {
    @Test func `objects are inserted, fetched, changed and deleted by names`() throws {
        let store = try AuthorModel.store()
        let context = ObjectContext(store)
        let roy = try context.insert("Author")
        #expect(roy is DynamicObject)
        #expect(roy["name"] as? String == "nobody")
        #expect(roy["id"] == nil)
        roy["id"] = 7
        roy["name"] = "Roy"
        #expect(roy.managed.state == .inserted)
        try context.save()
        #expect(roy.managed.state == .unchanged && "\(roy.managed.id)" == "Author/1")
        #expect(try store.rows(sql: #"SELECT "id", "name" FROM "Author""#).map { $0.values } == [[7, "Roy"]])

        let other = ObjectContext(store)
        let found = try #require(try other.fetch("Author") { $0["name"] == "Roy" }.first)
        #expect(found["id"] == 7)
        found["name"] = "Ray"
        #expect(found.managed.changes.map(\.property) == ["name"])
        try other.save()
        #expect(try context.fetch("Author").map { $0["name"] as? String } == ["Ray"])
        #expect(roy["name"] == "Ray")

        context.delete(roy)
        try context.save()
        #expect(roy.managed.state == .deleted)
        #expect(try store.count(of: "Author") == 0)
        #expect(try other.fetch("Author").isEmpty)
    }

    @Test func `values of every type return as they were assigned`() throws {
        let store = try AuthorModel.store()
        let context = ObjectContext(store)
        let token = UUID()
        let author = try context.insert("Author")
        let values: [String: Any] = [
            "id": 1, "born": Date(timeIntervalSince1970: 1.2345), "isAlive": true, "rating": 0.25,
            "royalty": Decimal(string: "1.10") ?? 0, "token": token, "site": URL(string: "https://a.example/b")!,
            "photo": Data([0, 1, 255]), "extra": JSON.array([1, .string("a")]), "tags": ["x", "y"], "scores": [1, 2],
        ]
        for (name, value) in values { author[name] = value }
        try context.save()
        let other = ObjectContext(store)
        let read = try #require(try other.find("Author", 1))
        #expect(read["born"] == Date(timeIntervalSince1970: 1.234))
        #expect(read["isAlive"] as? Bool == true)
        #expect(read["rating"] == 0.25)
        #expect(read["royalty"] == Decimal(string: "1.1"))
        #expect(read["token"] == token)
        #expect(read["site"] == URL(string: "https://a.example/b"))
        #expect(read["photo"] == Data([0, 1, 255]))
        #expect(read["extra"] == JSON.array([1, .string("a")]))
        #expect(read["tags"] as? [String] == ["x", "y"])
        #expect(read["scores"] == [1, 2])
        #expect(read["mail"] == nil)
        let number: Int64? = read["id"]
        #expect(number == 1)
        #expect(read.managed.snapshot()["rating"] == 0.25)
        for name in values.keys where name != "id" { read[name] = nil }
        try other.save()
        #expect(
            try store.rows(sql: #"SELECT "born", "tags", "rating" FROM "Author""#).first?.values == [
                .null, .null, .null,
            ])
    }

    @Test func `a list with null keeps it`() throws {
        let store = try AuthorModel.store()
        try store.write(sql: #"INSERT INTO "Author"("id", "scores") VALUES(1, '[1,null]')"#)
        let author = try #require(try ObjectContext(store).find("Author", 1))
        #expect(author["scores"] as? [Int?] == [1, nil])
        // NULL in an attribute that is not optional is the default.
        #expect(author["name"] == "nobody")
    }

    @Test func `both sides of relationships follow, and are saved`() throws {
        let store = try AuthorModel.filled()
        let context = ObjectContext(store)
        let roy = try #require(try context.find("Author", 1))
        let ann = try #require(try context.find("Author", 2))
        let books = roy.objects("books")
        #expect(books.map { $0["title"] as? String } == ["Attics", "Boats"])
        books[0]["author"] = ann
        #expect(roy.objects("books") == [books[1]] && ann.objects("books") == [books[0]])
        let shelf = try context.insert("Shelf")
        shelf["books"] = [books[1], books[0]]
        #expect(books[0]["shelf"] as? DynamicObject === shelf)
        roy["friends"] = Set([ann])
        try context.save()

        let other = ObjectContext(store)
        let saved = try #require(try other.fetch("Shelf").first)
        #expect(saved.objects("books").map { $0["title"] as? String } == ["Boats", "Attics"])
        #expect((saved.objects("books")[1]["author"] as? ManagedObject)?["name"] == "Ann")
        #expect(try other.find("Author", 1)?.objects("friends").map { $0["id"] as? Int } == [2])
        saved["books"] = nil
        #expect(saved.objects("books").isEmpty)
        try other.save()
        #expect(try store.rows(sql: #"SELECT count(*) FROM "Shelf_books""#).first?.values == [0])
    }

    @Test func `delete rules and required values apply`() throws {
        let store = try AuthorModel.filled()
        let context = ObjectContext(store)
        let roy = try #require(try context.find("Author", 1))
        let shelf = try context.insert("Shelf")
        shelf["books"] = roy.objects("books")
        try context.save()
        context.delete(shelf)
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        context.delete(roy)
        try context.save()
        #expect(try store.count(of: "Book") == 0)
        let book = try context.insert("Book")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.problems.map(\.description) == ["Book.title of Book/new\(-book.row): a value is required, found nil"]
        )
        book["title"] = "C"
        try context.save()
    }

    @Test func `rollback, refresh and merges treat them as other objects`() throws {
        let store = try AuthorModel.filled()
        let (context, other) = (ObjectContext(store), ObjectContext(store))
        let roy = try #require(try context.find("Author", 1))
        let same = try #require(try other.find("Author", 1))
        #expect(try context.fetch("Author").contains { $0 === roy })
        roy["name"] = "Rob"
        context.rollback()
        #expect(roy["name"] == "Roy")
        roy["rating"] = 1.0
        same["name"] = "Ray"
        try other.save()
        #expect(roy["name"] == "Roy")
        try context.fetch("Author") { $0["id"] == 1 }.forEach { #expect($0["name"] == "Ray" && $0["rating"] == 1.0) }
        same["rating"] = 2.0
        try other.save()
        let conflict = #expect(throws: StoreError.self) { try context.save() }
        #expect(conflict?.conflicts.map(\.property) == ["rating"])
        context.refresh(roy)
        #expect(roy["rating"] == 2.0)
        let new = try context.insert("Author")
        new["name"] = "New"
        context.rollback()
        #expect(new.managed.state == .detached && new["name"] == "New")
        context.insert(new)
        try context.save()
        #expect(try store.count(of: "Author") == 3)
        #expect("\(new.managed.id)" == "Author/3" && "\(new.debugDescription)" == "Author/3 (unchanged)")
    }

    @Test func `names that are keywords, operators and blanks are names`() throws {
        let names = ["class", "select", "Self", "init", "a b", "quote\"s", "ß", "oid", "rowid", "value", "1"]
        let model = try ObjectModel(entities: [
            EntityDescription(
                "Group", attributes: names.map { AttributeDescription($0, AttributeType(.string)) },
                relationships: [RelationshipDescription("order", to: "Table", inverse: "from")]),
            EntityDescription(
                "Table", attributes: [],
                relationships: [RelationshipDescription("from", to: "Group", isToMany: true, isOrdered: true)]),
        ])
        let store = try ManagedObjectStore(inMemory: model)
        let context = ObjectContext(store)
        let (group, table) = (try context.insert("Group"), try context.insert("Table"))
        for name in names { group[name] = "<\(name)>" }
        table["from"] = [group]
        try context.save()
        let other = ObjectContext(store)
        for name in names {
            let found = try other.fetch("Group") { $0[name] == "<\(name)>" && $0["order"] != nil }
            #expect(found.first?[name] == "<\(name)>", "\(name)")
        }
        #expect(try other.fetch(other.query("Group").sorted(by: "select")).count == 1)
    }

    @Test func `a wide entity has all of its values`() throws {
        let names = (0..<300).map { "a\($0)" }
        let model = try ObjectModel(entities: [
            EntityDescription("Wide", attributes: names.map { AttributeDescription($0, AttributeType(.string)) })
        ])
        let store = try ManagedObjectStore(inMemory: model)
        let context = ObjectContext(store)
        let wide = try context.insert("Wide")
        for name in names { wide[name] = "\(name) is a text that needs memory of its own" }
        try context.save()
        let read = try #require(try ObjectContext(store).fetch("Wide").first)
        #expect(names.allSatisfy { read[$0] == "\($0) is a text that needs memory of its own" })
    }

    @Test func `released objects release their values, on any thread`() async throws {
        let store = try AuthorModel.filled()
        try await store.perform { context in
            weak var released: ManagedObject?
            do {
                let roy = try context.find("Author", 1)
                #expect(roy?.objects("books").count == 2)
                released = roy
            }
            #expect(released == nil)
        }
        // A long chain of lists.
        try await store.perform { context in
            var last = try context.insert("Author")
            for _ in 0..<20_000 {
                let next = try context.insert("Author")
                next["friends"] = [last]
                last = next
            }
            context.rollback()
        }
        #expect(try store.count(of: "Author") == 2)
    }

    @Test func `an entity with a class gives objects of the class`() throws {
        let store = try Company.store()
        let context = ObjectContext(store)
        let object = try context.insert("Employee")
        let employee = try #require(object as? Employee)
        object["number"] = 3
        object["rank"] = "senior"
        object["name"] = "Ann"
        object["address"] = Employee.Address(street: "A", number: 1)
        object["nicknames"] = ["An"]
        #expect(employee.number == 3 && employee.rank == .senior && employee.address.street == "A")
        let department = Department(in: context)
        (department.code, department.title) = ("d", "D")
        object["department"] = department
        #expect(department.staff == [employee])
        #expect(object["rank"] == Employee.Rank.senior)
        try context.save()
        #expect(
            try context.fetch("Employee") { $0["rank"] == "senior" && $0["department"]["title"] == "D" } == [employee])
        #expect(
            try context.fetch(Employee.where { $0["rank"] == Employee.Rank.senior.rawValue && $0.name == "Ann" }).count
                == 1)
        #expect(try context.find("Employee", 3) === employee)
    }

    @MainActor @Test func `observers of dynamic objects are notified`() async throws {
        let store = try AuthorModel.filled()
        let context = store.mainContext
        let roy = try #require(try await context.find("Author", 1))
        let changes = Mutex(0)
        withObservationTracking {
            _ = roy["name"]
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        roy["rating"] = 3.0
        #expect(changes.withLock { $0 } == 0)
        roy["name"] = "Ray"
        #expect(changes.withLock { $0 } == 1)
        try await context.save()
        var steps = 0
        for try await change in context.observe(try context.query("Author").sorted(by: "name")) {
            steps += 1
            if steps == 1 {
                #expect(change.objects.map { $0["name"] as? String } == ["Ann", "Ray"])
                try await store.perform { context in
                    let author = try context.insert("Author")
                    author["name"] = "Bob"
                    try context.save()
                }
            } else {
                #expect(change.inserted == [1])
                break
            }
        }
    }
}
