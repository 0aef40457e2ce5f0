import Dispatch

extension StreamBody {
    /// A body that a function reads that may block, as from a pipe or an input stream; it can be sent once.
    ///
    /// ```swift
    /// let body = StreamBody(length: size) { buffer in try pipe.read(into: &buffer) }
    /// ```
    ///
    /// The function fills the beginning of a buffer and returns how many bytes it wrote, 0 at the end; what it throws fails
    /// the request with an error of kind `bodyUnreadable`. It is called by one thread of its own. If the request ends
    /// early, the function goes as soon as a call that is under way returns.
    public init(
        length: Int64? = nil, contentType: String = "application/octet-stream",
        reading read: sending @escaping (inout MutableRawSpan) throws -> Int
    ) {
        let source = OneShot(read)
        self.init(length: length, contentType: contentType) {
            let owned = OneShot(try source.take())
            return PumpedStream { pipe in
                // A queue of its own has a thread of its own while it works, however many others block.
                DispatchQueue(label: "RequestQueue.StreamBody").async { pump(owned, into: pipe) }
                return nil
            }
        }
    }
}

/// Reads to the end, or until nobody reads the pipe any more.
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
                    "the function that reads the body told of \(count) bytes in a buffer of \(capacity)")
            }
            guard count > 0 else { return pipe.finish() }
            guard pipe.write(chunk.prefix(count)) else { return }
        }
    } catch {
        pipe.finish(error)
    }
}
