/// Reads a file of a body from its beginning to its end; it may block.
///
/// The file is opened when the first byte is asked for. It must be the file it was when the body was made, then and
/// when its last byte was read.
final class FileReader {
    private let file: FileIdentity
    private var descriptor: Int32 = -1
    private var position: Int64 = 0
    private var isAtEnd = false

    init(_ file: FileIdentity) { self.file = file }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes that are not read yet; with 0 only the end is to be checked.
    var bytesLeft: Int64 { file.size - position }

    /// Reads the next bytes; 0 at the end, if the file is unchanged.
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
                .bodyChanged, "the file '\(printable(file.path))' ended after \(position) of \(file.size) bytes")
        }
        position += Int64(read)
        return read
    }

    /// Files that a system makes up, as those of `/proc`, have bytes behind the size they tell.
    private func checkEnd() throws(RequestError) {
        try file.check(descriptor)
        var byte: [UInt8] = [0]
        let count = try byte.withMutableRawSpan { bytes throws(RequestError) in try read(into: &bytes, at: position) }
        guard count == 0 else {
            throw RequestError(
                .bodyChanged, "the file '\(printable(file.path))' has more than the \(file.size) bytes that it tells of"
            )
        }
        isAtEnd = true
        close(descriptor)
        descriptor = -1
    }

    private func read(into buffer: inout MutableRawSpan, at offset: Int64) throws(RequestError) -> Int {
        while true {
            let count = FileSystem.read(descriptor, into: &buffer, at: offset)
            guard count < 0 else { return count }
            let code = errno
            guard code == EINTR else { throw FileIdentity.unreadable(file.path, code) }
        }
    }
}
