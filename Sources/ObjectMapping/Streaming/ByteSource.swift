/// Where the bytes of a text come from, in order.
package protocol ByteSource {
    /// Reads at most `count` bytes into memory, and returns how many there were: 0 only at the end.
    mutating func read(into memory: Ref<UInt8>, count: Int) throws -> Int
}

/// Bytes in memory.
package struct MemoryByteSource<Text: ContiguousBytes>: ByteSource {
    private let bytes: Text
    private var offset = 0

    package init(_ bytes: Text) { self.bytes = bytes }

    package mutating func read(into memory: Ref<UInt8>, count: Int) throws -> Int {
        try Task.checkCancellation()
        let start = offset
        let readCount = bytes.withView { bytes in
            let part = bytes.dropFirst(start).prefix(count)
            if let first = Bytes(part) { memory.initialize(from: first, count: part.count) }
            return part.count
        }
        offset += readCount
        return readCount
    }
}

/// The bytes of a file, which is closed with the last reference.
final class FileByteSource: ByteSource {
    private let url: URL
    private let file: FileDescriptor

    init(_ url: URL) throws(StreamFileError) {
        guard url.isFileURL else { throw StreamFileError(url: url, cause: "the URL is not a file URL") }
        self.url = url
        do throws(SystemError) {
            file = try FileDescriptor(path: url.path)
        } catch {
            throw StreamFileError(url: url, cause: "\(error)")
        }
    }

    func read(into memory: Ref<UInt8>, count: Int) throws -> Int {
        while true {
            try Task.checkCancellation()
            do throws(SystemError) {
                return try file.read(into: memory, count: count)
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

    init(url: URL, cause: String) {
        self.url = url
        self.cause = cause
    }

    /// The file and the cause.
    public var description: String { "\(url.isFileURL ? url.path : url.absoluteString): \(cause)" }
}
