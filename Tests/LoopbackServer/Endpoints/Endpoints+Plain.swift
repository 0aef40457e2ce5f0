extension Endpoints {
    static let plain: [String: Endpoint] = [
        "/ok": { _ in ok },
        "/echo": echo,
        "/method": { Answer(json: ["method": .string($0.method)]) },
        "/json": json,
        "/204": { _ in Answer(204) },
        "/304": { _ in Answer(304, headers: [Header("ETag", "\"x\"")]) },
        "/1xx": informational,
        "/headers": { request in
            let value = String(repeating: "v", count: request.query.number("len", 10))
            return Answer(
                headers: (0..<request.query.number("n", 100)).map { Header("X-H\($0)", value) }, body: "{}".utf8)
        },
        "/cookie": cookie,
        "/delay": { request in
            try request.readToEnd()
            try request.pause(.milliseconds(request.query.number("ms", 1000)))
            return ok
        },
        "/hold": { request in
            try request.hold()
            return Answer(json: ["held": true])
        },
        "/release": { request in
            request.release(request.query["key"] ?? "")
            return ok
        },
        "/stats": stats,
    ]

    static let ok = Answer(body: #"{"ok":true}"#.utf8)

    static func status(_ status: Int, _ request: Request) -> Answer {
        let headers = request.query["retry_after"].map { [Header("Retry-After", $0)] } ?? []
        return Answer(status, headers: headers, body: (request.query["body"] ?? "{}").utf8)
    }

    @Sendable static func echo(_ request: Request) throws -> Answer? {
        var body: [UInt8]? = []
        while let piece = try request.nextPiece() {
            if let bytes = body { body = bytes.count + piece.count <= 64 * 1024 ? bytes + piece : nil }
        }
        return Answer(json: [
            "method": .string(request.method), "target": .string(request.target), "headers": JSONText(request.headers),
            "framing": .string("\(request.framing)"), "bytes": .number(request.bodyLength),
            "sha256": request.bodySHA256, "body": JSONText(body.map { Data($0).base64EncodedString() }),
        ])
    }

    private static func json(_ request: Request) -> Answer {
        let count = request.query.number("n", 10)
        let text = String(repeating: "x", count: request.query.number("size", 16))
        let items = (0..<count).map { number -> JSONText in
            [
                "id": .number(number), "name": .string("item-\(number)"), "text": .string(text),
                "flag": .bool(number % 2 == 0), "tags": ["a", "b"], "parent": nil,
            ]
        }
        return Answer(json: ["items": .array(items), "total": .number(count)])
    }

    private static func informational(_ request: Request) throws -> Answer? {
        try request.readToEnd()
        for number in 0..<request.query.number("n", 3) {
            let status = [100, 102, 103][number % 3]
            try request.send(Array("HTTP/1.1 \(status) Information\r\nX-Number: \(number)\r\n\r\n".utf8))
        }
        return ok
    }

    private static func cookie(_ request: Request) -> Answer {
        let query = request.query
        var cookie = "\(query["name"] ?? "sid")=\(query["value"] ?? "abc")"
        for (name, value) in query.items where name != "name" && name != "value" {
            cookie += value.isEmpty ? "; \(name)" : "; \(name)=\(value)"
        }
        return Answer(
            headers: [Header("Set-Cookie", cookie)], json: ["cookie": JSONText(request.headers["cookie"])])
    }

    private static func stats(_ request: Request) -> Answer {
        let statistics = request.read { $0.statistics }
        let paths = statistics.requestsByPath.sorted { $0.key < $1.key }
        return Answer(json: [
            "requests": .number(statistics.requests), "connections": .number(statistics.connections),
            "open_connections": .number(statistics.openConnections),
            "malformed_requests": .number(statistics.malformedRequests),
            "malformations": .array(statistics.malformations.map { .string($0) }),
            "paths": .object(paths.map { ($0.key, .number($0.value)) }),
        ])
    }
}
