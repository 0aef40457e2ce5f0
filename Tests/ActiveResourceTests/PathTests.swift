import ActiveResource
import LoopbackServer
import Testing

@Suite("Paths of resources")
struct PathTests {
    /// An identifier in a path.
    @Test(arguments: [
        ("7", "7"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("../x", "..%2Fx"), ("what?", "what%3F"), ("é", "%C3%A9"),
        ("😀", "%F0%9F%98%80"),
        ("a#b%", "a%23b%25"), ("..", ".."),
    ])
    func `Identifiers are encoded as a path component`(_ id: String, _ text: String) throws {
        let path = try Service.$site.withValue(ResourceSite(URL(filePath: "/"))) { try StreetAddress.elementPath(id) }
        #expect(path == "/street_addresses/\(text).json")
    }

    @Test func `The site's path is kept, replaced by a prefix, or extended by a prefix without a slash`() throws {
        let site = ResourceSite(try #require(URL(string: "https://h/api/v1")))
        var endpoint = ResourceEndpoint(site, "person")
        #expect(try endpoint.elementPath(1) == "/api/v1/people/1.json")
        #expect(try endpoint.collectionPath() == "/api/v1/people.json")
        #expect(try endpoint.newElementPath() == "/api/v1/people/new.json")
        endpoint.prefix = "/admin"
        #expect(try endpoint.elementPath(1) == "/admin/people/1.json")
        endpoint.prefix = "teams/:team_id/"
        #expect(try endpoint.elementPath(1, prefix: ["team_id": "a/b c?"]) == "/api/v1/teams/a/b%20c%3F/people/1.json")
        #expect(endpoint.prefixParameters == ["team_id"])
        endpoint.site.includesFormatInPath = false
        #expect(try endpoint.collectionPath(prefix: ["team_id": "1"]) == "/api/v1/teams/1/people")
    }

    @Test(arguments: [
        ("", "/v1/people.json"), ("/", "/people.json"), ("/:x", "/7/people.json"), ("a/:x/", "/v1/a/7/people.json"),
        ("//:x", nil), ("http://evil/:x/", nil), ("/:x/../", nil), ("/a?b=:x&c=", nil), ("/a#:x", nil), ("/*", nil),
        ("/:x:y/", nil),
    ])
    func `A prefix is a path`(prefix: String, path: String?) throws {
        let site = ResourceSite(try #require(URL(string: "https://h/v1")))
        let endpoint = ResourceEndpoint(site, "person", prefix: prefix)
        guard let path else {
            let error = #expect(throws: ResourceError.self) {
                try endpoint.collectionPath(prefix: ["x": "7", "y": "8"])
            }
            #expect(error?.kind == .invalidSite)
            return
        }
        #expect(try endpoint.collectionPath(prefix: ["x": "7"]) == path)
    }

    @Test(arguments: ["../\u{301}x", "..", "a/..", "/", "//", "/b", "a/", "a//b"])
    func `A prefix option does not leave its path`(option: String) throws {
        let site = ResourceSite(try #require(URL(string: "https://h/v1")))
        let endpoint = ResourceEndpoint(site, "comment", prefix: "/v1/posts/:post_id/")
        let error = #expect(throws: ResourceError.self) {
            try endpoint.collectionPath(prefix: ["post_id": option])
        }
        #expect(error?.kind == .invalidIdentifier)
    }

    @Test(arguments: [99, 101, 2000]) func `A query is nested up to a hundred levels`(depth: Int) async throws {
        var (list, fields): (FormValue, FormValue) = (.text("x"), .text("x"))
        for _ in 0..<depth { (list, fields) = (.list([list]), .fields([.init(name: "a", value: fields)])) }
        try await serving([:]) { (service) async throws in
            for value in [list, fields] {
                // Merged with itself.
                let query = Person.where(["name": value]).where(["name": value])
                if depth < 100 {
                    #expect(try await query.records.isEmpty)
                    continue
                }
                let error = await #expect(throws: ResourceError.self) { try await query.records }
                #expect(error?.kind == .invalidAttributes)
                #expect(error?.description.contains("the query is nested more than 100 levels deep") == true)
                await #expect(throws: ResourceError.self) { try await query.firstOrInitialize() }
            }
            #expect(service.requests.isEmpty == (depth > 100))
        }
    }

    @Test func `Header fields that are set on the client of a site are sent`() async throws {
        let type = "application/vnd.api+json"
        let answers = ["GET /people/1.json": Answer.json(#"{"id": 1}"#)]
        try await serving(
            answers,
            change: {
                $0.client.headers["Accept"] = type
                $0.client.headers["Content-Type"] = type
            }
        ) { (service) async throws in
            _ = try await Person.find(1)
            _ = try? await Person.create(["name": "Bo"])
            #expect(service.received.map { $0.headers["accept"] } == [type, type])
            #expect(service.received.last?.headers["content-type"] == type)
        }
    }

    @Test func `URLs of records and collections have the origin of the site`() throws {
        let site = ResourceSite(try #require(URL(string: "https://user:secret@h:8443/api/v1")))
        try Service.$site.withValue(site) {
            #expect(try Person.elementURL(1).path() == "/api/v1/people/1.json")
            let url = try Comment.collectionURL(prefix: ["post_id": 1], query: ["a": "b c"])
            #expect(url.absoluteString.hasSuffix("h:8443/posts/1/comments.json?a=b+c"))
            #expect(throws: ResourceError.self) { try Comment.collectionURL() }
        }
    }

    @Test(
        arguments: [
            (["a": ["b": [1, 2]] as FormValue], "a%5Bb%5D%5B%5D=1&a%5Bb%5D%5B%5D=2"),
            (["b": .text("x y"), "a": .null], "a=&b=x+y"), (["a": .list([]), "b": .fields([])], ""),
            (["q": .text("é&=+~*")], "q=%C3%A9%26%3D%2B~%2A"),
        ] as [([String: FormValue], String)])
    func `Queries have the form of Active Resource`(_ query: [String: FormValue], _ text: String) throws {
        let path = try Service.$site.withValue(ResourceSite(URL(filePath: "/"))) {
            try Person.collectionPath(query: query)
        }
        #expect(path == "/people.json" + (text.isEmpty ? "" : "?" + text))
    }

    @Test func `Names in queries can be changed`() throws {
        let site = ResourceSite(URL(filePath: "/")).with { $0.queryNaming = { Inflector.camelCased($0) } }
        let path = try Service.$site.withValue(site) { try Person.collectionPath(query: ["min_age": 3]) }
        #expect(path == "/people.json?MinAge=3")
    }

    @Test func `A missing prefix option or identifier is an error before any request`() async throws {
        try await serving([:]) { (service) async throws in
            for options: [String: any FormValueConvertible] in [[:], ["post_id": ""], ["post_id": nil as Int?]] {
                let error = await #expect(throws: ResourceError.self) { try await Comment.find(1, prefix: options) }
                #expect(error?.kind == .missingPrefixOption)
                #expect(error?.description.contains("'post_id'") == true)
            }
            let missing = await #expect(throws: ResourceError.self) { try await Person.find(nil as Int?) }
            #expect(missing?.kind == .invalidIdentifier)
            let empty = await #expect(throws: ResourceError.self) { try await StreetAddress.find("") }
            #expect(empty?.kind == .invalidIdentifier)
            let dots = await #expect(throws: ResourceError.self) {
                try await Comment.find(1, prefix: ["post_id": "../x"])
            }
            #expect(dots?.kind == .invalidIdentifier)
            #expect(service.requests.isEmpty)
        }
    }

    /// Paths of a site with the query `api_key=7`, and what is requested.
    @Test(arguments: [
        ("/people/1.json", "/people/1.json?api_key=7&v="), ("/people.json?a=1", "/people.json?api_key=7&v=&a=1"),
        ("/people.json?api_key=8&a=1", "/people.json?v=&api_key=8&a=1"), ("/people.json?", "/people.json?api_key=7&v="),
    ])
    func `The query of a site is a part of each request`(_ path: String, _ target: String) async throws {
        let service = try Service { _ in .json("[]") }
        var components = try #require(URLComponents(url: service.server.url, resolvingAgainstBaseURL: true))
        components.query = "api_key=7&v="
        try await Service.$site.withValue(ResourceSite(try #require(components.url))) { () async throws in
            _ = try await Person.all(from: .path(path)).records
            #expect(service.requests == ["GET \(target)"])
        }
    }

    @Test func `The query of a site is not sent to another origin`() async throws {
        let (service, other) = (try Service { _ in .json("{}", 404) }, try Service { _ in .json("[]") })
        var components = try #require(URLComponents(url: service.server.url, resolvingAgainstBaseURL: true))
        components.query = "api_key=7"
        try await Service.$site.withValue(ResourceSite(try #require(components.url))) { () async throws in
            _ = try await Person.all(from: .path("\(other.server.url)/people.json")).records
            _ = try? await Person.delete(1)
            _ = try? await Person.create(["name": "Ann"])
            #expect(other.requests == ["GET /people.json"])
            let targets = service.received.map { "\($0.method) \($0.target)" }
            #expect(targets == ["DELETE /people/1.json?api_key=7", "POST /people.json?api_key=7"])
        }
    }

    @Test func `The query of a site is not a part of events and errors`() async throws {
        let service = try Service { _ in .json("{}", 500) }
        var components = try #require(URLComponents(url: service.server.url, resolvingAgainstBaseURL: true))
        components.query = "api_key=secret"
        let events = Events()
        let site = ResourceSite(try #require(components.url)).with { $0.onRequest = { events.add("\($0)") } }
        await Service.$site.withValue(site) {
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error.map { "\($0)".contains("secret") } == false)
        }
        #expect(service.requests == ["GET /people/1.json?api_key=secret"])
        #expect(events.all.map { $0.contains("/people/1.json?…\n") && !$0.contains("secret") } == [true])
    }

    @Test(arguments: [("/notes/a%20b", "a b"), ("/notes/a+b.json", "a+b"), ("/notes/%C3%A9", "é")])
    func `The identifier in a Location is decoded`(_ location: String, _ id: String) async throws {
        try await serving(["POST /notes.json": Answer(201, headers: [Header("Location", location)])]) {
            (_) async throws in
            let note = Note()
            #expect(try await note.save())
            #expect(note.id == id)
        }
    }

    @Test func `Requests have one header field for the format`() async throws {
        let answers = ["GET /people/1.json": Answer.json(#"{"id": 1}"#)]
        for method in [ResourceSite.UpdateMethod.put, .patch] {
            try await serving(answers, change: { $0.updateMethod = method }) { (service) async throws in
                var ann = try await Person.find(1)
                _ = try? await ann.update { $0.name = "Ann" }
                _ = try? await ann.put("promote")
                _ = try? await Person.create(["name": "Bo"])
                _ = try? await ann.destroy()
                let fields = service.received.map { [$0.headers["accept"], $0.headers["content-type"]] }
                let json = "application/json"
                #expect(fields == [[json, nil], [nil, json], [nil, json], [nil, json], [json, nil]])
            }
        }
    }

    @Test func `A site without a host is an error of the site`() async throws {
        await Service.$site.withValue(ResourceSite(URL(filePath: "/no/site"))) {
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == .invalidSite)
        }
    }
}
