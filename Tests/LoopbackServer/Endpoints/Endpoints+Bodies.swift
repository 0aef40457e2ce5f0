extension Endpoints {
    static let bodies: [String: Endpoint] = [
        "/bytes": { try bytes($0, count: 1 << 20, rate: nil) },
        "/slow": { try bytes($0, count: 4096, rate: 1024) },
        "/sink": sink,
        "/upload": upload,
    ]

    /// The bytes 0, 1, … 255, repeated.
    private static let pattern = (0..<256 * 1024).map { UInt8(truncatingIfNeeded: $0) }

    private static func bytes(_ request: Request, count: Int, rate: Int?) throws -> Answer? {
        try request.readToEnd()
        let count = request.query.number("n", count)
        let rate = request.query["bps"].flatMap { Int($0) } ?? rate
        let hasTrailer = request.query.flag("trailer")
        let isChunked = hasTrailer || request.query.flag("chunked")
        var headers = [
            Header("Content-Type", "application/octet-stream"),
            isChunked ? Header("Transfer-Encoding", "chunked") : Header("Content-Length", "\(count)"),
        ]
        if hasTrailer { headers.append(Header("Trailer", "X-Trailer")) }
        try request.sendHead(200, headers)
        if request.isHead { return nil }

        let step = rate.map { max(1, min(pattern.count, $0 / 20)) } ?? pattern.count
        var position = 0
        while position < count {
            let rest = min(step, count - position)
            if let rate, rate > 0 { try request.pause(.seconds(Double(rest) / Double(rate))) }
            let start = position % 256
            let piece = pattern[start..<min(start + rest, pattern.count)]
            try request.send(isChunked ? chunk(piece) : Array(piece))
            position += piece.count
        }
        if isChunked { try request.send(Array(hasTrailer ? "0\r\nX-Trailer: 1\r\n\r\n".utf8 : "0\r\n\r\n".utf8)) }
        return nil
    }

    private static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(String(bytes.count, radix: 16).utf8) + Array("\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private static func sink(_ request: Request) throws -> Answer {
        try readPieces(of: request) { _ in }
        return Answer(json: [
            "bytes": .number(request.bodyLength), "framing": .string("\(request.framing)"),
            "sha256": request.bodySHA256, "content_length": JSONText(request.headers["content-length"]),
        ])
    }

    /// Reads the body, at most `bps` bytes a second.
    private static func readPieces(of request: Request, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let rate = request.query.number("bps")
        let step = rate > 0 ? max(1, min(pattern.count, rate / 20)) : pattern.count
        while let piece = try request.nextPiece(atMost: step) {
            try take(piece)
            if rate > 0 { try request.pause(.seconds(Double(piece.count) / Double(rate))) }
        }
    }

    private static func upload(_ request: Request) throws -> Answer {
        do {
            let boundary = try FormDataType.boundary(of: request.headers)
            var judge = MultipartJudge(boundary: boundary, isHashing: request.query["hash"] != "0")
            try readPieces(of: request) { try judge.take($0) }
            let parts = try judge.finish()
            return Answer(
                request.query.number("status", 200),
                json: [
                    "boundary": .string(boundary), "framing": .string("\(request.framing)"),
                    "bytes": .number(request.bodyLength), "parts": .array(parts.map(\.json)),
                ])
        } catch let mistake as BadForm {
            return Answer(400, json: ["error": .string(mistake.reason)])
        }
    }
}
