@testable import ActiveResource
import LoopbackServer
import Testing

@Suite("Finding records")
struct FindingTests {
    private static let ann = #"{"id": 1, "name": "Ann", "age": 30}"#

    @Test func `A record is found by its identifier, with or without a root`() async throws {
        let rooted = #"{"person": \#(Self.ann)}"#
        let answers = ["GET /people/1.json": Answer.json(Self.ann), "GET /people/2.json?full=true": .json(rooted)]
        try await serving(answers) { (service) async throws in
            let ann = try await Person.find(1)
            #expect(ann.name == "Ann" && ann.isPersisted)
            #expect(try await Person.find("2", query: ["full": true]).name == "Ann")
            #expect(service.received.map { $0.headers["accept"] } == ["application/json", "application/json"])
            #expect(service.received[0].headers["content-type"] == nil)
        }
    }

    @Test(arguments: [
        #"[{"id":1},{"id":2}]"#, #"{"people":[{"id":1},{"id":2}]}"#, #"[{"person":{"id":1}},{"person":{"id":2}}]"#,
        #" [ { "person" : {"id":1} }, {"id":2}]"#,
    ])
    func `Roots of lists are removed`(_ text: String) async throws {
        try await serving(["GET /people.json": .json(text)]) { (_) async throws in
            let people = try await Person.all().records
            #expect(people.map(\.id) == [1, 2])
            #expect(people.allSatisfy { $0.isPersisted })
            #expect(try await Person.first()?.id == 1)
            #expect(try await Person.last()?.id == 2)
        }
    }

    @Test(arguments: [Answer.json("null"), .json("[]"), .json(""), Answer(204), .json("{}", 404), .json(" { } ")])
    func `An empty list, no content and status 404 give an empty list`(_ answer: Answer) async throws {
        try await serving(["GET /people.json": answer]) { (_) async throws in
            #expect(try await Person.all().records.isEmpty)
            #expect(try await Person.first() == nil)
        }
    }

