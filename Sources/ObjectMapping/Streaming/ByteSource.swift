/// Where the bytes of a text come from, in order.
package protocol ByteSource {
    /// Reads some bytes, and returns how many: 0 only at the end.
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

    func read(into buffer: MutableByteView) throws -> Int {
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

    init(url: URL, cause: String) {
        self.url = url
        self.cause = cause
    }

    /// The file and the cause.
    public var description: String { "\(url.isFileURL ? url.path : url.absoluteString): \(cause)" }
}
