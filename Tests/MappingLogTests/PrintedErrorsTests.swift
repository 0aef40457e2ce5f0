import ActiveResource
import Foundation
import MappedRequests
import MappingTestSupport
import ObjectMapping
import ObjectStore
import RequestQueue
import Seeder
import TestSupport
import Testing

/// Errors are logged in many ways: none of them shows a value of a payload, a secret field, a query or a body.
@Suite("Printed errors") struct PrintedErrorsTests {
    struct Account: Mappable, Codable, Sendable {
        enum Plan: String, Codable { case free }

        var id = 0
        var plan: Plan?
        static let mapping = Mapping(Account.init) { Attribute("id", \.id).required }
    }

    struct Walrus: Resource {
        static let stub = StubTransport()
        static let site = ResourceSite(URL(string: "http://printed.test") ?? URL(filePath: "/"), transport: stub)
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Walrus.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
    }

    final class Otter: ManagedObject {
        @Stored(.identity) var id = 0
        @Stored var name = ""
        static let mapping = Mapping(Otter.self) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
    }

    /// An app's errors, which contain those of the library.
    enum AppError: Error { case failed(any Error) }

    struct Wrapper: Error {
        var cause: any Error
        var all: [any Error]
        var perhaps: (any Error)?
    }

    /// The texts of an error in all wrappings.
    private static func texts(of error: any Error) -> [String] {
        let wrapped: [Any] = [
            error, AppError.failed(error), [error], Optional(error) as Any, ["key": error], (1, error),
            Result<Int, any Error>.failure(error), Wrapper(cause: error, all: [error], perhaps: error),
        ]
        return wrapped.flatMap { value -> [String] in
            var dumped = ""
            dump(value, to: &dumped)
            return ["\(value)", String(reflecting: value), dumped]
        } + [
            error.localizedDescription, "\(Mirror(reflecting: error).children.map { "\($0.value)" })",
            "\((error as NSError))", String(reflecting: error as NSError),
        ]
    }

    private func check(_ error: any Error, _ label: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
        for text in Self.texts(of: error) {
            #expect(!text.contains("s3cret"), "\(type(of: error)) \(label): \(text)", sourceLocation: sourceLocation)
        }
    }

