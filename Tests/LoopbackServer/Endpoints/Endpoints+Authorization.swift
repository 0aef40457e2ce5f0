extension Endpoints {
    static let authorization: [String: Endpoint] = [
        "/basic": { request in
            let pair = "\(request.query["user"] ?? "user"):\(request.query["pass"] ?? "pass")"
            let expected = "Basic " + Data(pair.utf8).base64EncodedString()
            return request.headers["authorization"] == expected
                ? try echo(request) : refusal([#"Basic realm="loopback", charset="UTF-8""#])
        },
        "/bearer": bearer,
        "/token": { request in
            try request.readToEnd()
            try request.pause(.milliseconds(request.query.number("ms")))
            let token = request.remember { $0.tokens.issue(for: request.query["key"] ?? "t") }
            return Answer(json: ["access_token": .string(token), "token_type": "Bearer"])
        },
        "/digest": digest,
    ]

    /// A 401 with challenges.
    static func refusal(_ challenges: [String]) -> Answer {
        Answer(401, headers: challenges.map { Header("WWW-Authenticate", $0) }, body: "{}".utf8)
    }

    private static func bearer(_ request: Request) throws -> Answer? {
        let given = request.headers["authorization"] ?? ""
        let holds: Bool
        if let key = request.query["key"] {
            let limit = request.query.number("uses", .max)
            holds = request.remember { $0.tokens.use(String(given.dropFirst(7)), for: key, atMost: limit) }
        } else {
            holds = given == "Bearer \(request.query["token"] ?? "t")"
        }
        return holds ? try echo(request) : refusal([#"Bearer realm="loopback", error="invalid_token""#])
    }
}
