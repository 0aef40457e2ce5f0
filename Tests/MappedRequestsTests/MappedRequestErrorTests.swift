import LoopbackServer
import MappedRequests
import Testing

@Suite("Errors of requests with models as results")
struct MappedRequestErrorTests {
    /// A response that cannot be mapped.
    struct Failure: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var status = 200
        var type = "application/json"
        let body: String
        let kind: MappedRequestError.Kind
        /// The end of the description.
        let end: String
    }

    static let page = "<!DOCTYPE html><title>Bad gateway</title>" + String(repeating: "é", count: 200)

    static let failures = [
        Failure(
            testDescription: "another status", status: 404, body: #"{"title": "No such account"}"#,
            kind: .unacceptableStatus, end: "application/json, 28 bytes; expected a status of 200 to 299"),
        Failure(
            testDescription: "an HTML page", type: "text/html; charset=utf-8", body: page, kind: .unexpectedContent,
            end: "text/html, 441 bytes; expected JSON, found a body that is not JSON"),
        Failure(
            testDescription: "an HTML page as JSON", body: "\n" + page, kind: .unexpectedContent,
            end: "application/json, 442 bytes; expected JSON, found a body that is not JSON"),
        Failure(
            testDescription: "a text as JSON", body: "Out of tea", kind: .unexpectedContent,
            end: "application/json, 10 bytes; expected JSON, found a body that is not JSON"),
        Failure(
            testDescription: "a blank body", body: " \r\n", kind: .unexpectedContent,
            end: "application/json, 3 bytes; expected JSON, found a blank body"),
        Failure(
            testDescription: "an empty body", body: "", kind: .unexpectedContent,
            end: "application/json, 0 bytes; expected JSON, found an empty body"),
        Failure(
            testDescription: "no content", status: 204, body: "", kind: .unexpectedContent,
            end: "application/json, 0 bytes; expected JSON, found an empty body"),
        Failure(
            testDescription: "a value of another type", body: "{\n  \"id\": \"seven\"}", kind: .mappingFailed,
            end: "\n2:9 $.id: expected an integer, found a string that cannot be converted to an integer "
                + "(rule id -> Account.id)"),
        Failure(
            testDescription: "truncated JSON", body: #"{"id": 7, "na"#, kind: .mappingFailed,
            end: "\n1:14 $: expected the closing quote of the key, found the end of the text"),
    ]

    @Test(arguments: failures)
    func `A response that cannot be mapped is an error with URL, response and position`(_ failure: Failure) async throws
    {
        let service = try Service(failure.status, type: failure.type, body: failure.body)
        let error = try #require(
            await #expect(throws: MappedRequestError.self) {
                try await service.client.get("/accounts/7", as: Account.self)
            })
        #expect(error.kind == failure.kind)
        #expect(error.response?.status == failure.status)
        #expect(error.url == service.server.url("/accounts/7"))
        #expect(error.description.hasPrefix("GET \(service.server.url)/accounts/7: status \(failure.status), "))
        #expect(error.description.hasSuffix(failure.end), "\(error)")
        #expect(error.bodyPrefix == String(decoding: Data(failure.body.utf8).prefix(200), as: UTF8.self))
        #expect(error.details.hasSuffix("\n" + error.bodyPrefix))
    }

    @Test(
        arguments: [
            (#"{"message": "No such account", "code": 4}"#, "No such account"),
            (#"{"title": "Gone", "detail": "No such account"}"#, "No such account"),
            (#"{"error": {"code": 4, "message": "No such account"}}"#, "No such account"),
            (#"{"error": "invalid_grant", "error_description": "No such account"}"#, "No such account"),
            (#"{"errors": [{"message": "No such account"}]}"#, "No such account"),
            (#"{"errors": ["No such account"]}"#, "No such account"), (#"{"message": ""}"#, nil), ("[]", nil),
            ("<html>", nil), ("", nil),
        ] as [(String, String?)])
    func `The message of the server is in a member, and not in the description`(body: String, message: String?)
        async throws
    {
        let service = try Service(404, body: body)
        let error = try #require(
            await #expect(throws: MappedRequestError.self) { try await service.client.get("/a", as: Account.self) })
        #expect(error.serverMessage == message)
        #expect(error.details.contains(message ?? body) && !error.description.contains("account"))
    }

    @Test func `A message beyond the start of the body is in the details`() async throws {
        let body = #"{"padding": "\#(String(repeating: "x", count: 300))", "message": "No such account"}"#
        let service = try Service(404, body: body)
        let error = try #require(
            await #expect(throws: MappedRequestError.self) { try await service.client.get("/a", as: Account.self) })
        #expect(error.details.contains("No such account"))
    }

    @Test func `A text is the message, and a success has none`() async throws {
        let text = try Service(500, type: "text/plain; charset=utf-8", body: "Out of tea")
        let error = await #expect(throws: MappedRequestError.self) {
            try await text.client.get("/a", as: Account.self)
        }
        #expect(error?.serverMessage == "Out of tea")
        let success = try Service(200, body: #"{"message": "Welcome"}"#)
        let other = await #expect(throws: MappedRequestError.self) {
            try await success.client.get("/a", as: Account.self)
        }
        #expect(other?.kind == .mappingFailed && other?.serverMessage == nil)
    }

    @Test(arguments: [
        (404, "application/json", #"{"message": "No"}"#, MappedRequestError.Kind.unacceptableStatus),
        (200, "application/json", #"{"title": 5}"#, .mappingFailed), (200, "text/html", "<html>", .unexpectedContent),
        (200, "application/json", "", .unexpectedContent), (200, "application/json", " \n", .unexpectedContent),
        (200, "application/json", "\n<html>", .unexpectedContent),
        (200, "application/json", #"{"title": "#, .mappingFailed),
    ])
    func `An error of a call for a Codable type becomes one with the same kind`(
        status: Int, type: String, body: String, kind: MappedRequestError.Kind
    ) async throws {
        struct Film: Decodable { var title: String }
        let service = try Service(status, type: type, body: body)
        let error = try #require(
            await #expect(throws: RequestError.self) { try await service.client.get("/a", decoding: Film.self) })
        let mapped = MappedRequestError(error)
        #expect(mapped.kind == kind && mapped.response?.status == status && mapped.url == error.url)
        #expect(mapped.description.contains(": status \(status), "))
        #expect(mapped.serverMessage == (status == 404 ? "No" : nil))
    }

    @Test(arguments: [1, 3]) func `A description has the number of attempts if there was more than one`(_ count: Int)
        async throws
    {
        let service = try Service(503, body: "{}")
        service.client.retryPolicy = RetryPolicy(attempts: count, baseDelay: .milliseconds(1))
        let status = count == 1 ? "status 503, " : "status 503 in attempt 3, "
        let error = await #expect(throws: MappedRequestError.self) {
            try await service.client.get("/a", as: Account.self)
        }
        #expect(error?.response?.attempts == count && error?.description.contains(status) == true)
        let streamed = await #expect(throws: MappedRequestError.self) {
            _ = try await service.client.stream("/a", as: Account.self)
        }
        #expect(streamed?.response?.attempts == count && streamed?.description.contains(status) == true)
    }

    @Test func `JSON with an unusual content type is mapped`() async throws {
        let service = try Service(type: "text/html", body: #"{"id": 7}"#)
        #expect(try await service.client.get("/a", as: Account.self).id == 7)
    }

    @Test func `The body of an error is mapped to a type`() async throws {
        let service = try Service(422, type: "application/problem+json", body: #"{"title": "Name is taken"}"#)
        do {
            _ = try await service.client.post("/a", Account(), using: Account.mapping, as: Account.self)
            Issue.record("no error")
        } catch {
            #expect(error.kind == .unacceptableStatus)
            #expect(error.response?.isUnprocessableEntity == true)
            #expect(error.body(as: Problem.self) == Problem(title: "Name is taken"))
            #expect(error.body(as: Account.self) == nil)
        }
    }

    @Test func `An error without a response has the reason`() async throws {
        let service = try Service(body: "{}")
        service.server.stop()
        do {
            _ = try await service.client.get("/a", as: Account.self)
            Issue.record("no error")
        } catch {
            #expect(error.kind == .requestFailed)
            #expect(error.requestError?.kind == .connectionRefused)
            #expect(error.response == nil && error.bodyPrefix.isEmpty && !error.isCancelled)
            #expect(error.description == error.requestError?.description)
        }
    }

    @Test func `A cancelled task ends its request`() async throws {
        let service = try Service { request in
            try request.hold()
            return nil
        }
        let task = Task { try await service.client.get("/held", as: Account.self) }
        try await service.server.waitForRequests(count: 1)
        task.cancel()
        let error = await #expect(throws: MappedRequestError.self) { try await task.value }
        #expect(error?.isCancelled == true)
    }
}
