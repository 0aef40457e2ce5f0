#if URLSESSION
    import Dispatch
    import Synchronization

    /// A body that is read by a thread that may block.
    ///
    /// Unchecked: one thread reads it; `stop` accesses only thread-safe properties, and `writer` is set before both.
    final class BlockingBody: @unchecked Sendable {
        private let stream: CheckedStream
        private let fail: @Sendable (TransportFailure) -> Void
        private let isStopped = Atomic(false)
        private let wakeUp = DispatchSemaphore(value: 0)
        /// The stream that is filled with the body; it is retained as long as the body, because its end is closed with it.
        var writer: AnyObject?

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

        /// Reads all bytes; `nil` if reading was stopped or failed.
        func readAll() -> Data? {
            var data = Data()
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            while let count = piece.withMutableRawSpan({ read(into: &$0) }) {
                if count == 0 { return data }
                data += piece.prefix(count)
            }
            return nil
        }

        /// Unblocks the reading thread.
        func stop() {
            isStopped.store(true, ordering: .releasing)
            wakeUp.signal()
        }
    }
#endif
