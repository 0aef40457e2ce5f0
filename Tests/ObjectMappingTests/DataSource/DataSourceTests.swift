import ObjectMapping
import Testing

private final class Book: Mappable {
    var id = 0
    var title = "fresh"
    var version: Int?
    var authorID: Int?
    var author: Book?
    var parts: [Book] = []
    var sequel: Book?

    static let mapping = Mapping({ Book() }) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("version", \.version)
        Attribute("author", \.authorID)
        Relationship("parts", \.parts).policy(.replace)
        Relationship("sequel", \.sequel).policy(.replace)
        Connection(\.author, by: \.authorID)
    }
    .identified(by: \.id)
    .modified(by: \.version)
}

/// A class whose identity has two parts, one of them in an inner object.
private final class Place: Mappable {
    var row = ""
    var number = 0

    static let mapping = Mapping({ Place() }) {
        Attribute("at.row", \.row)
        Attribute("number", \.number)
    }
    .identified(by: \.row).identified(by: \.number)
}

struct DataSourceTests {
    private let shelf = Shelf()

    // MARK: Objects

    @Test func `An object is searched before it is created, and added before the rest of it is read`() throws {
        let books = try Book.mapping.all(#"[{"id": 1, "parts": [{"id": 2}]}, {"title": "b", "id": 1}]"#, shelf)
        #expect(books[0] === books[1] && books[0].title == "b" && books[0].parts.map(\.id) == [2])
        #expect(
            shelf.take() == ["begin", "find 1", "add 1", "find 2", "add 2", "find 1", "update", "commit", "end"])
    }

