import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let backgroundRequests = Example(
    "background-requests", group: "Requests", "The app enters the background: four policies for requests in progress"
) { story in
    let server = try LoopbackServer { request in
        if request.path != "/late" { try request.hold() }
        return Answer(200, body: Data("{}".utf8))
    }
    let client = RESTClient(baseURL: server.url)
    let lifecycle = ApplicationLifecycle()
    let queue = RequestQueue(lifecycle: lifecycle)
    var events = queue.events.makeAsyncIterator()

    /// Prints the next events of the queue, except progress and loading events.
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

    story.say("Four requests, each with another policy. The server delays its responses:")
    story.showCode("send")
    let requests = send(client, by: queue)
    func showStates() {
        for request in requests { story.show("\(request.request.backgroundPolicy): \(request.state)") }
    }
    await show(5)
    for policy in BackgroundPolicy.allCases { try await server.waitForRequests(count: 1, path: "/\(policy)") }

    story.say(
        """
        The app enters the background. This example reports it by a call; on iOS UIKit reports it, and in a command
        line tool a `SignalLifecycle` reports Ctrl-Z. There is an event for the request that is cancelled, and none for
        the request that is requeued:
        """)
    story.show("lifecycle.enterBackground()")
    lifecycle.enterBackground()
    await show(2)
    showStates()

    story.say("The background time is over. The request that continued in the background times out:")
    story.show("lifecycle.expireBackgroundTime()")
    lifecycle.expireBackgroundTime()
    await show(1)
    showStates()

    story.say(
        "Another request is added. In the foreground again, the requeued request is sent before it:")
    story.show("lifecycle.enterForeground()")
    queue.concurrentRequestsLimit = 2
    let late = queue.add(client.request(.get, "/late"))
    lifecycle.enterForeground()
    await show(2)
    try await server.waitForRequests(count: 2, path: "/requeue")
    server.release()
    _ = try await late.response
    await queue.waitUntilFinished()

    story.say("Each request has one outcome. The server received the requeued request twice:")
    for request in requests {
        let policy = request.request.backgroundPolicy
        let times = server.requests.filter { $0.path == "/\(policy)" }.count
        story.show("\(policy): \(request.state), received \(times == 1 ? "once" : "\(times) times")")
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
