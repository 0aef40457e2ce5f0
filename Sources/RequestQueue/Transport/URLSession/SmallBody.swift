#if URLSESSION
    import Dispatch

    /// Reads a small body into memory, without blocking while the body waits for bytes.
    ///
    /// Unchecked: one thread at a time reads it, until the body waits.
    final class SmallBody: @unchecked Sendable {
        private let body: TransportRequest.Body
        private var stream: CheckedStream?
        private var data = Data()

        init(_ body: TransportRequest.Body) { self.body = body }

        /// Reads all bytes; the completion is called on any thread.
        func read(_ completion: @escaping @Sendable (Result<Data, TransportFailure>) -> Void) {
            var piece = Data(count: 64 << 10)
            do {
                let stream = try stream ?? body.opened()
                self.stream = stream
                while true {
                    var buffer = piece.mutableBytes
                    switch try stream.read(into: &buffer) {
                    case .bytes(let count): data += piece.prefix(count)
                    case .end: return completion(.success(data))
                    case .wait:
                        // A stream may call immediately and repeatedly; a queue avoids recursion.
                        return stream.whenReadable { DispatchQueue.global().async { self.read(completion) } }
                    }
                }
            } catch {
                completion(.failure(TransportFailure(bodyError: error)))
            }
        }
    }
#endif
