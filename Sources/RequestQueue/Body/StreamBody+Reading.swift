import Dispatch

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
        let source = OneShot(read)
        self.init(length: length, contentType: contentType) {
            let owned = OneShot(try source.take())
            return PumpedStream { pipe in
                // A separate queue has its own thread while it works, even if other threads are blocked.
                DispatchQueue(label: "RequestQueue.StreamBody").async { pump(owned, into: pipe) }
                return nil
            }
        }
    }
}

/// Reads until the end or until the pipe is closed.
private func pump(_ source: OneShot<(inout MutableRawSpan) throws -> Int>, into pipe: BodyPipe) {
    let room = DispatchSemaphore(value: 0)
    do {
        let read = try source.take()
        while true {
            pipe.whenWritable { room.signal() }
            room.wait()
            guard pipe.isOpen else { return }
            let capacity = 64 << 10
            var chunk = Data(count: capacity)
            var buffer = chunk.mutableBytes
            let count = try read(&buffer)
            guard (0...capacity).contains(count) else {
                throw RequestError(
                    .bodyUnreadable,
                    "the closure that reads the body returned \(count) bytes for a buffer of \(capacity)")
            }
            guard count > 0 else { return pipe.finish() }
            guard pipe.write(chunk.prefix(count)) else { return }
        }
    } catch {
        pipe.finish(error)
    }
}
