import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let adapters = Example(
    "adapters", group: "Requests", "Requests that are signed immediately before they are sent, again for each attempt"
) { story in
    let server = try LoopbackServer { request in
        guard request.path == "/films" else { return nil }
        let signature = request.headers["x-signature"] ?? "none"
        return Answer(signature == "2:/films" ? 200 : 503, body: Data(signature.utf8))
    }
    let client = RESTClient(baseURL: server.url)
    client.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .zero)

    story.say("An adapter receives the complete request and returns the request to send:")
    story.showCode("adapter")
    client.adapters = [Signer()]

    story.say("This server accepts only the second signature. Each attempt has a new one:")
    let response = try await client.get("/films")
    story.show("status \(response.status) after \(response.attempts) attempts, signature \(response.text ?? "")")

    story.say("An error of an adapter is the cause of the request's error. Nothing is sent:")
    client.adapters = [LockedKeychain()]
    do throws(RequestError) {
        story.show("status \(try await client.get("/films").status)")
    } catch {
        story.show("\(error.kind): \(error.cause)")
        story.show("the thrown error: \(error.underlying.map { "\($0)" } ?? "none")")
    }
    story.show("the server received \(server.requests.count) requests")
}

// snippet.adapter
actor Signer: RequestAdapter {
    private var number = 0

    func adapt(_ request: TransportRequest) async throws -> TransportRequest {
        number += 1
        var request = request
        request.headers["X-Signature"] = "\(number):\(request.url.path())"
        return request
    }
}
// snippet.end

struct LockedKeychain: RequestAdapter {
    struct Locked: Error {}

    func adapt(_ request: TransportRequest) async throws -> TransportRequest { throw Locked() }
}
