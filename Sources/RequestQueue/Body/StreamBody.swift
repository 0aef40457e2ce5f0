/// A body that is produced or read while it is sent, in constant memory.
///
/// It is created from an asynchronous sequence, a function that reads, or a custom ``BodyStream``.
///
/// ```swift
/// try await client.put("/log", StreamBody(lines, contentType: "text/plain"))
/// ```
///
/// With a length, it is sent with `Content-Length`, and fails with an error of kind `bodyChanged` if it has more or
/// fewer bytes. Without a length, it is sent in chunks. A body created from a closure that returns a new stream can be
/// sent again. Other bodies can be sent once, and fail with an error of kind `bodyNotRepeatable` if they have to be
/// sent again.
public struct StreamBody: RequestSerializable, Sendable {
    /// The `Content-Type`; defaults to `application/octet-stream`.
    public var contentType: String
    /// The number of bytes; `nil` if it is unknown.
    public var contentLength: Int64?
    let open: @Sendable () throws -> any BodyStream

    /// Creates a body from a closure that returns a custom stream each time the body is sent.
    public init(
        length: Int64? = nil, contentType: String = "application/octet-stream",
        stream: @escaping @Sendable () throws -> any BodyStream
    ) {
        self.contentType = contentType
        contentLength = length
        open = stream
    }

    /// Creates a body from the chunks of a sequence; it can be sent once.
    ///
    /// Chunks are requested when there is buffer capacity, in a task that is cancelled if the request ends early.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        let source = SingleUse(chunks)
        self.init(length: length, contentType: contentType) {
            let chunks = try source.take()
            return PumpedStream { pump({ chunks }, into: $0) }
        }
    }

    /// Creates a body from a closure that returns a sequence of chunks each time the body is sent.
    public init<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64? = nil, contentType: String = "application/octet-stream",
        chunks: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        self.init(length: length, contentType: contentType) { PumpedStream { pump(chunks, into: $0) } }
    }

    /// Returns a stream at the start of the body.
    ///
    /// - Throws: An error of kind `bodyNotRepeatable` if it can be read only once and was already read.
    public func makeBodyStream() throws -> (any BodyStream)? { try open() }
}

/// Writes the chunks of a sequence to a pipe, in a task; the returned function cancels it.
private func pump<Chunks: AsyncSequence & SendableMetatype>(
    _ make: @escaping @Sendable () -> Chunks, into pipe: BodyPipe
) -> (@Sendable () -> Void)? where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
    let task = Task {
        do {
            for try await chunk in make() {
                guard pipe.write(chunk) else { return }
                await withCheckedContinuation { continuation in pipe.whenWritable { continuation.resume() } }
            }
            pipe.finish()
        } catch {
            pipe.finish(error)
        }
    }
    return { task.cancel() }
}

extension StreamBody {
    /// Creates a body from a function that can block, such as one that reads from a pipe; it can be sent once.
    ///
    /// ```swift
    /// let body = StreamBody(length: size) { buffer in try pipe.read(into: &buffer) }
    /// ```
    ///
    /// - Parameters:
    ///   - length: The number of bytes. Defaults to `nil`, and the body is sent in chunks.
    ///   - contentType: The `Content-Type`. Defaults to `application/octet-stream`.
    ///   - read: Fills the start of a buffer and returns the number of bytes, 0 at the end. Its errors fail the request
    ///     with an error of kind `bodyUnreadable`. It is called on a separate thread. If the request ends early, it is
    ///     released after the current call returns.
    public init(
        length: Int64? = nil, contentType: String = "application/octet-stream",
        reading read: sending @escaping (inout MutableRawSpan) throws -> Int
    ) {
        let source = SingleUse(read)
        self.init(length: length, contentType: contentType) {
            let owned = SingleUse(try source.take())
            return PumpedStream { pipe in
                // A separate queue has its own thread while it works, even if other threads are blocked.
                DispatchQueue(label: "RequestQueue.StreamBody").async {
                    if let read = try? owned.take() { pipe.fill(chunkSize: 64 << 10, reading: read) }
                }
                return nil
            }
        }
    }
}
