/// A body that is made or read while it is sent, in constant memory: of an asynchronous sequence, a function that reads,
/// or a ``BodyStream`` of one's own.
///
/// ```swift
/// try await client.put("/log", StreamBody(lines, contentType: "text/plain"))
/// ```
///
/// With a length it is sent with `Content-Length`, and fails with an error of kind `bodyChanged` if it has more or fewer
/// bytes; without one it is sent in chunks. A body given as a function that makes it is made anew each time it is sent;
/// others can be sent once, and fail with `bodyNotRepeatable` where they would have to be sent again.
public struct StreamBody: RequestSerializable, Sendable {
    /// The `Content-Type`; `application/octet-stream` unless told.
    public var contentType: String
    /// Bytes, if they are known.
    public var contentLength: Int64?
    let open: @Sendable () throws -> any BodyStream

    /// A body of one's own stream, which is made each time the body is sent.
    public init(
        length: Int64? = nil, contentType: String = "application/octet-stream",
        stream: @escaping @Sendable () throws -> any BodyStream
    ) {
        self.contentType = contentType
        contentLength = length
        open = stream
    }

    /// A body of the chunks of a sequence, which can be sent once.
    ///
    /// The sequence is asked for the next chunk when there is room for it, in a task that is cancelled when the request
    /// ends early.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        let source = OneShot(chunks)
        self.init(length: length, contentType: contentType) {
            let chunks = try source.take()
            return PumpedStream { pump({ chunks }, into: $0) }
        }
    }

    /// A body of the chunks of a sequence that is made each time the body is sent.
    public init<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64? = nil, contentType: String = "application/octet-stream",
        chunks: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        self.init(length: length, contentType: contentType) { PumpedStream { pump(chunks, into: $0) } }
    }

    /// The stream at its beginning.
    ///
    /// - Throws: An error of kind `bodyNotRepeatable` if it can be read only once, and was.
    public func makeBodyStream() throws -> (any BodyStream)? { try open() }
}

/// Writes the chunks of a sequence into a pipe, in a task that is cancelled by what it returns.
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
