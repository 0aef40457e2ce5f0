import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let httpCache = Example(
    "http-cache", group: "Requests", "Answers that are kept: fresh, confirmed by 304, offline, and one that is damaged"
) { story in
    let server = try LoopbackServer { request in
        switch request.path {
        case "/films":
            return Answer(headers: [Header("Cache-Control", "max-age=600")], body: #"["Alien","Brazil"]"#.utf8)
        case "/news":
            let isKnown = request.headers["if-none-match"] == "\"7\""
            let headers = [Header("ETag", "\"7\""), Header("Cache-Control", "no-cache")]
            return isKnown ? Answer(304, headers: headers) : Answer(headers: headers, body: #"["Rain"]"#.utf8)
        default: return nil
        }
    }
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (client, cache) = makeClient(of: server.url, keeping: folder)
    /// A response in a line, and how often the server was asked for it.
    func shown(_ response: RESTResponse) -> String {
        let source = response.isFromCache ? "from the cache" : "from the server"
        let count = server.requests.count { $0.method == "GET" && $0.path == response.url.path() }
        let times = count == 1 ? "once" : "\(count) times"
        return "\(response.status) \(response.text ?? "") \(source); the server was asked \(times)"
    }

    story.say("A client keeps answers in a folder once it is told to:")
    story.showCode("client")

    story.say("The server says that its list of films is good for ten minutes. It is asked once:")
    for _ in 0..<2 { story.show(shown(try await client.get("/films"))) }

    story.say(
        """
        News have to be asked about each time, but they have a tag. The server is asked whether the tag is still right, and
        need not send them again: its 304 becomes the answer that is kept.
        """)
    for _ in 0..<2 { story.show(shown(try await client.get("/news"))) }

    story.say("Without a network there is nothing to ask. An app that is to be read on the train says so:")
    story.showCode("offline")
    client.reachabilityObserver = ReachabilityObserver(initially: .notReachable(.noRoute))
    story.show(try await outcome(of: client.request("/news"), shown))
    story.show(shown(try await readOffline("/news", with: client)))
    client.reachabilityObserver = nil

    story.say("Nobody is given what somebody else may read. Another user's request goes to the server, the first time:")
    var other = client.request("/films")
    other.headers["Authorization"] = "Bearer other"
    for _ in 0..<2 { story.show(shown(try await other.send())) }

    story.say("A file of the cache is damaged, by a disk, or by somebody. It is as if it were not there, and counted:")
    let count = try damageFiles(in: folder)
    story.show("\(count) files damaged, one bit each")
    for _ in 0..<2 { story.show(shown(try await client.get("/films"))) }
    let statistics = cache.statistics
    story.show(
        "hits \(statistics.hits), revalidations \(statistics.revalidations), misses \(statistics.misses), "
            + "stored \(statistics.stored), damaged \(statistics.damaged)")

    story.say("Whoever changes something at the server is not shown how it was before:")
    _ = try await client.post("/films", ["title": "Casablanca"])
    story.show(shown(try await client.get("/films")))
}

// snippet.client
func makeClient(of server: URL, keeping folder: URL) -> (RESTClient, RequestCache) {
    let client = RESTClient(baseURL: server)
    let cache = RequestCache(directory: folder, sizeLimit: 20 << 20)
    client.cache = cache
    return (client, cache)
}
// snippet.end

// snippet.offline
func readOffline(_ path: String, with client: RESTClient) async throws -> RESTResponse {
    var request = client.request(path)
    request.cachePolicy = [.standard, .loadIfOffline]
    return try await request.send()
}
// snippet.end

/// A response, or the kind of the error.
private func outcome(of request: RESTRequest, _ shown: (RESTResponse) -> String) async throws -> String {
    do { return shown(try await request.send()) } catch { return "\(error.kind)" }
}

/// Turns a bit of each stored response over.
private func damageFiles(in folder: URL) throws -> Int {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let files = names.filter { $0.contains("-") }.map { folder.appending(path: $0) }
    for file in files {
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
    }
    return files.count
}
