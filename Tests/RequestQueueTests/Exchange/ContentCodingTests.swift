@testable import RequestQueue
import Testing

@Suite("Content codings")
struct ContentCodingTests {
    /// Text that compresses some times, but not suspiciously.
    private static let text = (0..<20_000).map { "\($0 &* 2_654_435_761 % 9973)" }.joined(separator: " ")

    private static func respond(
        _ coding: String, _ body: [UInt8], piece: Int = .max, asking: String? = nil,
        limits: ResponseLimits = ResponseLimits(), delivery: Exchange.Delivery = .memory
    ) throws -> Result<RESTResponse, RequestError> {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.receive(200, ["Content-Encoding": coding, "Content-Length": "\(body.count)"])
            var rest = body[...]
            while !rest.isEmpty {
                call.receive(rest.prefix(piece))
                rest = rest.dropFirst(piece)
            }
            call.finish()
        })
        var request = try request(over: transport)
        request.headers["Accept-Encoding"] = asking
        request.limits = limits
        return try outcome(of: request, delivery: delivery)
    }

    @Test(arguments: [
        ("gzip", 31), ("x-gzip", 31), ("GZip", 31), ("deflate", 15), ("deflate", -15), ("identity, gzip", 31),
    ])
    func `Compressed data is decompressed unchanged`(coding: String, bits: Int32) throws {
        let body = compressed(Self.text.utf8, windowBits: bits)
        for piece in [1, 2, 3, 1000, Int.max] {
            let response = try Self.respond(coding, body, piece: piece).get()
            #expect(response.body == Data(Self.text.utf8))
            #expect(response.headers["Content-Encoding"] == coding)
        }
    }

    @Test func `Several gzip members are one body`() throws {
        let body = compressed("one ".utf8) + compressed([]) + compressed("two".utf8)
        for piece in [1, Int.max] {
            #expect(try Self.respond("gzip", body, piece: piece).get().body == Data("one two".utf8))
        }
    }

    @Test(arguments: [("deflate, gzip", 15, 31), ("gzip, gzip", 31, 31), ("gzip,deflate", 31, -15)])
    func `Two content codings are decoded in reverse order`(coding: String, first: Int32, second: Int32) throws {
        let body = compressed(compressed(Self.text.utf8, windowBits: first), windowBits: second)
        for piece in [1, 777, Int.max] {
            #expect(try Self.respond(coding, body, piece: piece).get().body == Data(Self.text.utf8))
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "gzip, br, zstd"])
    func `No bytes are an empty body with any coding`(coding: String) throws {
        #expect(try Self.respond(coding, []).get().body.isEmpty)
    }

    @Test(arguments: [("gzip", 31), ("deflate", 15), ("deflate", -15)])
    func `A truncated body is an error at every position`(coding: String, bits: Int32) throws {
        let body = compressed("a few words, and some more of them".utf8, windowBits: bits)
        for count in 1..<body.count {
            let error = try Self.respond(coding, Array(body[..<count])).failure
            #expect(error?.kind == .undecodableResponse)
            #expect(error?.cause == "invalid \(coding) data: unexpected end of data, at byte \(count)")
        }
    }

    @Test(arguments: [
        "garbage", "checksum", "length", "trailing", "zeros", "plain", "middle", "inner",
    ])
    func `A damaged body is an error`(damage: String) throws {
        var body = compressed(Self.text.utf8)
        switch damage {
        case "garbage": body = Array("this is not gzip at all".utf8)
        case "checksum": body[body.count - 8] ^= 1
        case "length": body[body.count - 1] ^= 1
        case "trailing": body += Array("junk".utf8)
        case "zeros": body += [0, 0, 0]
        case "plain": body = Array(Self.text.utf8)
        case "middle": body[body.count / 2] ^= 0xFF
        default: body = compressed(Array(body.dropLast(3)))
        }
        let coding = damage == "inner" ? "gzip, gzip" : "gzip"
        #expect(try Self.respond(coding, body).failure?.kind == .undecodableResponse)
    }

    @Test func `The error for an unknown coding names it`() throws {
        let error = try Self.respond("br", [1, 2, 3]).failure
        #expect(error?.kind == .undecodableResponse)
        #expect(error?.cause == "unsupported content coding 'br'; supported are gzip and deflate")
        #expect(
            try Self.respond("gzip, gzip, gzip", [1]).failure?.cause
                == "the response has 3 content codings; at most 2 are supported")
    }

    @Test(arguments: ["br", "gzip"])
    func `A coding requested by the caller is not decoded`(coding: String) throws {
        #expect(try Self.respond(coding, [1, 2, 3], asking: coding).get().body == Data([1, 2, 3]))
    }

    @Test func `A range of compressed bytes is not decoded`() throws {
        let part = Array(compressed("hello".utf8).prefix(7))
        let transport = ScriptedTransport({ $0.answer(206, ["Content-Encoding": "gzip"], part) })
        let request = try request(headers: ["Range": "bytes=0-6"], over: transport)
        #expect(try outcome(of: request).get().body == Data(part))
    }

    @Test func `A body above the compression ratio is an error`() throws {
        let bomb = compressed([UInt8](repeating: 0, count: 8 << 20))
        let error = try Self.respond("gzip", bomb, limits: ResponseLimits(compressionRatio: 100)).failure
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.cause.contains("ResponseLimits.compressionRatio of 100") == true)
        let small = compressed([UInt8](repeating: 0, count: 1 << 20))
        #expect(
            try Self.respond("gzip", small, limits: ResponseLimits(compressionRatio: 2)).get().body.count == 1 << 20)
    }

    @Test func `The memory limit applies to decompressed bytes`() throws {
        let body = compressed([UInt8](repeating: 0, count: 100_000))
        #expect(body.count < 1000)
        let error = try Self.respond("gzip", body, limits: ResponseLimits(bodyInMemory: 99_999)).failure
        #expect(error?.kind == .responseTooLarge)
        #expect(
            try Self.respond("gzip", body, limits: ResponseLimits(bodyInMemory: 100_000)).get().body.count == 100_000)
    }
}
