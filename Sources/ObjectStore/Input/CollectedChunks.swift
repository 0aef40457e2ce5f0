import ObjectMapping
import MappingSystemCalls

/// A temporary file with the chunks of a payload.
final class CollectedChunks {
    let url = FileManager.default.temporaryDirectory.appending(path: "MappingKit-\(UUID().uuidString)")
    private let descriptor: Int32

    /// Creates the file, which is readable only by the current user.
    init() throws(StreamFileError) {
        descriptor = FileSystem.open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600)
        guard descriptor >= 0 else { throw error() }
    }

    deinit {
        guard descriptor >= 0 else { return }
        _ = close(descriptor)
        FileSystem.remove(url.path)
    }

    /// Appends a chunk.
    func append(_ chunk: some ContiguousBytes) throws(StreamFileError) {
        let isWritten = chunk.withView { bytes in
            bytes.withRawSpan { FileSystem.writeAll(descriptor, $0) }
        }
        guard isWritten else { throw error() }
    }

    private func error() -> StreamFileError { StreamFileError(url: url, cause: FileSystem.message(errno)) }
}
