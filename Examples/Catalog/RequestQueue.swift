import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let requestQueue = Example(
    "request-queue", group: "Requests", "Requests in a line: a limit, events, counters, and what a screen leaves behind"
) { story in
    let server = try LoopbackServer { request in
        if request.path.hasPrefix("/slow/") { try request.hold() }
        return request.path == "/ok" ? nil : Answer(200, body: Data("{}".utf8))
    }
    let client = RESTClient(baseURL: server.url)
    /// A text without the server's address, which is another one each time.
    func plain(_ text: String) -> String { text.replacing(server.url.absoluteString, with: "") }

    story.say(
        "The shared queue runs from the start and sends five requests at once. Adding one and awaiting its response:")
    story.showCode("shared")
    story.show("status \(try await fetchShared(client).status)")

    story.say(
        "For transfers in the background a queue of one's own, with a limit of one; it waits until it is started:")
    story.showCode("adHoc")
    let queue = RequestQueue(concurrentRequestsLimit: 1)
    let events = queue.events
    let (indicator, light) = AsyncStream.makeStream(of: Bool.self)
    NetworkActivity.shared.setHandler { isActive in light.yield(isActive) }
    let requests = addFour(to: queue, client)
    story.show("\(queue.waitingCount) wait, \(queue.loadingCount) load, \(server.requests.count - 1) sent")

    story.say("`queue.events` tells what happens, as it happens. Now it is started:")
    queue.start()
    var done = 0
    for await event in events {
        if case .didProgress = event { continue }
        if event.outcome != nil { done += 1 }
        story.show(plain("\(event)") + (event.outcome == nil ? "" : "    (\(done) of \(requests.count))"))
        if case .didFinishLoading = event { break }
    }
    for await isActive in indicator {
        story.show("the busy indicator \(isActive ? "went on" : "went off, once for all four")")
        if !isActive { break }
    }
    NetworkActivity.shared.setHandler(nil)
    story.say(
        "One at a time, in the order in which they were added, and loading began and ended once. The server agrees:")
    story.show(server.requests.dropFirst().map(\.path).joined(separator: ", "))

    story.say(
        "A screen asks for things, and is left before they are there. It owns its requests, so it can cancel them:")
    story.showCode("owner")
    let list = Screen(), detail = Screen()
    let ofList = list.load(["/slow/list", "/list/more"], in: queue, client)
    let ofDetail = detail.load(["/detail"], in: queue, client)
    try await server.waitForRequests(count: 1, path: "/slow/list")
    list.disappear(from: queue)
    await queue.waitUntilFinished()
    for request in ofList + ofDetail { story.show(plain("\(request): \(request.state)")) }
    story.show("The server got \(server.requests.suffix(2).map(\.path).joined(separator: " and ")).")
    story.say(
        """
        Of the two that are cancelled one was loading and one waited: its connection is closed, and the other one was
        never sent. What belongs to others went on. Each request has exactly one outcome, whoever asks for it.
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

/// An owner that is an object is told apart by identity, and is not kept alive.
extension Screen: Hashable {
    static func == (one: Screen, other: Screen) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
