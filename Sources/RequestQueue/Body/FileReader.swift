/// Reads the file of a body from start to end; it can block.
///
/// The file is opened at the first read. It is compared with the identity of the body then, and again after the last
/// byte. `@unchecked`: one thread at a time uses it.
final class FileReader: @unchecked Sendable {
    private let file: FileIdentity
    private var descriptor: Int32 = -1
    private var position: Int64 = 0
    /// Whether the end of the unchanged file was read.
    private(set) var isAtEnd = false
    /// Whether bytes that the system has in memory can be read without waiting for the disk.
    private(set) var readsCachedBytes: Bool

    init(_ file: FileIdentity) {
        self.file = file
        #if CURL
            readsCachedBytes = true
        #else
            readsCachedBytes = false
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The number of bytes that were not read; at 0, only the end has to be checked.
    private var bytesLeft: Int64 { file.size - position }

    /// Writes the next bytes to a pipe, and ends it; blocks.
    ///
    /// All bytes are written if cached ones cannot be read.
    func pump(into pipe: BodyPipe) {
        var hasRead = false
        pipe.fill(chunkSize: Int(min(max(file.size, 1), 128 << 10))) { buffer in
            defer { hasRead = true }
            return hasRead && readsCachedBytes ? 0 : try read(into: &buffer)
        }
    }

    /// Reads the next bytes; returns 0 at the end of an unchanged file.
    func read(into buffer: inout MutableRawSpan) throws(RequestError) -> Int {
        guard !isAtEnd, !buffer.isEmpty else { return 0 }
        if descriptor < 0 { descriptor = try file.reopen() }
        guard position < file.size else {
            try checkEnd()
            return 0
        }
        let count = Int(min(Int64(buffer.byteCount), file.size - position))
        var piece = buffer._mutatingExtracting(first: count)
        let read = try read(into: &piece, at: position)
        guard read > 0 else {
            try file.check(descriptor)
            throw RequestError(
                .bodyChanged,
                "the file '\(printable(file.path))' ended unexpectedly after \(position) of \(file.size) bytes")
        }
        position += Int64(read)
        return read
    }

    /// Reads the next bytes if the system has them in memory; returns 0 if `read` must be called, which can block.
    func readCached(into buffer: inout MutableRawSpan) -> Int {
        guard readsCachedBytes, descriptor >= 0, bytesLeft > 0, !buffer.isEmpty else { return 0 }
        #if CURL
            var piece = buffer._mutatingExtracting(first: Int(min(Int64(buffer.byteCount), bytesLeft)))
            let count = readCachedBytes(descriptor, into: &piece, at: position)
            // Some file systems always wait.
            if count < 0, errno != EAGAIN, errno != EINTR { readsCachedBytes = false }
            guard count > 0 else { return 0 }
            position += Int64(count)
            return count
        #else
            return 0
        #endif
    }

    /// Verifies the end of the file; generated files, such as those in `/proc`, can be longer than their size.
    private func checkEnd() throws(RequestError) {
        try file.check(descriptor)
        var byte: [UInt8] = [0]
        let count = try byte.withMutableRawSpan { bytes throws(RequestError) in try read(into: &bytes, at: position) }
        guard count == 0 else {
            throw RequestError(
                .bodyChanged,
                "the file '\(printable(file.path))' has more bytes than its reported size, \(file.size) bytes")
        }
        isAtEnd = true
        close(descriptor)
        descriptor = -1
    }

    private func read(into buffer: inout MutableRawSpan, at offset: Int64) throws(RequestError) -> Int {
        let count = FileSystem.uninterrupted { FileSystem.read(descriptor, into: &buffer, at: offset) }
        guard count >= 0 else { throw FileIdentity.unreadable(file.path, errno) }
        return count
    }
}
