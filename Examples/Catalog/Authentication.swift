import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let authentication = Example(
    "authentication", group: "Requests", "Passwords, digests, and bearer tokens that are refreshed once"
) { story in
    let server = try LoopbackServer()
    /// Prints the requests that the server received since the last call, without parts that differ from run to run.
    func showTraffic() {
        for request in server.requests.dropFirst(seen) {
            story.show("\(request.method) \(request.path)\(credentials(of: request)) -> \(request.status ?? 0)")
        }
        seen = server.requests.count
    }
    var seen = 0

    story.say("A client has a user and a password:")
    story.showCode("login")
    let client = RESTClient(baseURL: server.url)
    logIn(client, user: "user", password: "pass")

    story.say(
        """
        This server requires Basic authentication. The first request is answered with 401 and sent again with the
        password. The next one has the password at once:
        """)
    _ = try await client.get("/basic")
    _ = try await client.get("/basic")
    showTraffic()

    story.say("This server requires Digest authentication, by SHA-256 or MD5. The password itself is never sent:")
    logIn(client, user: "user", password: "pass")
    _ = try await client.post("/digest?alg=MD5,SHA-256", ["title": "Blue kettle"])
    _ = try await client.get("/digest?alg=MD5,SHA-256")
    showTraffic()

    story.say(
        """
        The complete body is sent again, even if the server answers before it has read any of it. Here it is a form of 3
        MB:
        """)
    let form = Params()
    form.set(data: Data(repeating: 7, count: 3_000_000), fileName: "kettle.png", for: "picture")
    logIn(client, user: "user", password: "pass")
    _ = try await client.post("/digest?drain=0", form)
    let whole = server.requests.last.map { $0.isBodyWhole && $0.bodyLength == form.contentLength.map(Int.init) }
    showTraffic()
    story.show("the body is \(whole == true ? "complete" : "NOT COMPLETE")")

    story.say("A wrong password is sent once. The response has the status 401, also if the scheme is unknown:")
    logIn(client, user: "user", password: "guess")
    story.show("status \(try await client.get("/digest").status)")
    showTraffic()

    story.say(
        "Tokens expire. A closure gets the next token; it is called when the server refuses the old one:")
    story.showCode("token")
    let issuer = RESTClient(baseURL: server.url)
    authorize(client, with: "expired", from: issuer)
    let statuses = try await loadAll(100, with: client)
    let refreshes = server.statistics.requestsByPath["/token"] ?? 0
    story.say("A hundred concurrent requests with an expired token:")
    story.show("\(statuses.count { $0 == 200 }) responses of status 200, \(refreshes) refresh")

    story.say("If a refresh fails, all requests that wait for it fail with its error. The next request tries again:")
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

/// The scheme of the credentials; for Digest, also the algorithm and the count.
private func credentials(of request: RequestRecord) -> String {
    guard let field = request.headers["authorization"] else { return "" }
    let scheme = field.prefix { $0 != " " }
    let parts = field.dropFirst(scheme.count).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let shown = parts.filter { $0.hasPrefix("algorithm=") || $0.hasPrefix("nc=") }
    return ", " + ([String(scheme)] + shown).joined(separator: " ")
}
