import Dispatch
public import Foundation

extension StreamBody {
    /// A body that is read from an input stream, and can be sent once.
    ///
    /// It is read on a thread of its own, since that may block. The stream must be unopened, and nothing else may use it
    /// afterwards. If the request ends early, it is closed as soon as a read that is under way returns.
    public init(
        _ stream: sending InputStream, length: Int64? = nil, contentType: String = "application/octet-stream"
    ) {
        let source = OneShot(stream)
        self.init(length: length, contentType: contentType) {
            let owned = OneShot(try source.take())
            return PumpedStream { pipe in
                // A queue of its own has a thread of its own while it works, however many others block.
                DispatchQueue(label: "RequestQueue.InputStream").async { pump(owned, into: pipe) }
                return nil
            }
        }
    }
}

/// Reads a stream to its end or until nobody reads the pipe any more.
private func pump(_ source: OneShot<InputStream>, into pipe: BodyPipe) {
    guard let stream = try? source.take() else { return }
    stream.open()
    defer { stream.close() }
    let room = DispatchSemaphore(value: 0)
    while true {
        pipe.whenWritable { room.signal() }
        room.wait()
        var chunk = Data(count: 64 << 10)
        let capacity = chunk.count
        let count = chunk.withUnsafeMutableBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
            return stream.read(start, maxLength: capacity)
        }
        guard count > 0 else { return pipe.finish(count < 0 ? failure(of: stream) : nil) }
        guard pipe.write(chunk.prefix(count)) else { return }
    }
}

private func failure(of stream: InputStream) -> RequestError {
    let cause = stream.streamError.map { "\($0)" } ?? "it tells no cause"
    return RequestError(.bodyUnreadable, "the input stream of the body cannot be read: \(cause)")
}
