#if URLSESSION
    import Dispatch
    import Synchronization

    /// A body that is read by a thread that may block.
    ///
    /// Unchecked: one thread reads it; `stop` accesses only thread-safe properties.
    final class BlockingBody: @unchecked Sendable {
        private let stream: CheckedStream
        private let fail: @Sendable (TransportFailure) -> Void
        private let isStopped = Atomic(false)
        private let wakeUp = DispatchSemaphore(value: 0)

        /// - Parameter fail: Receives the reason why the body cannot be read.
        init(_ body: TransportRequest.Body, fail: @escaping @Sendable (TransportFailure) -> Void)
            throws(TransportFailure)
        {
            stream = try body.opened()
            self.fail = fail
        }

        /// Reads the next bytes; blocks until they are available.
        ///
        /// - Returns: The number of bytes, 0 at the end; `nil` if reading was stopped or failed.
        func read(into buffer: inout MutableRawSpan) -> Int? {
            do {
                while !isStopped.load(ordering: .acquiring) {
                    switch try stream.read(into: &buffer) {
                    case .bytes(let count): return count
                    case .end: return 0
                    case .wait:
                        // The closure must not retain the stream, which retains the closure.
                        stream.whenReadable { [wakeUp] in wakeUp.signal() }
                        wakeUp.wait()
                    }
                }
            } catch {
                fail(error)
            }
            return nil
        }

        /// Unblocks the reading thread.
        func stop() {
            isStopped.store(true, ordering: .releasing)
            wakeUp.signal()
        }
    }

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
