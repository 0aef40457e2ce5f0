import Dispatch
import Foundation
import RequestQueue
import Synchronization
import MappingSystemCalls
import TestSupport
import Testing

@Suite("Bodies of streams")
struct StreamBodyTests {
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func chunks() -> AsyncStream<Data> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: content.count, by: 7001) {
                continuation.yield(content[start..<min(start + 7001, content.count)])
                continuation.yield(Data())
            }
            continuation.finish()
        }
    }

    @Test(arguments: [1000, 7001, 4096, 256 << 10], [Int64(content.count), nil])
    func `An asynchronous sequence is sent completely, with a length and without`(readSize: Int, length: Int64?)
        async throws
    {
        let body = try RequestBody(StreamBody(length: length, chunks: Self.chunks))
        #expect(body.length == length)
        #expect(body.contentType == "application/octet-stream")
        for _ in 1...2 { #expect(try await bytes(of: body.open(), readSize: readSize) == Self.content) }
    }

    /// A body that is read from an input stream.
    private static func body(of input: sending InputStream) -> StreamBody {
        input.open()
        return StreamBody(contentType: "text/plain") { buffer in
            let count = buffer.withUnsafeMutableBytes { buffer in
                buffer.bindMemory(to: UInt8.self).baseAddress.map { input.read($0, maxLength: buffer.count) } ?? 0
            }
            if count < 0 { throw input.streamError ?? Mishap() }
            return count
        }
    }

    private static func body(of source: sending Source) -> StreamBody {
        StreamBody { buffer in try source.read(into: &buffer) ?? 0 }
    }

    @Test(arguments: [1000, 4096, 256 << 10])
    func `An input stream is sent completely`(readSize: Int) async throws {
        let body = try RequestBody(Self.body(of: InputStream(data: Self.content)))
        #expect(body.contentType == "text/plain")
        #expect(try await bytes(of: body.open(), readSize: readSize) == Self.content)
    }

    @Test func `A body that can be read once is sent once`() async throws {
        for stream in [StreamBody(Self.chunks()), Self.body(of: InputStream(data: Self.content))] {
            let body = try RequestBody(stream)
            #expect(try await bytes(of: body.open()) == Self.content)
            for again in [{ _ = try body.open() }, { _ = try RequestBody(stream) }] as [() throws -> Void] {
                let error = try #require(throws: RequestError.self) { try again() }
                #expect(error.kind == .bodyNotRepeatable)
                #expect(error.cause.hasPrefix("the stream of the body can be read only once"))
            }
        }
    }

    @Test func `A stream reports that it waits, and when it has bytes again`() async throws {
        let (chunks, writer) = AsyncStream.makeStream(of: Data.self)
        let stream = try RequestBody(StreamBody(chunks)).open()
        #expect(try readOnce(stream, readSize: 10).0 == .wait)
        for _ in 1...3 {
            writer.yield(Data("abc".utf8))
            #expect(try await nextBytes(of: stream, readSize: 10) == Data("abc".utf8))
            #expect(try readOnce(stream, readSize: 10).0 == .wait)
        }
        writer.finish()
        #expect(try await nextBytes(of: stream, readSize: 10) == nil)
        #expect(try readOnce(stream, readSize: 10).0 == .end)
    }

    @Test func `An error in a sequence is reported after the bytes before it`() async throws {
        let (chunks, writer) = AsyncThrowingStream.makeStream(of: Data.self)
        writer.yield(Data("abc".utf8))
        writer.finish(throwing: Mishap())
        let stream = try RequestBody(StreamBody(chunks)).open()
        #expect(try await nextBytes(of: stream, readSize: 10) == Data("abc".utf8))
        let error = try await #require(throws: RequestError.self) { try await nextBytes(of: stream, readSize: 10) }
        #expect(error.kind == .bodyUnreadable)
        #expect(error.cause == "the body stream failed: Mishap()")
    }

    @Test(
        arguments: [
            (nil, "the body stream failed: Mishap()"),
            (-1, "the closure that reads the body returned -1 bytes for a buffer of 65536"),
            (65_537, "the closure that reads the body returned 65537 bytes for a buffer of 65536"),
        ] as [(Int?, String)])
    func `An error of a function is reported after the bytes before it`(answer: Int?, cause: String) async throws {
        let source = Source(pieces: 2)
        let body = StreamBody { buffer in
            if let count = try source.read(into: &buffer) { return count }
            guard let answer else { throw Mishap() }
            return answer
        }
        let stream = try RequestBody(body).open()
        var count = 0
        let error = try await #require(throws: RequestError.self) {
            while let piece = try await nextBytes(of: stream, readSize: 4096) { count += piece.count }
        }
        #expect(error.kind == .bodyUnreadable)
        #expect(error.cause == cause)
        #expect(count == 2 * 1000)
    }

    @Test func `A blocking function delays no other request, and ends with the request`() async throws {
        let (ended, writer) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        do {
            let stream = try RequestBody(Self.body(of: Source(gate: gate, onEnd: { writer.yield() }))).open()
            #expect(try readOnce(stream, readSize: 10).0 == .wait)
            gate.signal()
            #expect(try await nextBytes(of: stream, readSize: 10)?.count == 10)
        }
        gate.signal()
        for await _ in ended { break }
    }

    @Test func `A function that waits for space ends with the request`() async throws {
        let (ended, writer) = AsyncStream.makeStream(of: Void.self)
        do {
            let stream = try RequestBody(Self.body(of: Source(onEnd: { writer.yield() }))).open()
            #expect(try await nextBytes(of: stream, readSize: 10)?.count == 10)
        }
        for await _ in ended { break }
    }

    @Test func `A sequence is cancelled when the request ends early`() async throws {
        let (ended, writer) = AsyncStream.makeStream(of: Bool.self)
        let chunks = AsyncStream<Data> { continuation in
            continuation.onTermination = { reason in
                if case .cancelled = reason { writer.yield(true) }
            }
            continuation.yield(Data("a".utf8))
        }
        do {
            let stream = try RequestBody(StreamBody(chunks)).open()
            #expect(try await nextBytes(of: stream, readSize: 10) == Data("a".utf8))
            #expect(try readOnce(stream, readSize: 10).0 == .wait)
        }
        var iterator = ended.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }

    @Test func `A sequence is read only as far as there is space`() async throws {
        let (asked, writer) = AsyncStream.makeStream(of: Int.self)
        let count = Mutex(0)
        let body = StreamBody(chunks: {
            AsyncStream<Data>(unfolding: {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                writer.yield(number)
                return number > 20 ? nil : Data(count: 64 << 10)
            })
        })
        let stream = try RequestBody(body).open()
        var iterator = asked.makeAsyncIterator()
        #expect(try await nextBytes(of: stream, readSize: 1)?.count == 1)
        // 256 KiB are four chunks, and one of which a byte is read; a sixth is requested only after the first is read.
        for number in 1...5 { #expect(await iterator.next() == number) }
        #expect(count.withLock { $0 } <= 5)
        #expect(try await bytes(of: stream, readSize: 64 << 10).count == 20 * (64 << 10) - 1)
    }

    @Test func `A body that is never read calls no closure`() throws {
        let calls = Calls()
        let body = StreamBody { _ in
            calls.call()
            return 0
        }
        do { _ = try RequestBody(body).open() }
        #expect(calls.count == 0)
    }
}

/// Returns 1000 bytes at a time, endlessly or a number of times.
private final class Source {
    private var pieces: Int
    private let gate: DispatchSemaphore?
    private let onEnd: @Sendable () -> Void

    /// With a gate, it waits for a signal before each piece; it ends with its last reference.
    init(pieces: Int = .max, gate: DispatchSemaphore? = nil, onEnd: @escaping @Sendable () -> Void = {}) {
        self.pieces = pieces
        self.gate = gate
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func read(into buffer: inout MutableRawSpan) throws -> Int? {
        gate?.wait()
        guard pieces > 0 else { return nil }
        pieces -= 1
        buffer.copy(Data(repeating: 7, count: 1000).bytes)
        return 1000
    }
}
