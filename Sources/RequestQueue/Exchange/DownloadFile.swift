import Dispatch
import Synchronization

/// The file of a download, written on a thread of its own: a slow disk delays no other request.
final class DownloadFile: Sendable {
    private struct State {
        /// Bytes that wait to be written.
        var waiting = 0
        var failure: TransportFailure?
        /// Called when so little waits that more may come.
        var resume: (@Sendable () -> Void)?
    }

    private let file: StagedDownload
    private let queue = DispatchQueue(label: "RequestQueue.DownloadFile")
    private let state = Mutex(State())
    /// Bytes that may wait.
    private static let limit = 1 << 20

    /// Creates the file beside its destination; throws `fileNotWritable`.
    init(for url: URL) throws(TransportFailure) { file = try StagedDownload(for: url) }

    /// Adds bytes.
    ///
    /// - Throws: Why earlier ones could not be written.
    func append(_ bytes: RawSpan) throws(TransportFailure) {
        let data = Data(copying: bytes)
        let failure = state.withLock { state in
            state.waiting += data.count
            return state.failure
        }
        if let failure { throw failure }
        queue.async {
            let isFailed = self.state.withLock { $0.failure != nil }
            if !isFailed { self.note { () throws(TransportFailure) in try self.file.append(data.bytes) } }
            let resume = self.state.withLock { state in
                state.waiting -= data.count
                return state.waiting <= Self.limit / 2 || state.failure != nil ? state.resume.take() : nil
            }
            resume?()
        }
    }

    /// Whether more bytes may come now; otherwise the function is called when they may.
    func isReady(_ resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.waiting > Self.limit else { return true }
            state.resume = resume
            return false
        }
    }

    /// Drops all bytes, for others that come in their place.
    func empty() {
        queue.async { self.note { () throws(TransportFailure) in try self.file.empty() } }
    }

    /// Waits on the file's thread until all bytes are on the disk.
    ///
    /// - Parameter completion: Receives the file, to be put in its place or discarded there, or the failure.
    func finish(_ completion: @escaping @Sendable (Result<StagedDownload, TransportFailure>) -> Void) {
        queue.async {
            self.note { () throws(TransportFailure) in try self.file.synchronize() }
            let failure = self.state.withLock { $0.failure }
            completion(failure.map { .failure($0) } ?? .success(self.file))
        }
    }

    /// Removes the file.
    func discard(_ completion: @escaping @Sendable () -> Void) {
        // Not behind the writes: the disk may hang.
        DispatchQueue.global().async {
            self.file.discard()
            completion()
        }
    }

    private func note(_ body: () throws(TransportFailure) -> Void) {
        do throws(TransportFailure) { try body() } catch { state.withLock { $0.failure = $0.failure ?? error } }
    }
}