    @Test func `A created object has its identity when it is added`() throws {
        let places = try Place.mapping.all(
            #"[{"number": 3, "at": {"x": 1, "row": "A"}}, {"at": {"row": "A"}, "number": 3}]"#, shelf)
        #expect(places[0] === places[1] && places[0].row == "A" && places[0].number == 3)
        #expect(shelf.take() == ["begin", "find A,3", "add A,3", "find A,3", "update", "commit", "end"])
    }

    @Test func `A payload that is not newer is skipped`() throws {
        let books = try Book.mapping.all(
            #"[{"id": 1, "version": 2}, {"id": 1, "title": "old", "version": 1}, {"version": 3, "title": "c", "id": 1}]"#,
            shelf)
        #expect(books.allSatisfy { $0 === books[0] } && books[0].title == "c" && books[0].version == 3)
        #expect(shelf.take() == ["begin", "find 1", "add 1", "find 1", "skip", "find 1", "update", "commit", "end"])
        var book = books[0]
        var report = MappingReport()
        try Book.mapping.update(&book, from: #"{"title": "d", "version": 2}"#, dataSource: shelf, report: &report)
        try Book.mapping.update(&book, from: #"{"title": "e", "version": 4}"#, dataSource: shelf, report: &report)
        #expect(book.title == "e" && book.version == 4)
        #expect(
            shelf.take() == ["begin", "skip", "commit", "end", "begin", "update", "updated 1 -> 1", "commit", "end"])
    }

    @Test(arguments: [
        (#"[{"title": "a"}]"#, "1:2 $[0]: expected a value for Book.id, the identity of the object, found no value"),
        (#"[{"id": null}]"#, "1:2 $[0]: expected a value for Book.id, the identity of the object, found no value"),
        (#"[{"id": []}]"#, "1:9 $[0].id: expected an integer, found an array (rule id -> Book.id)"),
    ]) func `An object without identity is an issue for a data source that requires one`(text: String, issue: String) {
        expectIssues(issue) { _ = try Book.mapping.all(text, shelf) }
        #expect(shelf.objects.isEmpty && shelf.take() == ["begin", "rollback", "end"])
    }

    @Test func `An object without an identity is created if identities are optional`() throws {
        shelf.requiresIdentity = false
        let books = try Book.mapping.all(#"[{"title": "a"}, {"id": null, "title": "b"}]"#, shelf)
        #expect(books.map(\.title) == ["a", "b"])
        #expect(shelf.take() == ["begin", "add nil", "add nil", "commit", "end"])
    }

    @Test(arguments: [
        (#"{"id": 1, "title": "a", "id": 2}"#, "find 1, add 1, rollback, find 2, add 2", 2),
        (#"{"id": null, "id": 1}"#, "add nil, rollback, find 1, add 1", 1),
        (#"{"id": 1, "id": null}"#, "find 1, add 1, rollback, add nil", nil),
    ]) func `Of duplicate identities, the last one is used`(text: String, calls: String, id: Int?) throws {
        shelf.requiresIdentity = false
        _ = try Book.mapping.all("[\(text)]", shelf)
        #expect(shelf.take() == ["begin"] + calls.split(separator: ", ").map(String.init) + ["commit", "end"])
        #expect(Array(shelf.objects.keys) == (id.map { [.integer(Int64($0))] } ?? []))
    }

    @Test func `A repeated equal identity is only a repeated key`() throws {
        let books = try Book.mapping.all(#"[{"id": 1, "title": "a", "id": "1"}]"#, shelf)
        #expect(books[0].id == 1 && shelf.objects[.integer(1)] === books[0])
    }

    @Test func `An object of another class is refused`() {
        shelf.impostor = Place()
        expectIssues(
            "1:1 $: expected an object of the class Book from the data source, found an object of the class Place"
        ) {
            _ = try Book.mapping.all(#"{"id": 1}"#, shelf)
        }
    }

    // MARK: Relationships

    @Test func `Objects that are removed from a replaced relationship are reported`() throws {
        let book = try Book.mapping.all(
            #"{"id": 1, "parts": [{"id": 2}, {"id": 3}, {"id": 4}], "sequel": {"id": 5}}"#, shelf)[0]
        _ = shelf.take()
        _ = try Book.mapping.all(#"{"id": 1, "parts": [{"id": 3}], "sequel": {"id": 5}}"#, shelf)
        #expect(shelf.take().filter { $0.hasPrefix("replaced") } == ["replaced 2"])
        _ = try Book.mapping.all(#"{"id": 1, "parts": null, "sequel": null}"#, shelf)
        #expect(shelf.take().filter { $0.hasPrefix("replaced") } == ["replaced 1", "replaced 1"])
        #expect(book.parts.isEmpty && book.sequel == nil)
    }

    @Test func `Connections are made by the data source once the payload was read`() throws {
        let books = try Book.mapping.all(#"[{"id": 1, "author": 2}, {"id": 2, "author": null}, {"id": 3}]"#, shelf)
        #expect(books[0].author === books[1])
        #expect(
            shelf.take().suffix(4) == ["connect Book.author 2", "connect Book.author nil", "commit", "end"])
    }

    // MARK: Failure

    @Test(arguments: [
        ("begin", "1:1 $"), ("find 2", "1:34 $[0].parts[0]"), ("add 2", "1:34 $[0].parts[0]"),
        ("update", "1:46 $[1]"), ("connect Book.author 9", "1:46 $[1]"), ("commit", "1:1 $"),
    ]) func `An error of the data source ends the decode, with its position`(call: String, place: String) throws {
        let known = try Book.mapping.all(#"{"id": 3, "title": "known"}"#, shelf)[0]
        _ = shelf.take()
        shelf.failing = call
        let text = #"[{"id": 1, "author": 3, "parts":[{"id": 2}]},{"id": 3, "title": "new", "author": 9}, {"id": 4}]"#
        for policy in [MappingReport.Policy.fail, .skipElement, .collect] {
            expectIssues("\(place): expected a data source that accepts the object, found an error: Failure") {
                _ = try Book.mapping.all(text, shelf, policy)
            }
            #expect(shelf.objects.count == 1 && known.title == "known" && known.authorID == nil)
            #expect(call == "begin" || shelf.take().suffix(2) == ["rollback", "end"])
        }
        shelf.failing = nil
        #expect(try Book.mapping.all(text, shelf).count == 3 && known.title == "new")
    }

    @Test func `An error of the data source ends a stream, and leaves the elements before it`() async throws {
        shelf.failing = "find 3"
        var stream = Book.mapping.stream(
            from: Data(#"[{"id": 1}, {"title": []}, {"id": 2, "parts": [{"id": 3}]}, {"id": 4}]"#.utf8),
            rejecting: { _ in })
        stream.dataSource = shelf
        var ids: [Int] = []
        let error = await #expect(throws: MappingError.self) { for try await book in stream { ids.append(book.id) } }
        #expect(ids == [1] && shelf.objects.count == 1)
        #expect(
            error?.description
                == "1:48 $[2].parts[0]: expected a data source that accepts the object, found an error: Failure")
    }

    @Test func `An error about replaced objects undoes the replacement`() throws {
        let book = try Book.mapping.all(#"{"id": 1, "parts": [{"id": 2}]}"#, shelf)[0]
        shelf.failing = "replaced 1"
        for text in [#"{"id": 1, "parts": []}"#, #"{"id": 1, "parts": null}"#] {
            let found = issues { _ = try Book.mapping.all(text, shelf) }
            #expect(found.hasSuffix("found an error: Failure (rule parts -> Book.parts)"))
            #expect(book.parts.map(\.id) == [2])
        }
    }

    @Test func `An error has its position if a closure selects the mapping`() {
        let chosen = Mapping<Book>(matching: { Match { _ in Book.mapping } })
        shelf.failing = "connect Book.author 9"
        expectIssues("1:11 $[1]: expected a data source that accepts the object, found an error: Failure") {
            _ = try chosen.all(#"[{"id":1},{"id": 2, "author": 9}]"#, shelf)
        }
        shelf.failing = "find 2"
        expectIssues("1:11 $[1]: expected a data source that accepts the object, found an error: Failure") {
            _ = try chosen.all(#"[{"id":1},{"id": 2, "author": 9}]"#, shelf)
        }
        #expect(shelf.objects.isEmpty)
    }

    @Test func `A rejected element is rolled back`() throws {
        let books = try Book.mapping.all(
            #"[{"id": 1}, {"id": 2, "title": []}, {"id": 1, "title": "a", "version": true}]"#, shelf, .skipElement)
        #expect(books.map(\.title) == ["fresh"] && Array(shelf.objects.keys) == [.integer(1)])
    }

    // MARK: Mistakes

    private final class Computed {
        var row = 0
        var key: String { "row \(row)" }

        static let mapping = Mapping({ Computed() }) { Attribute("row", \.row) }.identified(by: \.key)
        static let twice = Mapping({ Computed() }) {
            Attribute("a", \.row)
            Attribute("b", \.row)
        }
        .identified(by: \.row)
        static let counts = Mapping({ Computed() }) { Attribute("a.@count", \.row) }.identified(by: \.row)
    }

    @Test func `An identity that is not read from keys is named with the reason`() {
        expectIssues(
            "expected a single rule with a plain key path for Computed.row, the identity of the class Computed, "
                + "found a rule that uses an operator, or keys that contain each other"
        ) {
            _ = try Computed.counts.all("[]", shelf)
        }
        #expect(shelf.log.isEmpty)
    }

    @Test func `A data source that requires identities refuses mappings that do not read them first`() {
        let end =
            ", the identity of the class Computed, found a computed property, or other rules"
        expectIssues(
            "expected a single rule with a plain key path for a computed or observed property of "
                + "Computed" + end
        ) {
            _ = try Computed.mapping.all("[]", shelf)
        }
        expectIssues("expected a single rule with a plain key path for Computed.row" + end) {
            _ = try Computed.twice.all("[]", shelf)
        }
        #expect(shelf.log.isEmpty)
    }

    @Test func `Two rules for an identity must agree`() throws {
        let session = MappingSession()
        #expect(try Computed.twice.mapAll(#"[{"a": 1, "b": 1}, {"b": 2}]"#, in: session).map(\.row) == [1, 2])
        expectIssues(
            "1:16 $[0].b: expected one value for a property that identifies its object, found a second, different one (rule b -> Computed.row)"
        ) { _ = try Computed.twice.mapAll(#"[{"a": 1, "b": 2}]"#, in: session) }
    }

    // MARK: Sessions

    private final class Nosy {
        nonisolated(unsafe) static var session: MappingSession?
        nonisolated(unsafe) static var error: MappingError?
        var id = 0
        var name = "" {
            didSet {
                do { _ = try Place.mapping.map("{}", in: Nosy.session) } catch { Nosy.error = error }
            }
        }

        static let mapping = Mapping({ Nosy() }) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
        .identified(by: \.id)
    }

    @Test func `A session refuses a concurrent decode`() throws {
        Nosy.session = MappingSession()
        defer { Nosy.session = nil }
        let object = try Nosy.mapping.map(#"{"id": 1, "name": "a"}"#, in: Nosy.session)
        #expect(
            Nosy.error?.description
                == "1:1 $: expected a MappingSession that is not in use (conversions, validations and property observers need a separate one), found a session in use"
        )
        #expect(Nosy.session?.find(Nosy.self, 1) === object)
        #expect(throws: Never.self) { try Place.mapping.map("{}", in: Nosy.session) }
    }

    // MARK: Names

    private final class Wrapped: PropertyNaming {
        var name = "" { didSet {} }

        static func name(of property: AnyKeyPath) -> String? { property == \Wrapped.name ? "full_name" : nil }
        static let mapping = Mapping({ Wrapped() }) { Attribute(\.name) }.identified(by: \.name)
    }

    @Test func `A type names the properties whose key paths have no names`() throws {
        #expect(try Wrapped.mapping.map(#"{"full_name": "a"}"#).name == "a")
        expectIssues(
            "1:15 $.full_name: expected a string, found an array (rule full_name -> Wrapped.full_name)"
        ) { _ = try Wrapped.mapping.map(#"{"full_name": []}"#) }
        expectIssues("1:1 $: expected a value for Wrapped.full_name, the identity of the object, found no value") {
            _ = try Wrapped.mapping.all("{}", shelf)
        }
    }
}
