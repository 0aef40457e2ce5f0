import Foundation
import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite("Multipart bodies")
struct MultipartStreamTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: [1, 2, 3, 7, 4096, 256 << 10])
    func `Random forms are sent byte for byte and as long as declared, with any read size`(readSize: Int) async throws {
        var generator = SeededGenerator(seed: readSize)
        for round in 0..<(readSize < 8 ? 4 : 20) {
            let boundary = Boundary.random()
            let params = Params(makeBoundary: { boundary })
            var expected = Data()
            for index in 0..<Int.random(in: 0...6, using: &generator) {
                let name = ["a", "b\"c", "ä\r\nö", ""].randomElement(using: &generator) ?? ""
                let content = generator.data(
                    count: [0, 1, 2, 17, 4095, 4096, 9000].randomElement(using: &generator) ?? 0)
                var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
                switch Int.random(in: 0...3, using: &generator) {
                case 0:
                    let file = try folder.write(content, to: "\(round)-\(index).png")
                    try params.set(file: file, for: name)
                    head += "; filename=\"\(round)-\(index).png\"\r\nContent-Type: image/png"
                case 1: params.set(data: content, for: name)
                case 2:
                    params.set(data: content, fileName: "x\"y", mimeType: "text/plain; charset=utf-8", for: name)
                    head += "; filename=\"x%22y\"\r\nContent-Type: text/plain; charset=utf-8"
                default:
                    let stream = StreamBody(length: Int64(content.count), chunks: { Self.chunks(of: content) })
                    params.set(stream: stream, for: name)
                }
                expected += Data("\(head)\r\n\r\n".utf8) + content + Data("\r\n".utf8)
            }
            expected += Data("--\(boundary)--\r\n".utf8)
            let body = try RequestBody(params)
            #expect(body.length == Int64(expected.count))
            for _ in 1...2 { #expect(try await bytes(of: body.open(), readSize: readSize) == expected) }
        }
    }

    private static func quoted(_ text: String) -> String {
        [("\"", "%22"), ("\r", "%0D"), ("\n", "%0A")].reduce(text) { text, pair in
            // By scalars: to Swift CR and LF are one character.
            text.unicodeScalars.map { String($0) == pair.0 ? pair.1 : String($0) }.joined()
        }
    }

    private static func chunks(of data: Data) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: data.count, by: 1000) {
                continuation.yield(data[start..<min(start + 1000, data.count)])
            }
            continuation.finish()
        }
    }

    @Test func `The parts' progress follows the bytes that are sent`() async throws {
        let params = Params(makeBoundary: { "+B+" })
        params.set("abc", for: "text")
        try params.set(file: folder.write("0123456789", to: "f"), for: "file")
        params.set(stream: StreamBody { ScriptedStream([.bytes("stream")]) }, for: "stream")
        let body = try RequestBody(params)
        let stream = try body.open()
        func progress(_ bytes: Int) -> [[Int64?]] {
            stream.parts(whenSent: Int64(bytes)).map { [$0.bytesSent, $0.bytesExpected] }
        }
        #expect(stream.parts(whenSent: 0).map(\.name) == ["text", "file", "stream"])
        #expect(progress(0) == [[0, 3], [0, 10], [0, nil]])
        let sent = try await bytes(of: stream, readSize: 5)
        func place(_ text: String) throws -> Int {
            sent.distance(from: sent.startIndex, to: try #require(sent.range(of: Data(text.utf8))).lowerBound)
        }
        #expect(progress(try place("abc") - 1) == [[0, 3], [0, 10], [0, 6]])
        #expect(progress(try place("abc") + 1) == [[1, 3], [0, 10], [0, 6]])
        #expect(progress(try place("012")) == [[3, 3], [0, 10], [0, 6]])
        #expect(progress(try place("012") + 9) == [[3, 3], [9, 10], [0, 6]])
        #expect(progress(try place("\nstream\r") + 5) == [[3, 3], [10, 10], [4, 6]])
        #expect(progress(sent.count) == [[3, 3], [10, 10], [6, 6]])
    }

    @Test func `A form that fits into the buffer is read in one piece`() async throws {
        let params = Params()
        params.set("a", for: "one")
        params.set(stream: StreamBody(length: 1) { ScriptedStream([.bytes("c")]) }, for: "two")
        let body = try RequestBody(params)
        let stream = try body.open()
        #expect(try await nextBytes(of: stream, readSize: 256 << 10)?.count == body.length.map { Int($0) })
        #expect(try await nextBytes(of: stream, readSize: 256 << 10) == nil)
    }

    @Test func `The progress of the parts is available while the form is read`() async throws {
        let params = Params()
        for number in 0..<50 { params.set(data: Data(count: 1000), for: "\(number)") }
        let stream = try RequestBody(params).open()
        let size = try await bytes(of: RequestBody(params).open()).count
        struct Shared: @unchecked Sendable {  // the function is thread-safe
            let stream: any BodyStream
        }
        let shared = Shared(stream: stream)
        let isOver = Atomic(false)
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        Thread.detachNewThread {
            var isSound = true
            while !isOver.load(ordering: .relaxed) {
                let parts = shared.stream.parts(whenSent: Int64(size))
                isSound = isSound && parts.count == 50 && parts.allSatisfy { $0.bytesSent <= 1000 }
            }
            answer.yield(isSound)
        }
        while try await nextBytes(of: stream, readSize: 7) != nil {}
        isOver.store(true, ordering: .relaxed)
        #expect(await answers.first { _ in true } == true)
    }

    @Test func `Available bytes are sent while a part waits`() async throws {
        let (chunks, writer) = AsyncStream.makeStream(of: Data.self)
        let params = Params(makeBoundary: { "+B+" })
        params.set(stream: chunks, length: 4, for: "s")
        let body = try RequestBody(params)
        let stream = try body.open()
        let head = "--+B+\r\nContent-Disposition: form-data; name=\"s\"\r\n\r\n"
        #expect(try readOnce(stream, readSize: 4096) == (.bytes(head.utf8.count), Data(head.utf8)))
        #expect(try readOnce(stream, readSize: 4096).0 == .wait)
        writer.yield(Data("ab".utf8))
        #expect(try await nextBytes(of: stream, readSize: 4096) == Data("ab".utf8))
        #expect(try readOnce(stream, readSize: 4096).0 == .wait)
        writer.yield(Data("cd".utf8))
        writer.finish()
        #expect(try await bytes(of: stream) == Data("cd\r\n--+B+--\r\n".utf8))
        #expect(body.length == Int64(head.utf8.count + 4 + 11))
    }

    @Test(
        arguments: [
            (3, "attachment 'log' has more than the 3 bytes that were declared"),
            (5, "attachment 'log' ended unexpectedly after 4 of the 5 bytes that were declared"),
        ] as [(Int64, String)])
    func `The error for a part with another length than declared names it`(length: Int64, cause: String) async throws {
        let params = Params()
        params.set(stream: StreamBody(length: length) { ScriptedStream([.bytes("abcd")]) }, for: "log")
        let stream = try RequestBody(params).open()
        let error = try await #require(throws: TransportFailure.self) { try await bytes(of: stream) }
        #expect(error.kind == .bodyChanged)
        #expect(error.cause == cause)
    }

    @Test func `A form with a stream that can be read once can be sent once`() async throws {
        let params = Params()
        params.set(stream: Self.chunks(of: Data("once".utf8)), for: "log")
        let body = try RequestBody(params)
        #expect(String(decoding: try await bytes(of: body.open()), as: UTF8.self).contains("\r\n\r\nonce\r\n--"))
        let error = try #require(throws: RequestError.self) { _ = try body.open() }
        #expect(error.kind == .bodyNotRepeatable)
    }

    @Test(arguments: FileBodyTests.Change.allCases)
    func `A file that changes after it was set, or while it is sent, fails the form`(
        change: FileBodyTests.Change
    ) async throws {
        for isBegun in [false, true] {
            let file = try folder.write("abcdefghij", to: "\(isBegun).txt")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 5e8)], ofItemAtPath: file.path)
            let params = Params(makeBoundary: { "+B+" })
            try params.set(file: file, for: "film")
            let body = try RequestBody(params)
            let stream = try body.open()
            var sent = Data()
            while isBegun, !sent.suffix(3).elementsEqual("abc".utf8) {
                sent += try #require(try await nextBytes(of: stream, readSize: 1))
            }
            try change.make(file)
            let error = try await #require(throws: TransportFailure.self) {
                while let piece = try await nextBytes(of: stream, readSize: 4096) { sent += piece }
            }
            #expect(error.kind == .bodyChanged || error.kind == .bodyUnreadable)
            #expect(error.cause == change.cause(file.path, isBegun ? "while it was sent" : "before it was sent"))
            #expect(sent.count < body.length ?? 0)
        }
    }

    @Test func `Many parts and an enormous file are counted, not read`() throws {
        let file = folder.file("hole")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        #expect(truncate(file.path, 1 << 42) == 0)
        let params = Params(makeBoundary: { "+B+" })
        for _ in 0..<100 { try params.set(file: file, for: "f") }
        let head = "--+B+\r\nContent-Disposition: form-data; name=\"f\"; filename=\"hole\"\r\n"
        let part = head.utf8.count + "Content-Type: application/octet-stream\r\n\r\n".utf8.count + (1 << 42) + 2
        #expect(params.contentLength == Int64(100 * part + 9))
    }
}
