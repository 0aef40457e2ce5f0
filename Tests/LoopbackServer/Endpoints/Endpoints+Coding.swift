extension Endpoints {
    static let coding: [String: Endpoint] = [
        "/gzip": { encoded("gzip", Compression.compress(numbers($0), .gzip)) },
        "/deflate": { request in
            let format = request.query.flag("raw") ? Compression.Format.raw : .zlib
            return encoded("deflate", Compression.compress(numbers(request), format))
        },
        "/gzip-bad": gzipBad,
    ]

    private static func numbers(_ request: Request) -> [UInt8] {
        Answer(json: ["items": .array((0..<request.query.number("n", 1000)).map { .number($0) })]).body
    }

    private static func encoded(_ coding: String, _ bytes: [UInt8]) -> Answer {
        Answer(headers: [Header("Content-Encoding", coding)], body: bytes)
    }

    private static func gzipBad(_ request: Request) -> Answer {
        var bytes = Compression.compress((0..<5000).flatMap { "\($0),".utf8 }, .gzip)
        switch request.query["mode"] {
        case "crc": bytes[bytes.count - 8] ^= 0xff
        case "garbage": for index in 20..<220 { bytes[index] = 0xff }
        case "notgzip": bytes = Array(#"{"plain":true}"#.utf8)
        case "bomb": bytes = Compression.bomb(request.query.number("n", 1 << 30))
        default: bytes.removeLast(bytes.count / 2)
        }
        return encoded("gzip", bytes)
    }
}