    /// A client whose responses and requests contain secrets.
    private func client(_ status: Int = 200, _ body: String) throws -> RESTClient {
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(status: status, headers: ["Set-Cookie": "id=s3cret"], json: body))
        stub.on(.post, "/a", StubResponse(status: status, json: body))
        let url = try #require(URL(string: "http://user:s3cret@printed.test"))
        let client = RESTClient(baseURL: url, transport: stub)
        client.headers["X-API-Key"] = "s3cret"
        return client
    }

    private func thrown<Value>(_ call: () async throws -> Value) async throws -> any Error {
        do { _ = try await call() } catch { return error }
        throw FixtureMissing()
    }

    private struct FixtureMissing: Error {}

    @Test(arguments: [#"{"id": "s3cret"}"#, #"{"id": s3cret}"#, "s3cret", #"{"id": "s3cret", "id": "s3cret"}"#])
    func `Errors of mappings show no values`(_ json: String) async throws {
        check(try await thrown { try Account.mapping.map(json) })
        check(try await thrown { try Account.mapping.mapAll("[\(json)]") })
        check(try await thrown { try MappingDecoder().decode(Account.self, from: json) })
        var report = MappingReport(policy: .skipElement)
        let isRead = (try? Account.mapping.mapAll("[\(json)]", report: &report)) != nil
        for issue in report.issues + (report.rejected.flatMap(\.issues)) { check(MappingFailure(value: issue)) }
        for element in report.rejected { check(MappingFailure(value: element)) }
        if isRead { check(MappingFailure(value: report)) }
        check(MappingFailure(value: Account.mapping.explain(json)))
    }

    /// Values of the library that are not errors, but are logged with them.
    private struct MappingFailure: Error {
        var value: any Sendable
    }

    @Test func `Events of a decode show no values`() async throws {
        let events = Mutex<[MappingEvent]>([])
        let options = MappingOptions(log: { event in events.withLock { $0.append(event) } })
        check(try await thrown { try Account.mapping.map(#"{"id": "s3cret"}"#, options: options) })
        let seen = events.withLock { $0 }
        #expect(seen.count > 1)
        for event in seen { check(MappingFailure(value: event)) }
    }

    @Test func `Values are in an explicit member`() throws {
        let error = try #require(#expect(throws: MappingError.self) { try Account.mapping.map(#"{"id": "s3cret"}"#) })
        #expect(error.details.contains("s3cret") && error.issues[0].details.contains("s3cret"))
        #expect(Account.mapping.explain(#"{"id": "s3cret"}"#).details.contains("s3cret"))
    }

    @Test(arguments: [
        (404, #"{"message": "s3cret"}"#), (422, #"{"errors": [{"message": "s3cret"}]}"#), (200, #"{"id": "s3cret"}"#),
        (200, "<html>s3cret</html>"), (200, #"{"id": 1, "plan": "s3cret"}"#), (200, #"{"id": "s3cret"#),
    ])
    func `Errors of requests show no bodies, queries and secret fields`(status: Int, body: String) async throws {
        let client = try client(status, body)
        for query: FormValue in [[:], ["token": "s3cret"]] {
            let decoding = try await thrown { try await client.get("/a", query: query, decoding: Account.self) }
            check(decoding)
            let error = try #require(decoding as? RequestError)
            #expect(error.details.contains("s3cret"))
            check(MappedRequestError(error))
            guard !body.contains("plan") else { continue }
            let mapping = try await thrown { try await client.get("/a", query: query, as: Account.self) }
            check(mapping)
            #expect((mapping as? MappedRequestError)?.details.contains("s3cret") == true)
        }
    }

    @Test func `Errors of bodies, tokens and transports show no values`() async throws {
        struct Sealed: Codable {
            var number = Double.nan
            var text = "s3cret"
        }
        struct Loud: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    "s3cret", EncodingError.Context(codingPath: [], debugDescription: "s3cret"))
            }
        }
        let client = try client(200, "{}")
        check(try await thrown { try await client.post("/a", json: Sealed()) })
        check(try await thrown { try await client.post("/a", json: Loud()) })
        let signedIn = RESTClient(baseURL: try #require(URL(string: "http://printed.test")), transport: StubTransport())
        signedIn.authentication = .bearer(
            BearerToken {
                let context = DecodingError.Context(codingPath: [], debugDescription: "s3cret")
                throw DecodingError.dataCorrupted(context)
            })
        check(try await thrown { try await signedIn.get("/a") })
        let underlying = EncodingError.invalidValue("s3cret", .init(codingPath: [], debugDescription: "s3cret"))
        check(TransportFailure(.bodyUnreadable, "no", underlying: underlying))
        check(RequestError(.bodyUnreadable, "no", underlying: underlying))
        check(MappedRequestError(RequestError(.bodyUnreadable, "no", underlying: underlying)))
    }

    @Test(arguments: [
        (422, #"{"errors": {"name": ["s3cret"]}}"#), (404, #"{"error": "s3cret"}"#), (500, "s3cret"),
        (200, #"{"id": "s3cret"}"#), (200, "s3cret"), (200, #"["s3cret"]"#),
    ])
    func `Errors of resources show no bodies`(status: Int, body: String) async throws {
        Walrus.stub.on(.get, "/walrus/*", StubResponse(status: status, json: body))
        Walrus.stub.on(.get, "/walruses/*", StubResponse(status: status, json: body))
        Walrus.stub.on(.get, "/walrus.json", StubResponse(status: status, json: body))
        let error = try await thrown { try await Walrus.find(7) }
        check(error)
        #expect((error as? ResourceError)?.details.contains("s3cret") == true, "\(error)")
    }

    @Test func `Errors of stores show no values`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Otter.self))
        let invalid = #"[{"id": 1, "name": "s3cret"}, {"id": "s3cret", "name": "a"}]"#
        check(try await thrown { try await store.importJSON(Data(invalid.utf8), with: Otter.mapping) })
    }

    @Test func `A save conflict shows no values`() async throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Otter.self))
        func load(_ name: String) async throws {
            let json = Data(#"[{"id": 1, "name": "\#(name)"}]"#.utf8)
            _ = try await store.importJSON(json, with: Otter.mapping)
        }
        try await load("s3cret base")
        let context = ObjectContext(store)
        context.mergePolicy = .throwConflict
        let otter = try #require(try await context.fetch(Otter.all).first)
        otter.name = "s3cret mine"
        try await load("s3cret theirs")
        do {
            try await context.save()
            Issue.record("no conflict")
        } catch {
            check(error)
            #expect(error.conflicts.map(\.theirs) == ["s3cret theirs"])
        }
    }

    @Test func `Errors of seeds show no values`() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"[{"id": 1}, {"id": "s3cret"}]"#, to: "otters.json")
        let model = try ObjectModel(Otter.self)
        var seeder = ObjectSeeder(model: model, output: folder.file("seed.sqlite"))
        try seeder.seed(from: folder.file("otters.json"), with: EntityMapping("Otter", ["id": "id"]))
        check(try await thrown { try seeder.finish() })
    }
}
