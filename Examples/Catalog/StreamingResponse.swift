import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let streamingResponse = Example(
    "streaming-response", group: "Requests", "Bodies that are read while they arrive: bytes, lines, server-sent events"
) { story in
    let log = (1...50_000).map { "line \($0)\n" }.joined()
    let feed =
        "data: connected\n\nevent: score\nid: 7\ndata: {\"home\": 1}\n\n: keep-alive\n\nevent: score\ndata: {\"home\": 2}\n\n"
    let server = try LoopbackServer { request in
        switch request.path {
        case "/log": Answer(headers: [Header("Content-Type", "text/plain")], body: log.utf8)
        case "/feed": Answer(headers: [Header("Content-Type", "text/event-stream")], body: feed.utf8)
        default: nil
        }
    }
    let client = RESTClient(baseURL: server.url)

    story.say("A log of any size is read line by line. The function returns when the head of the response has arrived:")
    story.showCode("lines")
    let (count, last) = try await countLines("/log", of: client)
    story.show("\(count) lines, the last one is '\(last)'")

    story.say("Server-sent events are parsed as the HTML standard defines them:")
    story.showCode("events")
    for score in try await scores("/feed", of: client) { story.show(score) }

    story.say("If a loop ends early, the connection is closed, and the rest of the body is not received:")
    var received = 0
    for try await piece in try await client.stream("/bytes?n=100000000").body {
        received += piece.count
        if received >= 1_000_000 { break }
    }
    story.show("ended after at least 1,000,000 bytes: \(received < 100_000_000)")

    story.say("A truncated body ends with an error:")
    do {
        for try await _ in try await client.stream("/truncate?len=1000000&sent=300000").body {}
        story.show("complete")
    } catch let error as RequestError {
        story.show("\(error.kind) after \(error.bytesReceived) bytes")
    }
}

// snippet.lines
func countLines(_ path: String, of client: RESTClient) async throws -> (count: Int, last: String) {
    var (count, last) = (0, "")
    for try await line in try await client.stream(path).lines {
        count += 1
        last = line
    }
    return (count, last)
}
// snippet.end

// snippet.events
func scores(_ path: String, of client: RESTClient) async throws -> [String] {
    var scores: [String] = []
    let stream = try await client.stream(path, headers: ["Accept": "text/event-stream"])
    for try await event in stream.serverSentEvents where event.type == "score" { scores.append(event.data) }
    return scores
}
// snippet.end
