import Foundation
import LoopbackServer
import RequestQueue

let backgroundRequests = Example(
    "background-requests", group: "Requests", "What requests do when the application leaves: the four policies side by side"
) { story in
    let server = try LoopbackServer { request in
        // Slow at first: no request is over when the application leaves.
        if request.path != "/late" { try request.hold() }
        return Answer(200, body: Data("{}".utf8))
    }
    let client = RESTClient(baseURL: server.url)

    story.say(
        """
        Four requests that a server takes its time with, each with another policy. Here the example itself tells that
        the application leaves; on iOS UIKit does, and on a command line a `SignalLifecycle`:
        """)
    story.showCode("send")
    let lifecycle = ApplicationLifecycle()
    let queue = RequestQueue(lifecycle: lifecycle)
    let events = queue.events
    let requests = await sendAll(to: queue, client)
    for policy in BackgroundPolicy.allCases { try await server.waitForRequests(count: 1, path: "/\(policy)") }

    /// Shows what is told, until there is so much of it.
    var iterator = events.makeAsyncIterator()
    func show(_ count: Int) async {
        var shown = 0
        while shown < count, let event = await iterator.next() {
            switch event {
            case .didProgress, .didSend, .didBeginLoading, .didFinishLoading: continue
            default: story.show(Outline.line(event))
            }
            shown += 1
        }
    }
    func showStates() {
        story.show(requests.map { "\($0.request.backgroundPolicy): \($0.state)" }.joined(separator: ", "))
    }
    await show(5)

    story.say("The application leaves. The user sees at once what is cancelled; the queue sends nothing new:")
    story.showCode("leave")
    leave(lifecycle)
    await show(2)
    showStates()

    story.say("The system's patience ends, for what went on in the background: it is told as a time-out:")
    story.showCode("expire")
    expire(lifecycle)
    await show(1)
    showStates()

    story.say("The application is open again. What was put back is sent anew, before what was added meanwhile:")
    story.showCode("comeBack")
    await queue.setConcurrentRequestsLimit(2)
    let late = await queue.add(client.request(.get, "/late"))
    comeBack(lifecycle)
    await show(2)
    showStates()
    try await server.waitForRequests(count: 2, path: "/requeue")
    server.release()
    _ = try await late.response
    await queue.waitUntilFinished()
    story.say("And in the end each has exactly one outcome:")
    showStates()
    let counts = BackgroundPolicy.allCases.map { policy in
        "\(policy) \(server.requests.filter { $0.path == "/\(policy)" }.count)"
    }
    story.show("Times the server was asked: " + counts.joined(separator: ", "))
}
