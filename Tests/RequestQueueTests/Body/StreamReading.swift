import Foundation
import RequestQueue
import MappingSystemCalls
import Testing

/// Reads a stream to its end with buffers of one size.
func bytes(of stream: any BodyStream, readSize: Int = 4096) async throws -> Data {
    var result = Data()
    while let piece = try await nextBytes(of: stream, readSize: readSize) { result += piece }
    return result
}

/// Reads once, after waiting for a stream without bytes; nil at the end.
func nextBytes(of stream: any BodyStream, readSize: Int) async throws -> Data? {
    while true {
        let (read, piece) = try readOnce(stream, readSize: readSize)
        switch read {
        case .bytes: return piece
        case .end: return nil
        case .wait:
            await withCheckedContinuation { continuation in stream.whenReadable { continuation.resume() } }
        }
    }
}

/// Reads once, without waiting, and checks that nothing is written after the reported bytes.
func readOnce(_ stream: any BodyStream, readSize: Int) throws -> (BodyRead, Data) {
    let mark = [UInt8](0xA1...0xA8)
    var buffer = [UInt8](repeating: 0, count: readSize) + mark
    let read = try buffer.withMutableRawSpan { buffer in
        var room = buffer._mutatingExtracting(first: readSize)
        return try stream.read(into: &room)
    }
    guard case .bytes(let count) = read else { return (read, Data()) }
    // An expectation costs more than a byte.
    let isSound = (1...readSize).contains(count) && buffer[readSize...].elementsEqual(mark)
    if !isSound { Issue.record("\(count) bytes were read into a buffer of \(readSize)") }
    return (read, Data(buffer[..<count]))
}

extension RandomNumberGenerator {
    /// Random bytes.
    mutating func data(count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }) }
}

/// A stream that returns prepared results in order, and then its end.
final class ScriptedStream: BodyStream {
    enum Answer {
        case bytes(String)
        case wait
        case claim(Int)
        case failure(any Error)
    }

    private var answers: [Answer]

    init(_ answers: [Answer]) { self.answers = answers }

    func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        guard !answers.isEmpty else { return .end }
        switch answers.removeFirst() {
        case .bytes(let text):
            let count = min(buffer.byteCount, text.utf8.count)
            buffer.copy(Data(text.utf8.prefix(count)).bytes)
            if count < text.utf8.count { answers.insert(.bytes(String(text.dropFirst(count))), at: 0) }
            return .bytes(count)
        case .wait: return .wait
        case .claim(let count): return .bytes(count)
        case .failure(let error): throw error
        }
    }
}

/// An error that is not a `RequestError`.
struct Mishap: Error {}
