import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let authentication = Example(
    "authentication", group: "Requests", "Servers that ask who you are: passwords, digests, and tokens refreshed once"
) { story in
    let server = try LoopbackServer()
    /// What the server got since it was asked last, without what is another each time.
    func showTraffic() {
        for request in server.requests.dropFirst(seen) {
            story.show("\(request.method) \(request.path)\(credentials(of: request)) -> \(request.status ?? 0)")
        }
        seen = server.requests.count
    }
    var seen = 0

    story.say("A client is given a user and a password, and nothing else changes:")
    story.showCode("login")
    let client = RESTClient(baseURL: server.url)
    logIn(client, user: "user", password: "pass")

    story.say("This server asks by Basic. It asks once; the next request brings along what was right:")
    _ = try await client.get("/basic")
    _ = try await client.get("/basic")
    showTraffic()

    story.say("This one asks by Digest, with SHA-256 or MD5 as we like. The password never goes over the connection:")
    logIn(client, user: "user", password: "pass")
    _ = try await client.post("/digest?alg=MD5,SHA-256", ["title": "Blue kettle"])
    _ = try await client.get("/digest?alg=MD5,SHA-256")
    showTraffic()

    story.say("A body goes again whole, even if the server had answered before it read any of it. Here 3 MB of a form:")
    let form = Params()
    form.set(data: Data(repeating: 7, count: 3_000_000), fileName: "kettle.png", for: "picture")
    logIn(client, user: "user", password: "pass")
    _ = try await client.post("/digest?drain=0", form)
    let whole = server.requests.last.map { $0.isBodyWhole && $0.bodyLength == form.contentLength.map(Int.init) }
    showTraffic()
    story.show("the body came \(whole == true ? "whole" : "NOT WHOLE")")

    story.say("A wrong password is sent once. Then the 401 is the response, as it is for an unknown scheme:")
    logIn(client, user: "user", password: "guess")
    story.show("status \(try await client.get("/digest").status)")
    showTraffic()

    story.say(
        "Tokens run out. What gets the next one is a closure, which is called when the server refuses the old one:")
    story.showCode("token")
    let issuer = RESTClient(baseURL: server.url)
    authorize(client, with: "expired", from: issuer)
    let statuses = try await loadAll(100, with: client)
    let refreshes = server.statistics.requestsByPath["/token"] ?? 0
    story.say("A hundred requests at once with a token that has run out:")
    story.show("\(statuses.count { $0 == 200 }) responses of status 200, \(refreshes) refresh")

    story.say("A refresh that fails is told to whoever waits for it. Nobody hangs, and the next request tries again:")
    client.authentication = .bearer(BearerToken { throw SignedOut() })
    do throws(RequestError) {
        _ = try await client.get("/bearer?key=t")
    } catch {
        story.show("\(error.kind): \(error.cause)")
    }
}

// snippet.login
func logIn(_ client: RESTClient, user: String, password: String) {
    client.authentication = .challenge(user: user, password: password)
}
// snippet.end

// snippet.token
func authorize(_ client: RESTClient, with token: String, from issuer: RESTClient) {
    struct Grant: Decodable { var access_token: String }
    client.authentication = .bearer(
        BearerToken(token) { try await issuer.post("/token").validated().json(Grant.self).access_token })
}
// snippet.end

private struct SignedOut: Error, CustomStringConvertible {
    var description: String { "the user has signed out" }
}

private func loadAll(_ count: Int, with client: RESTClient) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count { group.addTask { try await client.get("/bearer?key=t").status } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// The scheme, and of a digest its algorithm and its count.
private func credentials(of request: RequestRecord) -> String {
    guard let field = request.headers["authorization"] else { return "" }
    let scheme = field.prefix { $0 != " " }
    let parts = field.dropFirst(scheme.count).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let shown = parts.filter { $0.hasPrefix("algorithm=") || $0.hasPrefix("nc=") }
    return ", " + ([String(scheme)] + shown).joined(separator: " ")
}
