import Dispatch
import Synchronization

/// A body that is read from a file while it is sent.
///
/// The file must not change until it is sent: if it is changed, replaced or deleted, the request fails with an error of
/// kind `bodyChanged` or `bodyUnreadable` that contains the path.
public struct FileBody: RequestSerializable, Sendable {
    /// The `Content-Type`.
    public var contentType: String
    private let file: FileIdentity

    /// Creates a body from the current state of a file.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - contentType: The `Content-Type`. Defaults to the type for the file name, or to `application/octet-stream` if
    ///     its extension is unknown.
    /// - Throws: An error of kind `bodyUnreadable` if the file does not exist, is not readable, or is not a regular
    ///   file.
    public init(_ url: URL, contentType: String? = nil) throws(RequestError) {
        file = try FileIdentity(of: url)
        self.contentType = contentType ?? MIMETypes.shared[fileName: url.lastPathComponent]
    }

    /// The size of the file.
    public var contentLength: Int64? { file.size }

    /// Returns a stream that opens the file at the first read.
    public func makeBodyStream() throws -> (any BodyStream)? { FileStream(file) }
}

/// A body that is read from a file on a separate thread, so that a slow disk does not delay other requests; bytes that
/// the system has in memory are read at once.
///
/// `@unchecked`: the state is protected by a lock, and so is the reader while the serial queue does not read.
package final class FileStream: BodyStream, @unchecked Sendable {
    private struct State {
        /// The bytes that are being copied to the transport, with the offset of the next byte and their count.
        var chunk = Data()
        var offset = 0
        var count = 0
        /// The result of the next read; a count of 0 at the end.
        var next: Result<(chunk: Data, count: Int), RequestError>?
        /// The buffer of the next read, allocated by the sending thread: allocators keep memory for each thread.
        var buffer = Data()
        var isReading = false
        /// Whether all bytes were read; the end is checked only after they are sent.
        var isCompletelyRead = false
        var isAtEnd = false
        var resume: (@Sendable () -> Void)?

        /// Returns whether the caller has to start a read.
        mutating func beginReading(_ size: Int) -> Bool {
            guard !isReading, next == nil, !isAtEnd else { return false }
            isReading = true
            if buffer.isEmpty { buffer = Data(count: size) }
            return true
        }
    }

    private let reader: FileReader
    private let queue = DispatchQueue(label: "RequestQueue.FileStream")
    private let state = Mutex(State())
    private let chunkSize: Int

    package init(_ file: FileIdentity) {
        reader = FileReader(file)
        chunkSize = Int(min(max(file.size, 1), 128 << 10))
    }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        let (read, mustRead) = try state.withLock { state throws(RequestError) -> (BodyRead, Bool) in
            if state.offset == state.count, let next = state.next.take() {
                state.buffer = state.chunk
                (state.chunk, state.count) = try next.get()
                state.offset = 0
                state.isAtEnd = state.count == 0
            }
            if state.isAtEnd { return (.end, false) }
            if state.offset == state.count, !state.isReading {
                let count = reader.readCached(into: &buffer)
                if count > 0 { return (.bytes(count), false) }
            }
            let count = min(buffer.byteCount, state.count - state.offset)
            guard count > 0 else { return (.wait, state.beginReading(chunkSize)) }
            buffer.copy(state.chunk.bytes.extracting(state.offset..<state.offset + count))
            state.offset += count
            let readsAhead = !state.isReading && !reader.readsCachedBytes && !state.isCompletelyRead
            return (.bytes(count), readsAhead && state.beginReading(chunkSize))
        }
        if mustRead { queue.async { self.readChunk() } }
        return read
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) {
        let isReadable = state.withLock { state in
            guard state.isReading else { return true }
            state.resume = resume
            return false
        }
        if isReadable { resume() }
    }

    private func readChunk() {
        // Removed from the state, so that it has a single owner and is not copied.
        var chunk = state.withLock { state in
            defer { state.buffer = Data() }
            return state.buffer
        }
        let count = Result { () throws(RequestError) in
            var buffer = chunk.mutableBytes
            return try reader.read(into: &buffer)
        }
        let next = count.map { (chunk: chunk, count: $0) }
        let resume = state.withLock { state in
            (state.next, state.isReading, state.isCompletelyRead) = (next, false, reader.bytesLeft == 0)
            return state.resume.take()
        }
        resume?()
    }
}
