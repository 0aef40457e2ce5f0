import Testing

@testable import RequestQueue

@Suite("Lengths and limits of a response body")
struct ResponseBodyRulesTests {
    private static func respond(
        _ headers: HTTPHeaders, _ body: String, method: HTTPMethod = .get, status: Int = 200,
        limits: ResponseLimits = ResponseLimits(), isDecoded: Bool = false
    ) throws -> Result<RESTResponse, RequestError> {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.receive(status, headers, isDecoded: isDecoded)
            for byte in body.utf8 { call.receive([byte]) }
            call.finish()
        })
        var request = try request(method, over: transport)
        request.limits = limits
        return try outcome(of: request)
    }

    @Test(arguments: [
        ("3", RequestError.Kind.truncatedResponse), ("1", .malformedResponse), ("-1", .malformedResponse),
        ("2, 3", .malformedResponse), ("", .malformedResponse), ("0x2", .malformedResponse), ("+2", .malformedResponse),
        ("99999999999999999999", .malformedResponse), ("2,", .malformedResponse),
    ])
    func `A body with another length than declared is an error`(length: String, kind: RequestError.Kind) throws {
        let error = try Self.respond([("Content-Length", length)].headers, "ab").failure
        #expect(error?.kind == kind)
    }

    @Test(arguments: [["2"], ["2", "2"], ["2, 2"], [" 2\t"], []])
    func `A body with the declared length is a response`(lengths: [String]) throws {
        let headers = lengths.map { ("Content-Length", $0) }.headers
        #expect(try Self.respond(headers, "ab").get().body == Data("ab".utf8))
    }

    @Test func `Two different content lengths are an error`() throws {
        let headers = [("Content-Length", "2"), ("content-length", "3")].headers
        let error = try Self.respond(headers, "ab").failure
        #expect(error?.cause == "conflicting values of Content-Length")
    }

    @Test func `The error for a truncated body contains both lengths`() throws {
        let error = try Self.respond(["Content-Length": "10"], "abc").failure
        #expect(error?.cause == "the response declared 10 bytes and ended after 3")
        #expect(error?.bytesReceived == 3)
    }

    @Test func `Chunked encoding takes precedence over a content length`() throws {
        let headers: HTTPHeaders = ["Content-Length": "7", "Transfer-Encoding": "chunked"]
        #expect(try Self.respond(headers, "ab").get().body == Data("ab".utf8))
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("POST", 101)])
    func `Responses without a body ignore their content length`(method: String, status: Int) throws {
        let headers: HTTPHeaders = ["Content-Length": "7", "Content-Encoding": "br"]
        let response = try Self.respond(
            headers, "junk", method: HTTPMethod(rawValue: method), status: status
        ).get()
        #expect(response.body.isEmpty)
        #expect(response.headers["Content-Length"] == "7")
    }

    @Test func `A body above the memory limit is an error`() throws {
        let limits = ResponseLimits(bodyInMemory: 3)
        #expect(try Self.respond([:], "abc", limits: limits).get().body.count == 3)
        let error = try #require(try Self.respond([:], "abcd", limits: limits).failure)
        #expect(error.kind == .responseTooLarge)
        #expect(
            error.cause == "the response has more than 3 bytes; ResponseLimits.bodyInMemory allows 3: "
                + "download or stream it, or raise the limit")
        #expect(error.bytesReceived == 4)
    }

    @Test func `A declared length above the limit fails immediately`() throws {
        let error = try Self.respond(["Content-Length": "4"], "abcd", limits: ResponseLimits(bodyInMemory: 3)).failure
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.bytesReceived == 0)
    }

    @Test func `The length of a body decoded by the transport is not checked`() throws {
        let headers: HTTPHeaders = ["Content-Length": "2", "Content-Encoding": "gzip"]
        #expect(try Self.respond(headers, "decoded", isDecoded: true).get().body == Data("decoded".utf8))
    }
}

extension [(String, String)] {
    fileprivate var headers: HTTPHeaders { reduce(into: HTTPHeaders()) { $0.add($1.1, for: $1.0) } }
}
