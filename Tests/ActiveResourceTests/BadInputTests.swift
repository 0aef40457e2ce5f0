import ActiveResource
import Foundation
import LoopbackServer
import Testing

@Suite("Bad input of resources")
struct BadInputTests {
    /// A call that cannot succeed.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: ResourceError.Kind
        /// The description of the error; `URL` is the address of the service.
        let text: String
        let answer: Answer?
        let call: @Sendable () async throws -> Void

        init(
            _ name: String, _ kind: ResourceError.Kind, _ text: String, answer: Answer? = nil,
            _ call: @escaping @Sendable () async throws -> Void
        ) {
            (testDescription, self.kind, self.text, self.answer, self.call) = (name, kind, text, answer, call)
        }
    }

    /// Nothing is sent.
    static let beforeRequests = [
        Mistake("no identifier", .invalidIdentifier, "person: expected an identifier, found nil") {
            try await Person(name: "Ann").destroy()
        },
        Mistake(
            "an empty identifier", .invalidIdentifier, "street_address: expected an identifier, found an empty string"
        ) { _ = try await StreetAddress.find("") },
        Mistake(
            "an identifier that is a path", .invalidIdentifier,
            "street_address: the identifier '.' would change the path"
        ) { _ = try await StreetAddress.find(".") },
        Mistake(
            "an identifier that is a path, before a custom method", .invalidIdentifier,
            "street_address: the identifier '..' would change the path"
        ) {
            let address = StreetAddress(id: "..", resource: ResourceState(isPersisted: true))
            _ = try await address.put("promote")
        },
        Mistake(
            "a missing prefix option", .missingPrefixOption,
            "comment: the prefix option 'post_id' is missing; the prefix is /posts/:post_id/"
        ) { _ = try await Comment.all().records },
        Mistake(
            "a prefix option that is a path", .invalidIdentifier,
            "comment: expected a prefix option 'post_id' without '.' and '..', found '../x'"
        ) { _ = try await Comment.find(1, prefix: ["post_id": "../x"]) },
        Mistake(
            "an attribute of another type", .invalidAttributes,
            "person: $.age: expected an integer, found a string that cannot be converted to an integer "
                + "(rule age -> Person.age)"
        ) { _ = try await Person.create(["age": "old"]) },
        Mistake(
            "an undeclared attribute", .invalidAttributes,
            "person: expected attributes that the mapping reads, such as 'id', 'name', 'age', found 'fullname'"
        ) { _ = try await Person.create(["name": "Ann", "fullname": "Ann B"]) },
        Mistake(
            "an undeclared attribute of a nested path", .invalidAttributes,
            "comment: expected attributes that the mapping reads, such as 'id', 'post_id', 'text', found '$[\"author.name\"]'"
        ) { _ = try await Comment.create(["author.name": "Ann"], prefix: ["post_id": 1]) },
        Mistake(
            "an undeclared attribute in an update", .invalidAttributes,
            "person: expected attributes that the mapping reads, such as 'id', 'name', 'age', found 'Name', 'admin'; did you mean 'name'?"
        ) {
            var ann = Person(id: 1, resource: ResourceState(isPersisted: true))
            _ = try await ann.updateAttributes(["Name": "Ann", "admin": true])
        },
        Mistake(
            "an undeclared attribute of an associated record", .invalidAttributes,
            "comment: expected attributes that the mapping reads, such as 'id', 'post_id', 'text', found 'txt'; did you mean 'text'?"
        ) {
            let ann = Person(id: 1, resource: ResourceState(isPersisted: true))
            _ = try await ann.hasMany(Comment.self, foreignKey: "post_id").create(["txt": "Hm"])
        },
        Mistake(
            "an unknown attribute of a dynamic record", .invalidAttributes,
            "person: no attribute 'fax'; it has name"
        ) {
            let people = DynamicResourceType(Service.site, "person")
            _ = try people.new(["name": "Ann".json]).attribute("fax")
        },
    ]

    /// One request is sent and answered.
    static let responses = [
        Mistake(
            "204 for a record", .unexpectedContent,
            "GET URL/people/1.json: status 204, no content type, 0 bytes: expected a record, found an empty body",
            answer: Answer(204), find),
        Mistake(
            "304 for a record", .unexpectedContent,
            "GET URL/people/1.json: status 304, no content type, 0 bytes: expected a record, found an empty body",
            answer: Answer(304), find),
        Mistake(
            "304 for a list", .unknownStatus,
            "GET URL/people.json: status 304, no content type, 0 bytes: expected a list, found 304 Not Modified",
            answer: Answer(304)
        ) { _ = try await Person.all().records },
        Mistake(
            "an HTML page", .unexpectedContent,
            "GET URL/people/1.json: status 200, text/html, 15 bytes: expected JSON, found a body that is not JSON: 1:1 $: "
                + "expected a value, found '<'",
            answer: Answer(headers: [Header("Content-Type", "text/html")], body: "<h1>Log in</h1>".utf8), find),
        Mistake(
            "another format", .unexpectedContent,
            "GET URL/people/1.json: status 200, text/yaml, 5 bytes: expected JSON, found a body that is not JSON: 1:1 $: "
                + "expected a value, found an invalid literal",
            answer: Answer(headers: [Header("Content-Type", "text/yaml")], body: "id: 1".utf8), find),
        Mistake(
            "another shape", .mappingFailed,
            "GET URL/people/1.json: status 200, application/json, 15 bytes: 1:1 $: expected one of the "
                + "mapped keys 'id', 'name', 'age', 'created_at', found only 'error'",
            answer: .json(#"{"error": "no"}"#),
            find),
        Mistake(
            "a list for a record", .mappingFailed,
            "GET URL/people/1.json: status 200, application/json, 3 bytes: 1:2 $[0]: expected an object, found a number",
            answer: .json("[1]"), find),
        Mistake(
            "a text for a nested record", .mappingFailed,
            "GET URL/outlines/1.json: status 200, application/json, 26 bytes: 1:20 $.notes: expected an array of "
                + "objects, found a string (rule notes -> Outline.notes)", answer: .json(#"{"id": 1, "notes": "none"}"#)
        ) {
            _ = try await Outline.find(1)
        },
        Mistake(
            "an HTML page for an error", .serverError,
            "GET URL/people/1.json: status 502, text/html, 15 bytes: server error",
            answer: Answer(502, headers: [Header("Content-Type", "text/html")], body: "<h1>Sorry!</h1>".utf8), find),
        Mistake(
            "a redirection to another origin", .redirection,
            "GET URL/people/1.json: status 302, application/json, 0 bytes: redirections are not followed; the target "
                + "is https://other.example.com/people/1?…",
            answer: Answer(302, headers: [Header("Location", "https://other.example.com/people/1?token=secret")]), find),
        Mistake(
            "422 of an unknown shape", .invalid,
            "POST URL/people.json: status 422, application/json, 4 bytes: invalid", answer: .json("oops", 422)
        ) { _ = try await Person.create(["name": "Ann"]) },
        Mistake(
            "a conflict", .conflict, "POST URL/people.json: status 409, application/json, 2 bytes: conflict",
            answer: .json("{}", 409)
        ) { _ = try await Person.create(["name": "Ann"]) },
    ]

    @Sendable private static func find() async throws { _ = try await Person.find(1) }

    private struct Outline: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var notes: [StreetAddress] = []
        var resource = ResourceState()
        static let mapping = Mapping(Outline.init) {
            Attribute("id", \.id)
            Relationship("notes", \.notes)
        }
    }

    @Test(arguments: beforeRequests + responses) func `Each mistake is one error that says what was found`(
        _ mistake: Mistake
    ) async throws {
        let service = try Service { _ in mistake.answer }
        await Service.$site.withValue(ResourceSite(service.server.url)) {
            let error = await #expect(throws: ResourceError.self) { try await mistake.call() }
            #expect(error?.kind == mistake.kind)
            let url = service.server.url.absoluteString
            #expect(error?.description.replacing(url, with: "URL") == mistake.text)
            #expect((error?.request != nil) == (mistake.answer != nil))
            #expect(error?.response?.status == mistake.answer?.status)
        }
        #expect(service.requests.count == (mistake.answer == nil ? 0 : 1))
    }

    @Test(arguments: ["a b", "a/b", "what?", "😀", "..", "a#b%"])
    func `An identifier with special characters reaches the service unchanged`(_ id: String) async throws {
        let service = try Service { _ in .json("{}", 404) }
        await Service.$site.withValue(ResourceSite(service.server.url)) {
            let error = await #expect(throws: ResourceError.self) { try await StreetAddress.find(id) }
            #expect(error?.kind == .notFound)
        }
        let name = try #require(service.received.first?.target.split(separator: "/").last?.dropLast(5))
        #expect(service.requests.count == 1)
        #expect(name.replacing("+", with: " ").removingPercentEncoding == id)
    }

    @Test func `Two copies of a value are saved at once as two records, and neither is lost`() async throws {
        let service = try Service { _ in .json(#"{"id": 1}"#, 201) }
        try await Service.$site.withValue(ResourceSite(service.server.url)) {
            let ann = Person(name: "Ann")
            async let first = ann.saved()
            async let second = ann.saved()
            let saved = try await [first, second]
            #expect(saved.allSatisfy { $0.isPersisted })
        }
        #expect(service.requests == Array(repeating: #"POST /people.json {"name":"Ann"}"#, count: 2))
    }
}
