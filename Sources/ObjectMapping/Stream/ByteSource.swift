/// The source of a text's bytes, in order.
package protocol ByteSource {
    /// Reads some bytes, and returns their number: 0 only at the end.
    mutating func read(into buffer: MutableByteView) throws -> Int
}

/// Bytes in memory.
package struct MemoryByteSource<Bytes: ContiguousBytes>: ByteSource {
    private let bytes: Bytes
    private var offset = 0

    package init(_ bytes: Bytes) { self.bytes = bytes }

    package mutating func read(into buffer: MutableByteView) throws -> Int {
        try Task.checkCancellation()
        let start = offset
        let count = bytes.withView { buffer.copy($0.dropFirst(start)) }
        offset += count
        return count
    }
}

/// The bytes of a file, which is closed with the last reference.
package final class FileByteSource: ByteSource {
    private let url: URL
    private let file: FileDescriptor

    package init(_ url: URL) throws(StreamFileError) {
        guard url.isFileURL else { throw StreamFileError(url: url, cause: "the URL is not a file URL") }
        self.url = url
        do throws(SystemError) {
            file = try FileDescriptor(path: url.path)
        } catch {
            throw StreamFileError(url: url, cause: "\(error)")
        }
    }

    package func read(into buffer: MutableByteView) throws -> Int {
        while true {
            try Task.checkCancellation()
            do throws(SystemError) {
                return try file.read(into: buffer)
            } catch {
                guard error.code == EINTR else { throw StreamFileError(url: url, cause: "\(error)") }
            }
        }
    }
}

/// The reason why a file cannot be streamed.
public struct StreamFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let url: URL
    /// The cause, such as "No such file or directory".
    public let cause: String

    package init(url: URL, cause: String) {
        self.url = url
        self.cause = cause
    }

    /// The file and the cause.
    public var description: String { "\(url.isFileURL ? url.path : url.absoluteString): \(cause)" }
}

/// The chunks of a text from any sequence, and the current chunk.
class ChunkSource {
    private var chunk: any ContiguousBytes = [UInt8]()
    private var takenCount = 0
    private var count = 0

    /// Waits for the next chunk; returns `nil` at the end.
    func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? { nil }

    /// Waits for a chunk, unless a part of the current one is left; returns false at the end.
    final func wait(isolation actor: isolated (any Actor)?) async throws -> Bool {
        while takenCount == count {
            let next = try await next(isolation: actor)
            // Many sequences end when their task is cancelled: that is not the end of the text.
            try Task.checkCancellation()
            guard let next else { return false }
            (chunk, takenCount, count) = (next, 0, next.withView { $0.count })
        }
        return true
    }

    /// Calls a closure with the rest of the chunk; it returns the number of bytes that it has read.
    final func take(_ body: (ByteView) throws -> Int) rethrows {
        takenCount += try chunk.withView { try body($0.dropFirst(takenCount)) }
    }
}

/// The chunks of a sequence of chunks.
final class SequenceOfChunks<Base: AsyncSequence>: ChunkSource where Base.Element: ContiguousBytes {
    private var iterator: Base.AsyncIterator

    init(_ base: Base) { iterator = base.makeAsyncIterator() }

    override func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? {
        try await iterator.next(isolation: actor)
    }
}

/// The bytes of a sequence of single bytes, collected up to a byte that can end a value.
final class SequenceOfBytes<Base: AsyncSequence>: ChunkSource where Base.Element == UInt8 {
    private static var largestChunk: Int { 4096 }

    private var iterator: Base.AsyncIterator

    init(_ base: Base) { iterator = base.makeAsyncIterator() }

    override func next(isolation actor: isolated (any Actor)?) async throws -> (any ContiguousBytes)? {
        var bytes: [UInt8] = []
        while bytes.count < Self.largestChunk, let byte = try await iterator.next(isolation: actor) {
            bytes.append(byte)
            // A complete element must not wait for the bytes after it.
            if byte == .closeBrace || byte == .closeBracket || byte == .comma || byte == 0x0A { break }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
