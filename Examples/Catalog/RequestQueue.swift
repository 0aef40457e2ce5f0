import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let requestQueue = Example(
    "request-queue", group: "Requests", "A request queue: a limit, events, counters, and requests with an owner"
) { story in
    let server = try LoopbackServer { request in
        if request.path.hasPrefix("/slow/") { try request.hold() }
        return request.path == "/ok" ? nil : Answer(200, body: Data("{}".utf8))
    }
    let client = RESTClient(baseURL: server.url)
    /// A text without the server's address, which differs from run to run.
    func plain(_ text: String) -> String { text.replacing(server.url.absoluteString, with: "") }

    story.say(
        "The shared queue is started and sends up to five concurrent requests. Add a request and await its response:")
    story.showCode("shared")
    story.show("status \(try await fetchShared(client).status)")

    story.say(
        "A separate queue for background transfers, with a limit of one. A new queue must be started:")
    story.showCode("adHoc")
    let queue = RequestQueue(concurrentRequestsLimit: 1)
    let events = queue.events
    let (indicator, light) = AsyncStream.makeStream(of: Bool.self)
    NetworkActivity.shared.setHandler { isActive in light.yield(isActive) }
    let requests = addFour(to: queue, client)
    story.show("\(queue.waitingCount) waiting, \(queue.loadingCount) loading, \(server.requests.count - 1) sent")

    story.say("`queue.events` reports each event. Start the queue:")
    queue.start()
    var done = 0
    for await event in events {
        if case .didProgress = event { continue }
        if event.outcome != nil { done += 1 }
        story.show(plain("\(event)") + (event.outcome == nil ? "" : "    (\(done) of \(requests.count))"))
        if case .didFinishLoading = event { break }
    }
    for await isActive in indicator {
        story.show("the busy indicator is \(isActive ? "on" : "off, once for all four requests")")
        if !isActive { break }
    }
    NetworkActivity.shared.setHandler(nil)
    story.say(
        "The requests were sent one by one, in the order of `add`. The server received:")
    story.show(server.requests.dropFirst().map(\.path).joined(separator: ", "))

    story.say(
        "A screen owns its requests. It cancels them when the user leaves it:")
    story.showCode("owner")
    let list = Screen(), detail = Screen()
    let ofList = list.load(["/slow/list", "/list/more"], in: queue, client)
    let ofDetail = detail.load(["/detail"], in: queue, client)
    try await server.waitForRequests(count: 1, path: "/slow/list")
    list.disappear(from: queue)
    await queue.waitUntilFinished()
    for request in ofList + ofDetail { story.show(plain("\(request): \(request.state)")) }
    story.show("The server received \(server.requests.suffix(2).map(\.path).joined(separator: " and ")).")
    story.say(
        """
        One of the two cancelled requests was loading: its connection is closed. The other one was waiting and is not
        sent. Requests of other owners continue. Each request has exactly one outcome.
        """)
}

// snippet.shared
func fetchShared(_ client: RESTClient) async throws -> RESTResponse {
    let request = RequestQueue.shared.add(client.request(.get, "/ok"))
    return try await request.response
}
// snippet.end

// snippet.adHoc
func addFour(to queue: RequestQueue, _ client: RESTClient) -> [QueuedRequest] {
    queue.showsNetworkActivity = true
    var requests: [QueuedRequest] = []
    for name in ["a", "b", "c", "d"] {
        requests.append(queue.add(client.request(.get, "/\(name)")))
    }
    return requests
}
// snippet.end

// snippet.owner
final class Screen: Sendable {
    func load(_ paths: [String], in queue: RequestQueue, _ client: RESTClient) -> [QueuedRequest] {
        var requests: [QueuedRequest] = []
        for path in paths { requests.append(queue.add(client.request(.get, path), owner: self)) }
        return requests
    }

    func disappear(from queue: RequestQueue) {
        queue.cancelRequests(ownedBy: self)
    }
}
// snippet.end

/// An owner that is an object is compared by identity and is not retained.
extension Screen: Hashable {
    static func == (one: Screen, other: Screen) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
