import Foundation
import RequestQueue
import Testing

@Suite("Bodies of requests")
struct RequestBodyTests {
    /// A custom body, with all results of the protocol set by the test.
    struct Custom: RequestSerializable, Sendable {
        var contentType = "text/plain"
        var contentLength: Int64?
        var stream: (@Sendable () throws -> (any BodyStream)?)?
        var data: Data?

        func makeBodyStream() throws -> (any BodyStream)? { try stream?() }
        func makeBodyData() throws -> Data? { data }
    }

    @Test func `If there is a stream, the data is not requested`() async throws {
        let body = try RequestBody(Custom(stream: { ScriptedStream([.bytes("stream")]) }, data: Data("data".utf8)))
        #expect(body.length == nil)
        #expect(body.contentType == "text/plain")
        #expect(try await bytes(of: body.open()) == Data("stream".utf8))
        #expect(try await bytes(of: body.open()) == Data("stream".utf8))
    }

    @Test func `Data has a length even if its type does not declare one`() async throws {
        let body = try RequestBody(Custom(data: Data("data".utf8)))
        #expect(body.length == 4)
        for _ in 1...2 { #expect(try await bytes(of: body.open(), readSize: 3) == Data("data".utf8)) }
    }

    @Test(arguments: [
        (Custom(), "the body is empty; set its stream or data"),
        (Custom(contentLength: 5, data: Data("data".utf8)), "the body has 4 bytes but declares 5"),
        (Custom(contentLength: -1, data: Data()), "the length -1 of the body is negative"),
        (Custom(contentType: "", data: Data()), "the content type '' is invalid; expected a type such as text/plain"),
        (
            Custom(contentType: "text", data: Data()),
            "the content type 'text' is invalid; expected a type such as text/plain"
        ),
        (
            Custom(contentType: "text/plain\r\nX-Evil: 1", data: Data()),
            "the content type 'text/plain\\r\\nX-Evil: 1' is invalid; expected a type such as text/plain"
        ),
        (
            Custom(contentType: "text/plä\u{0}in", data: Data()),
            "the content type 'text/plä\\0in' is invalid; expected a type such as text/plain"
        ),
    ])
    func `An invalid body is an error when the request is created`(body: Custom, cause: String) throws {
        let error = try #require(throws: RequestError.self) { try RequestBody(body) }
        #expect(error.kind == .invalidBody)
        #expect(error.cause == cause)
    }

    @Test func `An error of a stream's closure is a request error`() throws {
        let body = Custom(stream: { throw Mishap() })
        let error = try #require(throws: RequestError.self) { try RequestBody(body) }
        #expect(error.kind == .bodyUnreadable)
        #expect(error.cause == "the body cannot be read: Mishap()")
    }

    @Test func `A body with a single stream reports that it cannot be repeated`() async throws {
        let stream = SingleUse(ScriptedStream([.bytes("once")]))
        let body = try RequestBody(Custom(stream: { try stream.take() }))
        #expect(try await bytes(of: body.open()) == Data("once".utf8))
        let error = try #require(throws: RequestError.self) { _ = try body.open() }
        #expect(error.kind == .bodyNotRepeatable)
    }

    @Test func `Data and JSON have short forms as bodies`() async throws {
        func body(_ body: some RequestSerializable) throws -> RequestBody { try RequestBody(body) }
        let data = try body(.data(Data([1, 2])))
        #expect(data.contentType == "application/octet-stream")
        #expect(try await bytes(of: data.open()) == Data([1, 2]))
        let json = try body(.json(["a": [1, 2]]))
        #expect(json.contentType == "application/json")
        #expect(try await bytes(of: json.open()) == Data(#"{"a":[1,2]}"#.utf8))
        let error = try #require(throws: RequestError.self) { try body(.json(Double.nan)) }
        #expect(error.kind == .invalidBody)
        #expect(error.cause.hasPrefix("the value cannot be encoded as JSON: "))
    }

    @Test(arguments: [1, 2, 3, 7, 4096])
    func `A stream of declared length is sent completely`(readSize: Int) async throws {
        let answers: [ScriptedStream.Answer] = [.wait, .bytes("abc"), .wait, .bytes("de"), .wait]
        let stream = CheckedStream(ScriptedStream(answers), length: 5, subject: "the body")
        #expect(try await bytes(of: stream, readSize: readSize) == Data("abcde".utf8))
        #expect(try readOnce(stream, readSize: 0).0 == .end)
    }

    @Test func `The last byte waits for the stream's end`() throws {
        let stream = CheckedStream(ScriptedStream([.bytes("ab"), .wait, .wait]), length: 2, subject: "the body")
        #expect(try readOnce(stream, readSize: 8) == (.bytes(1), Data("a".utf8)))
        #expect(try readOnce(stream, readSize: 8).0 == .wait)
        #expect(try readOnce(stream, readSize: 8) == (.bytes(1), Data("b".utf8)))
        #expect(try readOnce(stream, readSize: 8).0 == .end)
    }

    @Test(
        arguments: [
            (6, [.bytes("abc")], .bodyChanged, "the body ended unexpectedly after 3 of the 6 bytes that were declared"),
            (2, [.bytes("abc")], .bodyChanged, "the body has more than the 2 bytes that were declared"),
            (0, [.bytes("abc")], .bodyChanged, "the body has more than the 0 bytes that were declared"),
            (nil, [.claim(0)], .bodyUnreadable, "the stream of the body returned 0 bytes for a buffer of 8"),
            (nil, [.claim(9)], .bodyUnreadable, "the stream of the body returned 9 bytes for a buffer of 8"),
            (6, [.bytes("abc"), .failure(Mishap())], .bodyUnreadable, "the body cannot be read: Mishap()"),
            (nil, [.failure(RequestError(.cancelled, "as it was"))], .cancelled, "as it was"),
        ] as [(Int64?, [ScriptedStream.Answer], RequestError.Kind, String)])
    func `A stream with another length than declared fails the request before the body is complete`(
        length: Int64?, answers: [ScriptedStream.Answer], kind: RequestError.Kind, cause: String
    ) async throws {
        let stream = CheckedStream(ScriptedStream(answers), length: length, subject: "the body")
        var sent = 0
        let error = try await #require(throws: TransportFailure.self) {
            while let piece = try await nextBytes(of: stream, readSize: 8) { sent += piece.count }
        }
        #expect(error.kind == kind)
        #expect(error.cause == cause)
        #expect(length == nil || sent < max(1, length ?? 0))
    }
}
