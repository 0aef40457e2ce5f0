import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let retries = Example(
    "retries", group: "Requests", "Servers that fail for a moment: which requests are sent again, when, and how often"
) { story in
    let server = try LoopbackServer()
    let client = RESTClient(baseURL: server.url)

    story.say("By default, a request is sent once. A retry policy is opt-in:")
    story.showCode("policy")
    retryTransientFailures(of: client)

    story.say("This server answers 503 twice. The response has the number of attempts:")
    let response = try await client.get("/flap?key=a&fail=2")
    story.show("GET: status \(response.status) after \(response.attempts) attempts")

    story.say(
        """
        A POST is not sent again: the first attempt may have had its effect. With an Idempotency-Key, the server
        recognizes a repetition, so the POST is sent again:
        """)
    let once = try await client.post("/flap?key=b&fail=1", ["title": "Blue kettle"])
    story.show("POST: status \(once.status) after \(once.attempts) attempt")
    let keyed = try await client.post(
        "/flap?key=c&fail=1", headers: ["Idempotency-Key": "7f3c"], ["title": "Blue kettle"])
    story.show("POST with a key: status \(keyed.status) after \(keyed.attempts) attempts")

    story.say(
        """
        Retry-After asks for an hour. A delay above the maximum of the policy is not waited for; the response is
        returned, so that the app can decide:
        """)
    let busy = try await client.get("/retry-after?key=d&s=3600")
    story.show("status \(busy.status), Retry-After: \(busy.headers["Retry-After"] ?? ""), \(busy.attempts) attempt")

    story.say("If all attempts fail, the error is that of the last one:")
    client.timeouts.total = .seconds(20)
    do throws(RequestError) {
        story.show("status \(try await client.get("/truncate?len=1000&sent=10").status)")
    } catch {
        story.show("\(error.kind) in attempt \(error.attempts)")
    }
}

// snippet.policy
func retryTransientFailures(of client: RESTClient) {
    // Up to 3 attempts; the delays grow from up to 10 ms, with jitter, and never exceed a second.
    client.retryPolicy = RetryPolicy(attempts: 3, baseDelay: .milliseconds(10), maximumDelay: .seconds(1))
}
// snippet.end
