/// Where the bytes of a text come from, in order.
package protocol ByteSource {
    /// Reads some bytes; 0 only at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Bytes in memory.
package struct MemoryByteSource<Bytes: ContiguousBytes>: ByteSource {
    private let bytes: Bytes
    private var offset = 0

    package init(_ bytes: Bytes) { self.bytes = bytes }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try Task.checkCancellation()
        let start = offset
        let count = bytes.withUnsafeBytes { bytes in
            let count = min(buffer.count, bytes.count - start)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            return count
        }
        offset += count
        return count
    }
}

/// The bytes of a file, which is closed with the last reference.
final class FileByteSource: ByteSource {
    private let url: URL
    private let descriptor: Int32

    init(_ url: URL) throws(StreamFileError) {
        self.url = url
        guard url.isFileURL else { throw StreamFileError(url: url, cause: "the URL is not a file URL") }
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StreamFileError(url: url, code: errno) }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            try Task.checkCancellation()
            let count = systemRead(descriptor, buffer)
            if count >= 0 { return count }
            guard errno == EINTR else { throw StreamFileError(url: url, code: errno) }
        }
    }
}

/// `read`, which a method that calls it hides by its name.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
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

    /// The cause that belongs to an error number of the system.
    init(url: URL, code: Int32) {
        self.init(url: url, cause: strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }

    /// The file and the cause.
    public var description: String { "\(url.isFileURL ? url.path : url.absoluteString): \(cause)" }
}
