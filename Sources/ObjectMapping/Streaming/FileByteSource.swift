/// The bytes of a file, which is closed with the last reference.
final class FileByteSource: ByteSource {
    private let url: URL
    private let descriptor: Int32

    init(_ url: URL) throws(StreamFileError) {
        self.url = url
        guard url.isFileURL else { throw StreamFileError(url: url, cause: "the URL is not that of a file") }
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

/// `read`, which has the name of a method that calls it.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
