extension Endpoints {
    static let faults: [String: Endpoint] = [
        "/early": early,
        "/stall-upload": { request in
            request.shrinkReceiveBuffer()
            try request.readBody(request.query.number("after", 64 * 1024))
            try request.holdUnread()
            // A client that waits for space to send may not notice a FIN.
            throw ConnectionEnd.reset
        },
        "/rst-upload": { request in
            try request.readBody(request.query.number("after", 64 * 1024))
            throw ConnectionEnd.reset
        },
        "/truncate": { request in
            try sendSome(of: request.query.number("len", 1000), sent: request.query.number("sent", 500), request)
            throw ConnectionEnd.close
        },
        "/overrun": { request in
            try sendSome(of: request.query.number("len", 10), sent: request.query.number("sent", 50), request)
            return nil
        },
        "/badlength": { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello".utf8) },
        "/twolengths": { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello!!".utf8) },
        "/chunked-bad": { request in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n5\r\nhello\r\n"
            return .raw((head + (request.query["mode"] == "size" ? "ZZ\r\nxx\r\n0\r\n\r\n" : "")).utf8)
        },
        "/close": { _ in .none(.close) },
        "/rst": { request in
            let count = request.query.number("after")
            try request.readToEnd()
            if count > 0 { try sendSome(of: 2 * count, sent: count, request) }
            throw ConnectionEnd.reset
        },
        "/stall": { request in
            let count = request.query.number("after")
            try sendSome(of: count + 1000, sent: count, request)
            try request.hold()
            throw ConnectionEnd.close
        },
    ]

    private static func early(_ request: Request) throws -> Answer {
        try request.readBody(request.query.number("after"))
        var answer = Answer(
            request.query.number("status", 413), json: ["error": "early", "read": .number(request.bodyLength)])
        answer.isEarly = true
        answer.end =
            switch request.query["close"] {
            case "keep": .keepAlive
            case "now": .abort
            default: .close
            }
        return answer
    }

    /// Sends a head that announces `announced` bytes, and `sent` bytes.
    private static func sendSome(of announced: Int, sent: Int, _ request: Request) throws {
        try request.readToEnd()
        let headers = [Header("Content-Type", "text/plain"), Header("Content-Length", "\(announced)")]
        try request.sendHead(200, headers)
        if !request.isHead { try request.send([UInt8](repeating: UInt8(ascii: "x"), count: sent)) }
    }
}
