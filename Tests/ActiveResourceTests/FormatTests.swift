import ActiveResource
import LoopbackServer
import Testing

@Suite("Formats, headers and authentication of sites")
struct FormatTests {
    /// A line for each attribute.
    struct LineFormat: PayloadFormat {
        struct LineError: Error { let line: String }

        var mediaTypes: [String] { ["text/x-lines"] }
        var pathExtensions: [String] { ["lines"] }

        func encode(_ value: JSON, root: String?) throws -> Data {
            let lines = (value.object ?? [:]).map { "\($0.key)=\($0.value.string ?? $0.value.text)" }
            return Data(([root ?? ""] + lines).joined(separator: "\n").utf8)
        }

        func decode(_ data: Data) throws -> JSON {
            let members = try String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw LineError(line: String(line)) }
                return (key: parts[0], value: Int(parts[1]).map { $0.json } ?? parts[1].json)
            }
            return .object(JSONObject(members))
        }
    }

    private static func lines(_ text: String, _ status: Int = 200) -> Answer {
        Answer(status, headers: [Header("Content-Type", "text/x-lines")], body: text.utf8)
    }

    @Test func `A custom format has its extension, media type and bodies, and is that of its site only`() async throws {
        let answers = [
            "GET /people/1.lines": Self.lines("id=1\nname=Ann"), "PUT /people/1.lines": Answer(204),
            "GET /people/2.lines": .json(#"{"id": 2, "name": "Bo"}"#, 200, ["Content-Type": "application/json"]),
            "GET /people/3.lines": Self.lines("oops"), "GET /people/1.json": .json(#"{"id": 1, "name": "Cy"}"#),
        ]
        try await serving(answers) { (service) async throws in
            let parent = Service.site
            try await Service.$site.withValue(parent.with { $0.format = LineFormat() }) { () async throws in
                var ann = try await Person.find(1)
                #expect(ann.name == "Ann")
                #expect(try await ann.save())
                #expect(service.requests.last == "PUT /people/1.lines person\nid=1\nname=Ann")
                #expect(
                    service.received.map { $0.headers["accept"] ?? $0.headers["content-type"] }
                        == ["text/x-lines", "text/x-lines"])
                #expect(service.received[1].headers["accept"] == nil)
                #expect(service.received[1].headers["content-type"] == "text/x-lines")
                // A response of another registered format is read by that one.
                #expect(try await Person.find(2).name == "Bo")
                let error = await #expect(throws: ResourceError.self) { try await Person.find(3) }
                #expect(error?.kind == .unexpectedContent && error?.bodyPrefix == "oops")
                #expect(error?.description.contains("expected text/x-lines") == true)
                #expect(error?.description.contains("oops") == false)
                #expect(error?.details.contains(#"LineError(line: "oops")"#) == true)
            }
            #expect(try await Person.find(1).name == "Cy")
        }
    }

    @Test func `A response in a registered format of the site is read by it`() async throws {
        try await serving(["GET /people/1.json": Self.lines("id=1\nname=Ann")]) { (service) async throws in
            let site = Service.site
            let other = site.with { $0.formats.register(LineFormat()) }
            try await Service.$site.withValue(other) { () async throws in
                #expect(try await Person.find(1).name == "Ann")
            }
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == .unexpectedContent)
        }
    }

    /// JSON in which each name is replaced.
    struct NamedFormat: PayloadFormat {
        let name: String
        var mediaTypes: [String] { ["application/json"] }
        var pathExtensions: [String] { ["json"] }
        func decode(_ data: Data) throws -> JSON {
            var value = try JSON(data)
            value["name"] = name.json
            return value
        }
        func encode(_ value: JSON, root: String?) throws -> Data { value.data }
    }

    @Test func `A registered format replaces JSON, and the format of a site takes precedence over it`() async throws {
        try await serving(["GET /people/1.json": .json(#"{"id": 1, "name": "Ann"}"#)]) { (_) async throws in
            let registered = Service.site.with { $0.formats.register(NamedFormat(name: "registered")) }
            for (site, name) in [
                (registered, "registered"), (registered.with { $0.format = .jsonWithRoot }, "registered"),
                (registered.with { $0.format = NamedFormat(name: "site") }, "site"),
            ] {
                try await Service.$site.withValue(site) { () async throws in
                    #expect(try await Person.find(1).name == name)
                }
            }
        }
    }

    @Test func `A changed copy of a site overrides headers and does not change the original`() async throws {
        try await serving(["GET /people/1.json": .json(#"{"id": 1}"#)]) { (service) async throws in
            let parent = Service.site.with { $0.headers = ["X-Team": "a", "X-Kept": "k"] }
            let child = parent.with {
                $0.headers["X-Team"] = "b"
                $0.headers["Accept"] = "application/json; v=2"
                $0.headers["Authorization"] = "Bearer own"
                $0.authentication = .basic(user: "u", password: "p", forced: true)
            }
            for site in [child, parent] { try await Service.$site.withValue(site) { _ = try await Person.find(1) } }
            let received = service.received.map { request in
                ["x-team", "x-kept", "accept", "authorization"].map { request.headers[$0] }
            }
            #expect(
                received == [
                    ["b", "k", "application/json; v=2", "Bearer own"], ["a", "k", "application/json", nil],
                ])
        }
    }

    @Test func `A changed copy of a site has settings of its own`() throws {
        let site = ResourceSite(try #require(URL(string: "http://stub")))
        site.client.timeouts.total = .seconds(3)
        let other = site.with { $0.timeouts.idle = .seconds(9) }
        site.client.redirectLimit = 2
        #expect(site.timeouts == Timeouts(total: .seconds(3)))
        #expect(other.timeouts == Timeouts(idle: .seconds(9), total: .seconds(3)))
        #expect(site.redirectLimit == 2 && other.redirectLimit == 0)
    }

    @Test func `Requests have the settings of their site and of its client`() async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: RESTRequest.self)
        try await serving(["GET /people/1.json": .json(#"{"id": 1}"#)]) { (_) async throws in
            let site = Service.site.with {
                $0.proxy = RequestProxy.none
                $0.timeouts.total = .seconds(7)
                $0.onRequest = { continuation.yield($0.request) }
            }
            site.client.timeouts.idle = .seconds(5)
            try await Service.$site.withValue(site) { _ = try await Person.find(1) }
        }
        let found = try #require(await requests.first { _ in true })
        #expect(found.proxy == RequestProxy.none && found.timeouts == Timeouts(idle: .seconds(5), total: .seconds(7)))
    }

    /// Authentication of a site, and what the requests of two calls have.
    @Test(
        arguments: [
            ("/basic", Authentication.basic(user: "user", password: "pass"), [nil, "Basic", "Basic"]),
            ("/basic", .basic(user: "user", password: "pass", forced: true), ["Basic", "Basic"]),
            ("/digest", .digest(user: "user", password: "pass"), [nil, "Digest", "Digest"]),
            ("/bearer", .bearer(BearerToken("expired") { "t" }), ["Bearer", "Bearer", "Bearer"]),
        ] as [(String, Authentication, [String?])])
    func `A site authenticates by its scheme`(
        _ path: String, _ authentication: Authentication, _ schemes: [String?]
    ) async throws {
        // The routes of the loopback server, which check the credentials.
        let server = try LoopbackServer()
        let site = ResourceSite(server.url, authentication: authentication)
        try await Service.$site.withValue(site) { () async throws in
            for _ in 0..<2 { #expect(try await Echo.one(from: .path(path)).method == "GET") }
        }
        let sent = server.requests.map { $0.headers["authorization"]?.split(separator: " ").first.map(String.init) }
        #expect(sent == schemes)
    }

    private struct Echo: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var method = ""
        var resource = ResourceState()
        static let mapping = Mapping(Echo.init) { Attribute("method", \.method) }
    }

    @Test func `A user in the URL of a site is decoded and sent`() async throws {
        let service = try Service { _ in .json(#"{"id": 1}"#) }
        var components = try #require(URLComponents(url: service.server.url, resolvingAgainstBaseURL: true))
        (components.percentEncodedUser, components.percentEncodedPassword) = ("ry%40n", "se%3Acret")
        try await Service.$site.withValue(ResourceSite(try #require(components.url))) { _ = try await Person.find(1) }
        let expected = Data("ry@n:se:cret".utf8).base64EncodedString()
        #expect(service.received.map { $0.headers["authorization"] } == ["Basic \(expected)"])
    }
}
