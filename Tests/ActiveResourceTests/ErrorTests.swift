import ActiveResource
import LoopbackServer
import Testing

@Suite("Errors of resources")
struct ErrorTests {
    @Test(arguments: [
        (301, ResourceError.Kind.redirection), (308, .redirection), (400, .badRequest), (401, .unauthorizedAccess),
        (402, .paymentRequired), (403, .forbiddenAccess), (404, .notFound), (405, .methodNotAllowed), (409, .conflict),
        (410, .gone), (412, .preconditionFailed), (418, .clientError), (422, .invalid), (429, .tooManyRequests),
        (451, .unavailableForLegalReasons), (500, .serverError), (599, .serverError), (600, .unknownStatus),
    ])
    func `Each status is a kind, with request and response`(_ status: Int, _ kind: ResourceError.Kind) async throws {
        let headers = ["Location": "http://other.example.com/people/1.json", "Allow": "GET, HEAD"]
        try await serving(["GET /people/1.json": .json("{}", status, headers)]) { (service) async throws in
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == kind)
            #expect(error?.response?.status == status)
            #expect(error?.request?.method == .get)
            #expect(error?.description.hasPrefix("GET \(service.server.url)/people/1.json: status \(status), ") == true)
            if status == 405 { #expect(error?.allowedMethods == [.get, .head]) }
            if kind == .redirection { #expect(error?.location?.host() == "other.example.com") }
            #expect(service.requests.count == 1)
        }
    }

    @Test(arguments: [
        (Answer(204), ResourceError.Kind.unexpectedContent), (Answer(304), .unexpectedContent),
        (.json(""), .unexpectedContent),
        (.json("<html>no</html>", 200, ["Content-Type": "text/html"]), .unexpectedContent),
        (.json("id: 1", 200, ["Content-Type": "text/yaml"]), .unexpectedContent), (.json(#"{"id": "#), .mappingFailed),
        (.json(#"{"id": true}"#), .mappingFailed), (.json(#"{"error": "no"}"#), .mappingFailed),
    ])
    func `A body that is not a record is an error with its response`(_ answer: Answer, _ kind: ResourceError.Kind)
        async throws
    {
        try await serving(["GET /people/1.json": answer]) { (_) async throws in
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == kind)
            #expect(error?.response?.status == answer.status)
            #expect(error?.bodyPrefix == String(decoding: answer.body, as: UTF8.self))
        }
    }

    @Test func `Details have each issue once, with its value`() async throws {
        try await serving(["GET /people/1.json": .json(#"{"id": "secret"}"#)]) { (service) async throws in
            let error = try #require(await #expect(throws: ResourceError.self) { try await Person.find(1) })
            let place = "GET \(service.server.url)/people/1.json: status 200, application/json, 16 bytes: 1:8 $.id: "
            #expect(error.description.hasPrefix(place))
            #expect(!error.description.contains("secret"))
            #expect(error.details.hasPrefix(place))
            #expect(error.details.components(separatedBy: "1:8 $.id").count == 2)
            #expect(error.details.contains("value \"secret\""))
            #expect(error.details.hasSuffix("\n" + #"{"id": "secret"}"#))
        }
    }

    /// An error of an application, with a value in its text.
    private struct Refusal: Error { let value = "secret" }

    private struct Guarded: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var resource = ResourceState()
        static let mapping = Mapping(Guarded.init) { Attribute("id", \.id) }
        static let callbacks = ResourceCallbacks<Guarded>().before(.save) { _ in throw Refusal() }
    }

    @Test func `The text of an error of a callback is in the details only`() async throws {
        try await serving([:]) { (_) async throws in
            var record = Guarded()
            let error = await #expect(throws: ResourceError.self) { try await record.save() }
            #expect(error?.kind == .callbackFailed)
            #expect(error?.description == "a callback threw Refusal")
            #expect(error?.details.contains("secret") == true)
            #expect(error?.underlying is Refusal)
        }
    }

    @Test func `An event without a response prints the kind of the failure`() async throws {
        let events = Events()
        let server = try LoopbackServer()
        let site = ResourceSite(server.url).with { $0.onRequest = { events.add("\($0)") } }
        server.stop()
        await Service.$site.withValue(site) { _ = try? await Person.find(1) }
        #expect(events.all.first?.contains("\n--> no response: connectionRefused (") == true)
    }

    @Test func `A rejected save has request and response, and messages of the service in errors and details only`()
        async throws
    {
        let body = #"{"errors": {"name": ["of customer 4711"]}}"#
        try await serving(["POST /people.json": .json(body, 422)]) { (service) async throws in
            for saves in [false, true] {
                let error = try #require(
                    await #expect(throws: ResourceError.self) {
                        var person = Person(name: "A")
                        if saves { _ = try await person.saved() } else { try await person.saveOrThrow() }
                    })
                #expect(error.kind == .invalid && error.errors["name"] == ["of customer 4711"])
                #expect(error.request?.method == .post && error.response?.status == 422)
                #expect(error.bodyPrefix == body)
                #expect(error.description.hasPrefix("POST \(service.server.url)/people.json: status 422, "))
                #expect(error.description.hasSuffix(": person is invalid"))
                for text in ["\(error)", String(reflecting: error), error.errorDescription ?? ""] {
                    #expect(!text.contains("4711"))
                }
                #expect(error.details.contains(": person is invalid: Name of customer 4711\n{"))
            }
        }
    }

    /// A body of status 422, the messages by attribute, and the full messages.
    @Test(arguments: [
        (
            #"{"errors": {"name": ["can't be blank", "is odd"], "base": ["No"], "shoe_size": ["is odd"]}}"#,
            ["Name can't be blank", "Name is odd", "No", "Shoe size is odd"]
        ),
        (#"{"errors": ["Name can't be blank", "Nothing works"]}"#, ["Name can't be blank", "Nothing works"]),
        (#"{"name": ["can't be blank"]}"#, ["Name can't be blank"]),
        (#"{"errors": {"name": "can't be blank"}}"#, ["Name can't be blank"]),
        (
            #"{"errors": {"name": ["can't be blank"], "address": {"city": ["x"]}, "age": {"0": 1}}}"#,
            ["Name can't be blank", "Address city x"]
        ),
        (#"{"errors": {"name": ["can't be blank", 7, null, {"count": 3}]}}"#, ["Name can't be blank"]),
        (#"{"message": "No", "errors": [{"field": "name", "message": "can't be blank"}]}"#, ["Name can't be blank"]),
        (
            #"{"errors": [{"source": {"pointer": "/data/attributes/name"}, "detail": "can't be blank"}, {"title": "No"}]}"#,
            ["Name can't be blank", "No"]
        ),
    ])
    func `Status 422 gives errors by attribute`(_ body: String, _ messages: [String]) async throws {
        try await serving(["POST /people.json": .json(body, 422)]) { (service) async throws in
            var person = Person(name: "")
            #expect(try await !person.save())
            #expect(person.errors.fullMessages == messages)
            #expect(person.errors["name"].first == "can't be blank")
            #expect(!person.isValid && person.isNew)
            let error = await #expect(throws: ResourceError.self) { try await person.saveOrThrow() }
            #expect(error?.kind == .invalid && error?.errors.fullMessages == messages)
            #expect(service.requests.count == 2)
        }
    }

    /// Bodies without names of attributes, and their messages.
    @Test(arguments: [
        (#"{"error": "Name is taken"}"#, ["Name is taken"]), (#"{"message": "No more"}"#, ["No more"]),
        (#"{"error": {"message": "No", "code": "E7"}}"#, ["No"]), (#"{"errors": "No"}"#, ["No"]),
        (
            #"{"type": "https://example.com/e", "title": "Invalid", "detail": "No", "status": 422}"#, ["No"]
        ),
        (#"{"errors": {}, "error": "No"}"#, ["No"]),
    ])
    func `A message for the whole record is found`(_ body: String, _ messages: [String]) async throws {
        try await serving(["POST /people.json": .json(body, 422)]) { (_) async throws in
            var person = Person(name: "Ann")
            #expect(try await !person.save())
            let problems = person.errors.problems.map { $0.attribute == "name" ? $0.fullMessage : $0.message }
            #expect(problems == messages)
            let error = await #expect(throws: ResourceError.self) { try await person.saveOrThrow() }
            #expect(error?.errors.fullMessages == messages)
        }
    }

    @Test func `Nested attributes have readable messages`() {
        var errors = ResourceErrors()
        errors.add("is too long", to: "comments.text")
        errors.add("is odd", to: "author_id")
        #expect(errors.fullMessages == ["Comments text is too long", "Author is odd"])
        #expect(Inflector.humanized("home.street_name") == "Home street name")
    }

    @Test(arguments: ["", "oops", #"{"errors": 7}"#, #"{"errors": {"name": [1]}}"#, "[]", #"{"errors": []}"#])
    func `A 422 of an unknown shape is an error with its response`(_ body: String) async throws {
        try await serving(["POST /people.json": .json(body, 422)]) { (_) async throws in
            var person = Person(name: "Ann")
            let error = await #expect(throws: ResourceError.self) { try await person.save() }
            #expect(error?.kind == .invalid && error?.response?.status == 422)
            #expect(person.name == "Ann" && person.isNew)
        }
    }

    @Test func `An invalid record is not sent`() async throws {
        try await serving(["POST /people.json": .json(#"{"id": 1}"#, 201)]) { (service) async throws in
            var person = Person(name: "-")
            #expect(try await !person.save())
            #expect(person.errors["name"] == ["is invalid"] && service.requests.isEmpty)
            let created = try await Person.create(person)
            #expect(created.errors.count == 1)
            #expect(try await person.save(validates: false))
        }
    }

    @Test func `Without a response the kind is the reason`() async throws {
        let server = try LoopbackServer()
        let site = ResourceSite(server.url)
        server.stop()
        await Service.$site.withValue(site) {
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == .connectionRefused && error?.response == nil)
            #expect((error?.underlying as? RequestError)?.kind == .connectionRefused)
        }
        let slow = try LoopbackServer { request in
            try request.hold()
            return nil
        }
        let impatient = ResourceSite(slow.url).with { $0.timeouts.total = .milliseconds(50) }
        await Service.$site.withValue(impatient) {
            let error = await #expect(throws: ResourceError.self) { try await Person.find(1) }
            #expect(error?.kind == .timeout)
        }
    }

    @Test func `Formats and lengths are validated locally`() {
        var errors = ResourceErrors()
        errors.requirePresence(of: " ", "name")
        errors.requirePresence(of: "x", "title")
        errors.requireLength(of: "ab", "code", in: 3...4)
        errors.requireLength(of: "abcde", "code", in: 3...4)
        #expect(
            "\(errors)" == "Name can't be blank; Code is too short (minimum is 3 characters); "
                + "Code is too long (maximum is 4 characters)")
    }
}
