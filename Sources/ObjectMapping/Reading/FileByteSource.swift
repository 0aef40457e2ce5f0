/// The bytes of a file.
package final class FileByteSource: ByteSource {
    private let path: String
    private let descriptor: Int32

    /// Opens a file to read it from its start.
    package convenience init(path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno, operation: "open") }
        self.init(descriptor: descriptor, path: path)
    }

    /// Reads an open file and closes it at the end of its life.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileError(path: path, code: errno, operation: "read") }
        }
    }
}