    @Test func `Conditions merge deeply, and fill the prefix`() async throws {
        let answers = [
            "GET /people.json?a%5Bx%5D=1&a%5By%5D=2&active=true": Answer.json("[]"),
            "GET /posts/3/comments.json?q=x": .json(#"[{"id": 9, "text": "Hm"}]"#),
        ]
        try await serving(answers) { (service) async throws in
            let query = Person.where(["active": true, "a": ["x": 1] as FormValue])
            #expect(service.requests.isEmpty)
            #expect(try await query.where(["a": ["y": 2] as FormValue]).load().isEmpty)
            let comments = try await Comment.where(["post_id": 3, "q": "x"]).records
            #expect(comments.first?.resource.prefixOptions == ["post_id": "3"])
            #expect(service.requests.count == 2)
        }
    }

    @Test func `Records are loaded from a name below the collection or from a path`() async throws {
        let answers = [
            "GET /posts/1/comments/recent.json": Answer.json(#"[{"id": 1}]"#),
            "GET /all.json?n=2": .json(#"[{"id": 2}]"#),
            "GET /people/leader.json": .json(#"{"id": 3}"#),
        ]
        try await serving(answers) { (_) async throws in
            let recent = try await Comment.all(prefix: ["post_id": 1], from: .named("recent")).records
            #expect(recent.map(\.id) == [1] && recent[0].resource.prefixOptions == ["post_id": "1"])
            #expect(try await Comment.all(from: .path("/all.json")).where(["n": 2]).records.map(\.id) == [2])
            #expect(try await Person.one(from: .named("leader")).id == 3)
        }
    }

    @Test func `A HEAD request says whether a record exists`() async throws {
        let answers = [
            "HEAD /people/1.json": Answer(200), "HEAD /people/2.json": Answer(410), "HEAD /people/3.json": Answer(500),
        ]
        try await serving(answers) { (service) async throws in
            #expect(try await Person.exists(1))
            #expect(try await !Person.exists(2))
            #expect(try await !Person.exists(4))
            #expect(try await !Person.exists(nil as Int?))
            #expect(try await !Person(name: "new").exists())
            await #expect(throws: ResourceError.self) { try await Person.exists(3) }
            #expect(service.requests.count == 4)
        }
    }

    @Test func `The first record is found, or created with the conditions, or saved`() async throws {
        let answers = [
            "GET /people.json?name=Ann": Answer.json("[]"),
            "POST /people.json": .json(#"{"id": 5, "name": "Ann"}"#, 201),
        ]
        try await serving(answers) { (service) async throws in
            let query = Person.where(["name": "Ann"])
            let new = try await query.firstOrInitialize(["age": 3])
            #expect(new.name == "Ann" && new.age == 3 && new.isNew)
            let saved = try await query.firstOrCreate(["age": 3])
            #expect(saved.id == 5 && saved.isPersisted)
            #expect(service.requests.last == #"POST /people.json {"name":"Ann","age":3}"#)
        }
    }

    @Test func `Pages follow their links and have the number of all records`() async throws {
        let link = [
            "Link": #"</people.json?page=2>; rel="next", </people.json?page=9>; rel="last""#, "X-Total-Count": "3",
        ]
        let answers = [
            "GET /people.json?per_page=2": Answer.json(#"[{"id": 1}, {"id": 2}]"#, 200, link),
            "GET /people.json?page=2": .json(#"[{"id": 3}]"#),
        ]
        try await serving(answers) { (_) async throws in
            var pages: [[Int?]] = []
            for try await page in Person.where(["per_page": 2]).pages() {
                if pages.isEmpty { #expect(page.totalCount == 3 && page.links["last"]?.query() == "page=9") }
                pages.append(page.map(\.id))
            }
            #expect(pages == [[1, 2], [3]])
        }
    }

    /// Values of `Link`, and the page with the relation `next`.
    @Test(arguments: [
        (#"</people.json?fields=id,name&page=2>; rel="next""#, "fields=id,name&page=2"),
        (#"</people.json?page=2>; title="a, b"; rel="next""#, "page=2"),
        (#"</people.json?page=2>; title="a \"; rel=prev"; rel=next"#, "page=2"),
        (#"</people.json?page=2>; rel="prev next""#, "page=2"), (#"</people.json?page=2>; REL="Next""#, "page=2"),
        (#"</people.json?page=2> ; rel = next ; type="a""#, "page=2"),
        (#"</people.json?page=1>;rel=first,,</people.json?page=2>;rel=next"#, "page=2"),
        (#"</people.json?page=2>; rel="last"; rel="next""#, nil),
        (#"</people.json?page=2>; rel=next; anchor="/other""#, nil), (#"</people.json?page=2; rel=next"#, nil),
        (#"</people.json?page=2>; rel=next, </people.json?page=3>; rel=next"#, "page=2"),
    ])
    func `A link to the next page is found`(_ field: String, _ query: String?) async throws {
        try await serving(["GET /people.json": .json(#"[{"id": 1}]"#, 200, ["Link": field])]) { (_) async throws in
            let page = try await Person.all().load()
            #expect(page.links["next"]?.query() == query)
        }
    }

    @Test(arguments: ["{}", " {}\n", #"{"person": {}}"#])
    func `An empty object is not a record`(_ body: String) async throws {
        try await serving(["GET /people/1.json": .json(body), "GET /people/new.json": .json(body)]) {
            (_) async throws in
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == .mappingFailed && error?.description.contains("found an empty object") == true)
            #expect(try await Person.build().isNew)
        }
    }

    @Test func `A list that is an object without records is an error`() async throws {
        try await serving(["GET /people.json": .json(#"{"error": "down"}"#)]) { (_) async throws in
            let error = await #expect(throws: ResourceError.self) { try await Person.all().records }
            #expect(error?.kind == .mappingFailed)
        }
    }

    @Test func `Parameters of a query that are not attributes are not those of a new record`() async throws {
        let answers = [
            "GET /people.json?name=Ann&page=1": Answer.json("[]"), "POST /people.json": .json(#"{"id": 5}"#, 201),
        ]
        try await serving(answers) { (service) async throws in
            let query = Person.where(["name": "Ann", "page": 1])
            _ = try await query.firstOrCreate(["age": 3])
            #expect(service.requests.last == #"POST /people.json {"name":"Ann","age":3}"#)
            await #expect(throws: ResourceError.self) { try await query.firstOrInitialize(["agee": 3]) }
        }
    }

    @Test func `Links of pages to themselves and to other origins are errors`() async throws {
        let other = try Service { _ in .json(#"[{"id": 2}]"#) }
        let target = "\(other.server.url)/people.json"
        let answers = [
            "GET /people.json": Answer.json(#"[{"id": 1}]"#, 200, ["Link": "<\(target)>; rel=next"]),
            "GET /people.json?a=1": .json("[]", 200, ["Link": "</people.json?a=1>; rel=next"]),
        ]
        try await serving(answers, change: { $0.headers = ["X-Key": "secret"] }) { (service) async throws in
            for query in [Person.all(), Person.where(["a": 1])] {
                var count = 0
                var failure: ResourceError?
                do throws(ResourceError) { for try await _ in query.pages() { count += 1 } } catch { failure = error }
                #expect(count == 1 && failure?.kind == .redirection)
            }
            #expect(other.requests.isEmpty && service.received.allSatisfy { $0.headers["x-key"] == "secret" })
            #expect(try await Person.all(from: .path(target)).records.map(\.id) == [2])
            #expect(other.received.map { $0.headers["x-key"] } == [nil])
        }
    }

    @Test func `A link to a page that does not exist is an error`() async throws {
        let link = ["Link": "</people.json?page=2>; rel=next"]
        try await serving(["GET /people.json": .json(#"[{"id": 1}]"#, 200, link)]) { (_) async throws in
            var ids: [Int?] = []
            let error = await #expect(throws: ResourceError.self) {
                for try await page in Person.all().pages() { ids += page.map(\.id) }
            }
            #expect(ids == [1] && error?.kind == .notFound)
        }
        try await serving([:]) { (_) async throws in
            for try await page in Person.all().pages() { #expect(page.isEmpty) }
        }
    }

    @Test func `Links of pages that are a circle are an error`() async throws {
        func link(_ page: Int) -> [String: String] { ["Link": "</people.json?page=\(page)>; rel=next"] }
        let answers = [
            "GET /people.json": Answer.json(#"[{"id": 1}]"#, 200, link(2)),
            "GET /people.json?page=2": .json(#"[{"id": 2}]"#, 200, link(3)),
            "GET /people.json?page=3": .json(#"[{"id": 3}]"#, 200, link(2)),
        ]
        try await serving(answers) { (_) async throws in
            var ids: [Int?] = []
            let error = await #expect(throws: ResourceError.self) {
                for try await page in Person.all().pages() { ids += page.map(\.id) }
            }
            #expect(ids == [1, 2, 3] && error?.kind == .redirection)
        }
    }

    @Test(arguments: [
        ("http://a.example/p?page=2", "https://a.example/p?page=2"), ("HTTP://A.example/p", "https://A.example/p"),
        ("https://a.example/p", "https://a.example/p"), ("http://a.example:8080/p", nil), ("http://b.example/p", nil),
        ("ftp://a.example/p", nil),
    ])
    func `A link is followed with TLS if the site has it`(_ link: String, _ target: String?) throws {
        let site = ResourceSite(try #require(URL(string: "https://a.example/v1")))
        #expect(try #require(URL(string: link)).target(at: site.url)?.absoluteString == target)
    }

    @Test(arguments: ["[{}]", #"[{"id": 1}, { }]"#]) func `An element without members is an error`(_ body: String)
        async throws
    {
        try await serving(["GET /people.json": .json(body)]) { (_) async throws in
            let error = await #expect(throws: ResourceError.self) { try await Person.all().load() }
            #expect(error?.kind == .mappingFailed)
        }
    }

    @Test func `Records are unwrapped from an envelope`() async throws {
        let body = #"{"status": "ok", "data": [{"id": 1}], "total": 12}"#
        try await serving(["GET /reports.json": .json(body)]) { (_) async throws in
            let page = try await Report.all().load()
            #expect(page.map(\.id) == [1])
            #expect(page.data["total"].int == 12)
        }
        try await serving(["GET /reports.json": .json(#"{"status": "down"}"#)]) { (_) async throws in
            let error = await #expect(throws: ResourceError.self) { try await Report.all().load() }
            #expect(error?.kind == .mappingFailed)
        }
    }

    private struct Report: Resource {
        static var site: ResourceSite { Service.site }
        static let collectionParser = CollectionParser(recordsAt: "data")
        var id: Int?
        var resource = ResourceState()
        static let mapping = Mapping(Report.init) { Attribute("id", \.id) }
    }
}
