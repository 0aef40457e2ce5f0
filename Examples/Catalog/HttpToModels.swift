import ExampleSupport
import Foundation
import LoopbackServer
import MappedRequests

let httpToModels = Example(
    "http-to-models", group: "Requests",
    "A tracker's API as typed models: read, created, streamed, and each way it can fail"
) { story in
    let server = try LoopbackServer { request in
        switch (request.method, request.path) {
        case ("GET", "/tasks/7"): return Answer(body: #"{"id": 7, "title": "Survey the pier", "hours": 3}"#.utf8)
        case ("GET", "/tasks"):
            return Answer(
                body:
                    #"{"data": {"tasks": [{"id": 7, "title": "Survey the pier"}, {"id": 8, "title": "Order the lamps"}]}}"#
                    .utf8)
        case ("POST", "/tasks"):
            let sent = String(decoding: try request.body(), as: UTF8.self)
            if sent.contains(#""title":"""#) { return Answer(422, body: #"{"message": "The title is empty"}"#.utf8) }
            return Answer(201, body: #"{"id": 9, "title": "Paint the boat", "hours": 12}"#.utf8)
        case ("GET", "/broken"):
            return Answer(body: "{\"id\": 7,\n \"title\": \"Survey the pier\", \"hours\": \"three\"}".utf8)
        case ("GET", "/proxy"):
            let page = "<html><h1>502 Bad gateway</h1></html>"
            return Answer(headers: [Header("Content-Type", "text/html")], body: page.utf8)
        default: return nil
        }
    }
    let client = RESTClient(baseURL: server.url)
    /// A text without the port of the server, which differs from run to run.
    func shown(_ text: String) -> String {
        text.replacing(":\(server.port)", with: "")
    }

    story.say("A type declares its JSON once, for reading and writing:")
    story.showCode("model")

    story.say("One object and a collection at a key path:")
    story.showCode("read")
    let (task, tasks) = try await read(with: client)
    story.show("\(task)\n\(tasks.map(\.title))")

    story.say("Elements of a large export, mapped while the response arrives:")
    story.showCode("stream")
    story.show("\(try await titleLengths(with: client)) characters")

    story.say("The same mapping writes the body of a request, and the response is a model again:")
    story.showCode("create")
    story.show("\(try await create(WorkItem(title: "Paint the boat", hours: 12), with: client))")

    story.say("Another status is an error that holds the response. Its body is mapped to a type as well:")
    story.showCode("refused")
    story.show(shown(try await create(titled: "", with: client)))

    story.say("A body that does not match the mapping, and a proxy's page instead of JSON:")
    for path in ["/broken", "/proxy"] {
        do {
            _ = try await client.get(path, as: WorkItem.self)
        } catch { story.show(shown("\(error)")) }
    }
}

// snippet.model
struct WorkItem: Mappable {
    var id: Int?
    var title = ""
    var hours: Double?

    static let mapping = Mapping(WorkItem.init) {
        Attribute("id", \.id).readOnly
        Attribute("title", \.title)
        Attribute("hours", \.hours)
    }
}
// snippet.end

// snippet.read
private func read(with client: RESTClient) async throws -> (WorkItem, [WorkItem]) {
    let task = try await client.get("/tasks/7", as: WorkItem.self)
    let tasks = try await client.mapAll("/tasks", as: WorkItem.self, at: "data.tasks")
    return (task, tasks)
}
// snippet.end

// snippet.stream
private func titleLengths(with client: RESTClient) async throws -> Int {
    var sum = 0
    for try await task in try await client.stream("/tasks", as: WorkItem.self, at: "data.tasks") {
        sum += task.title.count
    }
    return sum
}
// snippet.end

// snippet.create
private func create(_ task: WorkItem, with client: RESTClient) async throws -> WorkItem {
    try await client.post("/tasks", task, using: WorkItem.mapping, rootKey: "task", as: WorkItem.self)
}
// snippet.end

// snippet.refused
private struct Refusal: Mappable {
    var message = ""
    static let mapping = Mapping(Refusal.init) { Attribute("message", \.message) }
}

private func create(titled title: String, with client: RESTClient) async throws -> String {
    do {
        return try await create(WorkItem(title: title), with: client).title
    } catch let error as MappedRequestError where error.kind == .unacceptableStatus {
        return "\(error)\n\(error.body(as: Refusal.self)?.message ?? "")"
    }
}
// snippet.end
