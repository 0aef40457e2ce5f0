/// A body that is read from a file straight into the buffer it is sent from.
///
/// The file is opened when the first byte is asked for. It must be the file it was when the body was made, then and
/// when its last byte was read.
package final class FileStream: BodyStream {
    private let file: FileIdentity
    private var descriptor: Int32 = -1
    private var position: Int64 = 0
    private var isAtEnd = false

    package init(_ file: FileIdentity) { self.file = file }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
        guard !isAtEnd, !buffer.isEmpty else { return .end }
        if descriptor < 0 { descriptor = try file.reopen() }
        let count = Int(min(Int64(buffer.count), file.size - position))
        guard count > 0 else {
            try file.check(descriptor)
            isAtEnd = true
            close(descriptor)
            descriptor = -1
            return .end
        }
        while true {
            let read = pread(descriptor, buffer.baseAddress, count, off_t(position))
            if read > 0 {
                position += Int64(read)
                return .bytes(read)
            }
            let code = errno
            if read == 0 {
                try file.check(descriptor)
                throw RequestError(
                    .bodyChanged, "the file '\(printable(file.path))' ended after \(position) of \(file.size) bytes")
            }
            guard code == EINTR else { throw FileIdentity.unreadable(file.path, code) }
        }
    }
}
