extension Endpoints {
    static let retries: [String: Endpoint] = [
        "/flap": { request in
            let attempt = request.remember { $0.attempt(request) }
            let fails = attempt <= request.query.number("fail", 2)
            return Answer(fails ? request.query.number("status", 503) : 200, json: ["attempt": .number(attempt)])
        },
        "/retry-after": { request in
            let attempt = request.remember { $0.attempt(request) }
            guard attempt <= request.query.number("fail", 1) else { return Answer(json: ["attempt": .number(attempt)]) }
            let seconds = request.query.number("s", 1)
            let value = request.query.flag("date") ? httpDate(secondsFromNow: seconds) : "\(seconds)"
            return Answer(
                request.query.number("status", 503), headers: [Header("Retry-After", value)],
                json: ["attempt": .number(attempt)])
        },
        "/max-age": { request in
            let attempt = request.remember { $0.attempt(request) }
            let seconds = request.query.number("s", 60)
            return Answer(headers: [Header("Cache-Control", "max-age=\(seconds)")], json: ["attempt": .number(attempt)])
        },
        "/etag": { request in
            let version = request.query["v"] ?? "1"
            let headers = [Header("ETag", "\"\(version)\""), Header("Cache-Control", "no-cache")]
            let known = request.headers["if-none-match"]?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
            // The comparison is a weak one (RFC 9110 §13.1.2).
            if known.contains("\"\(version)\"") || known.contains("W/\"\(version)\"") || known == ["*"] {
                return Answer(304, headers: headers)
            }
            return Answer(headers: headers, json: ["v": .string(version)])
        },
    ]
}
