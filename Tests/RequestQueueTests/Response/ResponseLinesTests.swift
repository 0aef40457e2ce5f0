import MappingTestSupport
import Testing

@testable import RequestQueue

@Suite("Lines and server-sent events of a streamed body") struct ResponseLinesTests {
    private func stream(_ text: String, chunk: Int, limit: Int64 = 1 << 20) async throws -> RESTStream {
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(text: text).inChunks(of: chunk))
        var request = RESTRequest(url: URL(string: "http://stub/a"), transport: stub)
        request.limits.bodyInMemory = limit
        return try await request.stream()
    }

    @Test(arguments: [1, 2, 3, 100])
    func `Lines end with LF, CRLF or CR, for any pieces`(_ chunk: Int) async throws {
        let cases: [(String, [String])] = [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb", ["a", "b"]), ("\n\n", ["", ""]), ("\r\n\r\n", ["", ""]),
            ("a\rb\n\rc\r\n", ["a", "b", "", "c"]), ("ä😀\nö", ["ä😀", "ö"]), ("a\r", ["a"]),
        ]
        for (text, expected) in cases {
            var lines: [String] = []
            for try await line in try await stream(text, chunk: chunk).lines { lines.append(line) }
            #expect(lines == expected, "\(text.debugDescription)")
        }
    }

    @Test func `A line that exceeds the limit is an error, after the lines before it`() async throws {
        var lines = try await stream("short\n" + String(repeating: "x", count: 50), chunk: 8, limit: 20).lines
            .makeAsyncIterator()
        #expect(try await lines.next() == "short")
        do {
            _ = try await lines.next()
            Issue.record("a line of 50 bytes was accepted")
        } catch {
            #expect(error.kind == .responseTooLarge)
            #expect(error.cause == "a line is longer than 20 bytes; ResponseLimits.bodyInMemory is the limit")
        }
    }

    @Test func `An event that exceeds the limit is an error, after the events before it`() async throws {
        let text = "data: 123\ndata: 456\n\n" + String(repeating: "data: 1234\n", count: 5) + "\n"
        var events = try await stream(text, chunk: 8, limit: 20).serverSentEvents.makeAsyncIterator()
        #expect(try await events.next()?.data == "123\n456")
        do {
            _ = try await events.next()
            Issue.record("an event of 25 bytes was accepted")
        } catch {
            #expect(error.kind == .responseTooLarge)
            #expect(error.cause == "an event is longer than 20 bytes; ResponseLimits.bodyInMemory is the limit")
        }
    }

    @Test(arguments: [1, 7, 1000])
    func `Server-sent events are parsed according to the standard`(_ chunk: Int) async throws {
        let text = """
            \u{FEFF}: a comment
            data: one

            event: add
            data: first
            data
            data:  indented
            id: 7

            event: ignored, for it has no data

            retry: 1500
            retry: soon
            data:\u{301}
            unknown: field

            data: cut off
            """
        var events: [ServerSentEvent] = []
        for try await event in try await stream(text, chunk: chunk).serverSentEvents { events.append(event) }
        #expect(
            events == [
                ServerSentEvent(data: "one"), ServerSentEvent(type: "add", data: "first\n\n indented", id: "7"),
                ServerSentEvent(data: "\u{301}", id: "7", retry: .milliseconds(1500)),
            ])
    }

    @Test func `A truncated stream is an error after its events`() async throws {
        let stub = StubTransport()
        stub.on(
            .get, "/a",
            StubResponse(text: "data: one\n\ndata: two\n\n").failing(
                with: TransportFailure(.connectionLost, "reset"), afterBytes: 14))
        let request = RESTRequest(url: URL(string: "http://stub/a"), transport: stub)
        var events = try await request.stream().serverSentEvents.makeAsyncIterator()
        #expect(try await events.next()?.data == "one")
        let error = await #expect(throws: RequestError.self) { try await events.next() }
        #expect(error?.kind == .connectionLost)
    }
}
