import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let backgroundRequests = Example(
    "background-requests", group: "Requests", "The application leaves: four policies for what is loading, side by side"
) { story in
    let server = try LoopbackServer { request in
        if request.path != "/late" { try request.hold() }
        return Answer(200, body: Data("{}".utf8))
    }
    let client = RESTClient(baseURL: server.url)
    let lifecycle = ApplicationLifecycle()
    let queue = RequestQueue(lifecycle: lifecycle)
    var events = queue.events.makeAsyncIterator()

    /// Shows what the queue tells next, but for what always is the same.
    func show(_ count: Int) async {
        var shown = 0
        while shown < count, let event = await events.next() {
            switch event {
            case .didProgress, .didSend, .didBeginLoading, .didFinishLoading: continue
            default: story.show("\(event)".replacing(server.url.absoluteString, with: ""))
            }
            shown += 1
        }
    }

    story.say("A server takes its time with four requests, each of another policy:")
    story.showCode("send")
    let requests = send(client, by: queue)
    func showStates() {
        for request in requests { story.show("\(request.request.backgroundPolicy): \(request.state)") }
    }
    await show(5)
    for policy in BackgroundPolicy.allCases { try await server.waitForRequests(count: 1, path: "/\(policy)") }

    story.say(
        """
        The application leaves. Here this is told by hand; on iOS UIKit tells it, and on a command line a
        `SignalLifecycle` makes it of Ctrl-Z. Who listens hears of the one that is cancelled, and nothing of the one
        that goes back into the line:
        """)
    story.show("lifecycle.enterBackground()")
    lifecycle.enterBackground()
    await show(2)
    showStates()

    story.say("The system gives no more time in the background. What went on there ends, as timed out:")
    story.show("lifecycle.expireBackgroundTime()")
    lifecycle.expireBackgroundTime()
    await show(1)
    showStates()

    story.say(
        "A request is added meanwhile. When the application is open again, the one that was put back goes before it:")
    story.show("lifecycle.enterForeground()")
    queue.concurrentRequestsLimit = 2
    let late = queue.add(client.request(.get, "/late"))
    lifecycle.enterForeground()
    await show(2)
    try await server.waitForRequests(count: 2, path: "/requeue")
    server.release()
    _ = try await late.response
    await queue.waitUntilFinished()

    story.say("In the end each has one outcome, and the server was asked twice where that was wanted:")
    for request in requests {
        let policy = request.request.backgroundPolicy
        let times = server.requests.filter { $0.path == "/\(policy)" }.count
        story.show("\(policy): \(request.state), asked \(times == 1 ? "once" : "\(times) times")")
    }
}

// snippet.send
func send(_ client: RESTClient, by queue: RequestQueue) -> [QueuedRequest] {
    var requests: [QueuedRequest] = []
    for policy in BackgroundPolicy.allCases {
        client.backgroundPolicy = policy
        requests.append(queue.add(client.request(.get, "/\(policy)")))
    }
    queue.start()
    return requests
}
// snippet.end
