import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let httpCache = Example(
    "http-cache", group: "Requests", "Cached responses: fresh, confirmed by 304, offline, and damaged"
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
    /// Prints a response in one line, with the number of requests that the server received for it.
    func shown(_ response: RESTResponse) -> String {
        let source = response.isFromCache ? "from the cache" : "from the server"
        let count = server.requests.count { $0.method == "GET" && $0.path == response.url.path() }
        let requests = count == 1 ? "1 request" : "\(count) requests"
        return "\(response.status) \(response.text ?? "") \(source); the server received \(requests)"
    }

    story.say("A client with a cache stores responses in a folder:")
    story.showCode("client")

    story.say("The server declares its list of films fresh for ten minutes. It receives one request:")
    for _ in 0..<2 { story.show(shown(try await client.get("/films"))) }

    story.say(
        """
        The news must be revalidated each time; they have an entity tag. The server compares the tag and answers 304
        without a body, and the client returns the cached response.
        """)
    for _ in 0..<2 { story.show(shown(try await client.get("/news"))) }

    story.say("Without a network, a request can accept any cached response:")
    story.showCode("offline")
    client.reachabilityObserver = ReachabilityObserver(initially: .notReachable(.noRoute))
    story.show(try await outcome(of: client.request("/news"), shown))
    story.show(shown(try await readOffline("/news", with: client)))
    client.reachabilityObserver = nil

    story.say(
        "A cached response is not used for another user. The first request of another user is sent to the server:")
    var other = client.request("/films")
    other.headers["Authorization"] = "Bearer other"
    for _ in 0..<2 { story.show(shown(try await other.send())) }

    story.say("Files of the cache are damaged. A damaged file is counted and treated like a missing file:")
    let count = try damageFiles(in: folder)
    story.show("\(count) files damaged, one bit each")
    for _ in 0..<2 { story.show(shown(try await client.get("/films"))) }
    let statistics = cache.statistics
    story.show(
        "hits \(statistics.hits), revalidations \(statistics.revalidations), misses \(statistics.misses), "
            + "stored \(statistics.stored), damaged \(statistics.damaged)")

    story.say("After a successful change of a resource, its old response is not used:")
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

/// Flips one bit of each stored response.
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
