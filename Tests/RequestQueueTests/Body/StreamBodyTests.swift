import Dispatch
import Foundation
import RequestQueue
import Synchronization
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
    func `An asynchronous sequence is sent whole, with a length and without`(readSize: Int, length: Int64?) async throws
    {
        let body = try RequestBody(StreamBody(length: length, chunks: Self.chunks))
        #expect(body.length == length)
        #expect(body.contentType == "application/octet-stream")
        for _ in 1...2 { #expect(try await bytes(of: body.open(), readSize: readSize) == Self.content) }
    }

    @Test(arguments: [1000, 4096, 256 << 10])
    func `An input stream is sent whole`(readSize: Int) async throws {
        let body = try RequestBody(StreamBody(InputStream(data: Self.content), contentType: "text/plain"))
        #expect(body.contentType == "text/plain")
        #expect(try await bytes(of: body.open(), readSize: readSize) == Self.content)
    }

    @Test func `What can be read once is sent once`() async throws {
        for stream in [StreamBody(Self.chunks()), StreamBody(InputStream(data: Self.content))] {
            let body = try RequestBody(stream)
            #expect(try await bytes(of: body.open()) == Self.content)
            for again in [{ _ = try body.open() }, { _ = try RequestBody(stream) }] as [() throws -> Void] {
                let error = try #require(throws: RequestError.self) { try again() }
                #expect(error.kind == .bodyNotRepeatable)
                #expect(error.cause.hasPrefix("the body's stream was read before"))
            }
        }
    }

    @Test func `A stream that waits says so, and tells when it has bytes again`() async throws {
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

    @Test func `An error in the middle of a sequence comes after the bytes before it`() async throws {
        let (chunks, writer) = AsyncThrowingStream.makeStream(of: Data.self)
        writer.yield(Data("abc".utf8))
        writer.finish(throwing: Mishap())
        let stream = try RequestBody(StreamBody(chunks)).open()
        #expect(try await nextBytes(of: stream, readSize: 10) == Data("abc".utf8))
        let error = try await #require(throws: RequestError.self) { try await nextBytes(of: stream, readSize: 10) }
        #expect(error.kind == .bodyUnreadable)
        #expect(error.cause == "the stream of the body failed: Mishap()")
    }

    @Test func `An input stream that fails says why`() async throws {
        let folder = try TemporaryDirectory()
        let missing = try #require(InputStream(url: folder.file("missing")))
        let body = try RequestBody(StreamBody(missing)).open()
        let error = try await #require(throws: RequestError.self) { try await bytes(of: body) }
        #expect(error.kind == .bodyUnreadable)
        #expect(error.cause.hasPrefix("the input stream of the body cannot be read: "))

        let broken = try RequestBody(StreamBody(EndlessInput(failsAfter: 2))).open()
        var count = 0
        await #expect(throws: RequestError.self) {
            while let piece = try await nextBytes(of: broken, readSize: 4096) { count += piece.count }
        }
        #expect(count == 2 * 1000)
    }

    @Test func `An input stream that blocks keeps nobody waiting, and is closed when the request ends early`()
        async throws
    {
        let (events, writer) = AsyncStream.makeStream(of: EndlessInput.Event.self)
        let gate = DispatchSemaphore(value: 0)
        do {
            let stream = try RequestBody(StreamBody(EndlessInput(gate: gate) { writer.yield($0) })).open()
            #expect(try readOnce(stream, readSize: 10).0 == .wait)
            gate.signal()
            #expect(try await nextBytes(of: stream, readSize: 10)?.count == 10)
        }
        gate.signal()
        var iterator = events.makeAsyncIterator()
        for expected in [.opened, .closed] as [EndlessInput.Event] { #expect(await iterator.next() == expected) }
    }

    @Test func `An input stream that gives more than there is room for is closed when the request ends early`()
        async throws
    {
        let (events, writer) = AsyncStream.makeStream(of: EndlessInput.Event.self)
        do {
            let stream = try RequestBody(StreamBody(EndlessInput { writer.yield($0) })).open()
            #expect(try await nextBytes(of: stream, readSize: 10)?.count == 10)
        }
        var iterator = events.makeAsyncIterator()
        for expected in [.opened, .closed] as [EndlessInput.Event] { #expect(await iterator.next() == expected) }
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

    @Test func `A sequence is asked for no more than there is room for`() async throws {
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
        // 256 KiB are four chunks, and one of which a byte is read; a sixth is asked for only when the first is gone.
        for number in 1...5 { #expect(await iterator.next() == number) }
        #expect(count.withLock { $0 } <= 5)
        #expect(try await bytes(of: stream, readSize: 64 << 10).count == 20 * (64 << 10) - 1)
    }

    @Test func `A body that is never read touches nothing`() throws {
        let calls = Calls()
        do { _ = try RequestBody(StreamBody(EndlessInput { _ in calls.call() })).open() }
        #expect(calls.count == 0)
    }
}

/// An input stream that gives 1000 bytes at a time, for ever or until it fails.
private final class EndlessInput: InputStream {
    enum Event { case opened, closed }

    private var piecesLeft: Int
    private let gate: DispatchSemaphore?
    private let tell: @Sendable (Event) -> Void

    /// With a gate it waits for a signal before each read.
    init(
        failsAfter pieces: Int = .max, gate: DispatchSemaphore? = nil,
        tell: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        piecesLeft = pieces
        self.gate = gate
        self.tell = tell
        super.init(data: Data())
    }

    override func open() { tell(.opened) }
    override func close() { tell(.closed) }
    override var streamError: (any Error)? { Mishap() }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        gate?.wait()
        guard piecesLeft > 0 else { return -1 }
        piecesLeft -= 1
        let count = min(1000, length)
        buffer.update(repeating: 7, count: count)
        return count
    }
}
