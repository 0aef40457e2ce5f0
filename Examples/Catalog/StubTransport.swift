import ExampleSupport
import Foundation
import MappingTestSupport
import RequestQueue

let stubTransport = Example(
    "stub-transport", group: "Requests",
    "Tests without a network: stubbed responses, failures, and the requests that were sent"
) { story in
    story.say("This function of an app sends requests with its client parameter:")
    story.showCode("code")

    story.say("In a test, the client has a stub transport. Its routes return responses in order:")
    story.showCode("stub")
    guard let url = URL(string: "https://api.example.com") else { return }
    let (stub, client) = makeStub(for: url)

    story.say("Everything above the transport is the real code: retries, redirects, cookies, caching, decoding.")
    story.show("renamed: \(try await rename(7, to: "Kettle", with: client))")
    for request in stub.requests {
        story.show("\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))")
    }

    story.say("Network failures can be simulated:")
    stub.on(.put, "/films/:id", failure: TransportFailure(.connectionLost, "unplugged by the test"))
    do {
        story.show("renamed: \(try await rename(7, to: "Pot", with: client))")
    } catch {
        story.show("\(error)")
    }

    story.say("A request without a route fails. The error lists the routes:")
    do {
        story.show("status \(try await client.get("/actors").status)")
    } catch {
        story.show("\(error)")
    }
}

// snippet.code
struct FilmTitle: Codable, Sendable { var title: String }

func rename(_ film: Int, to title: String, with client: RESTClient) async throws(RequestError) -> String {
    try await client.put("/films/\(film)", json: FilmTitle(title: title), decoding: FilmTitle.self).title
}
// snippet.end

// snippet.stub
func makeStub(for url: URL) -> (StubTransport, RESTClient) {
    let stub = StubTransport()
    stub.on(.put, "/films/:id", StubResponse(status: 503), StubResponse(json: #"{ "title": "Kettle" }"#))
    let client = RESTClient(baseURL: url, transport: stub)
    client.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .zero)
    return (stub, client)
}
// snippet.end
