/// The file of a download, written on a separate thread, so that a slow disk does not delay other requests.
final class DownloadFile: Sendable {
    private struct State {
        /// The number of bytes that wait to be written.
        var waiting = 0
        var failure: TransportFailure?
        /// Called with the number of refusals when enough bytes are written to receive more.
        var resume: (@Sendable (Int) -> Void)?
        /// The number of times that more bytes were refused since the last call of `resume`.
        var refusals = 0
    }

    private let file: StagedFile
    private let queue = DispatchQueue(label: "RequestQueue.DownloadFile")
    private let state = Mutex(State())
    /// The maximum number of waiting bytes.
    private static let limit = 1 << 20

    /// Creates the file in the folder of its destination; throws `fileNotWritable`.
    init(for url: URL) throws(TransportFailure) { file = try StagedFile(for: url) }

    /// Adds bytes.
    ///
    /// - Throws: The failure of an earlier write.
    func append(_ bytes: RawSpan) throws(TransportFailure) {
        let data = Data(copying: bytes)
        let failure = state.withLock { state in
            state.waiting += data.count
            return state.failure
        }
        if let failure { throw failure }
        queue.async {
            let isFailed = self.state.withLock { $0.failure != nil }
            if !isFailed { self.recordFailure { () throws(TransportFailure) in try self.file.append(data.bytes) } }
            let (resume, refusals) = self.state.withLock { state -> ((@Sendable (Int) -> Void)?, Int) in
                state.waiting -= data.count
                guard state.waiting <= Self.limit / 2 || state.failure != nil else { return (nil, 0) }
                defer { state.refusals = 0 }
                return (state.resume.take(), state.refusals)
            }
            resume?(refusals)
        }
    }

    /// Returns whether more bytes can be added; otherwise calls the function when they can be added.
    ///
    /// - Parameter resume: Receives the number of calls that returned `false` since it was called last.
    func isReady(_ resume: @escaping @Sendable (Int) -> Void) -> Bool {
        state.withLock { state in
            guard state.waiting > Self.limit else { return true }
            state.resume = resume
            state.refusals += 1
            return false
        }
    }

    /// Removes all bytes before the body is received again.
    func empty() {
        state.withLock { ($0.resume, $0.refusals) = (nil, 0) }
        queue.async { self.recordFailure { () throws(TransportFailure) in try self.file.empty() } }
    }

    /// Flushes all bytes to the disk, on the thread of the file.
    ///
    /// - Parameter completion: Receives the file, to be moved to its destination or discarded, or the failure.
    func finish(_ completion: @escaping @Sendable (Result<StagedFile, TransportFailure>) -> Void) {
        queue.async {
            self.recordFailure { () throws(TransportFailure) in try self.file.synchronize() }
            let failure = self.state.withLock { $0.failure }
            completion(failure.map { .failure($0) } ?? .success(self.file))
        }
    }

    /// Removes the file.
    func discard(_ completion: @escaping @Sendable () -> Void) {
        // Not queued after the writes, because the disk may not respond.
        DispatchQueue.global().async {
            self.file.discard()
            completion()
        }
    }

    private func recordFailure(_ body: () throws(TransportFailure) -> Void) {
        do throws(TransportFailure) { try body() } catch { state.withLock { $0.failure = $0.failure ?? error } }
    }
}
