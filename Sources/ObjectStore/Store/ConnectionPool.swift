import Dispatch
import Synchronization

/// The connections of a store.
///
/// Readers are opened on demand and kept. All writes share one writer.
final class ConnectionPool: Sendable {
    private struct State {
        var readers: [StoreConnection] = []
        var isClosed = false
        /// Why the file cannot be used any more: another process has migrated it.
        var failure: StoreError?

        func check() throws(StoreError) {
            if isClosed { throw StoreError.closed }
            if let failure { throw failure }
        }
    }

    private let state = Mutex(State())
    /// The connection that also looks for commits of other processes; it cannot write in a read-only store.
    private let writer: StoreConnection
    private let isReadOnly: Bool
    private let writerIsFree = DispatchSemaphore(value: 1)
    /// The thread that uses the writer; 0 for none.
    private let writingThread = Atomic<UInt>(0)
    /// Returns a reader; `nil` if the writer is the only connection, for example for a database in memory.
    private let openReader: (@Sendable () throws(StoreError) -> StoreConnection)?
    private let timeout: DispatchTimeInterval
    /// The model of the file when it was opened; `nil` for a database in memory.
    let model: OpenModel?
    private static let maximumOfReaders = 8

    init(
        writer: StoreConnection, isReadOnly: Bool, timeout: DispatchTimeInterval,
        openReader: (@Sendable () throws(StoreError) -> StoreConnection)?, model: OpenModel? = nil
    ) {
        self.writer = writer
        self.isReadOnly = isReadOnly
        self.timeout = timeout
        self.openReader = openReader
        self.model = model
    }

    /// Whether the current thread uses the writer already.
    private var isWriting: Bool { writingThread.load(ordering: .relaxed) == CurrentThread.number }

    /// Calls a closure with a reader.
    func read<Result>(_ body: (StoreConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        // The only connection, which may write for longer than the timeout.
        guard let openReader else { return try write(waits: true, body) }
        var known = try state.withLock { (state) throws(StoreError) in
            try state.check()
            return state.readers.popLast()
        }
        if let outdated = known, !outdated.isCurrent {
            outdated.close()
            known = nil
        }
        let reader = if let known { known } else { try openReader() }
        var isUsable = true
        defer {
            let isKept = state.withLock { state in
                guard isUsable, !state.isClosed, state.readers.count < Self.maximumOfReaders else { return false }
                state.readers.append(reader)
                return true
            }
            if !isKept { reader.close() }
        }
        do throws(StoreError) { return try reader.reading(body) } catch {
            if error.kind == .modelMismatch { fail(error) }
            // Apple's SQLite ends connections to a file that was moved or replaced, also if it is at its path again.
            isUsable = error.kind != .replaced
            throw error
        }
    }

    /// Throws if the file was closed.
    func checkOpen() throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in try state.check() }
    }

    /// Makes later reads and writes fail.
    func fail(_ error: StoreError) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Calls a closure with the writer, when no other thread uses it.
    ///
    /// - Parameter waits: Whether to wait for other threads as long as they write.
    /// - Throws: `StoreError` of kind `busy` after the timeout, or immediately if this thread uses the writer already.
    func write<Result>(
        waits: Bool = false, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard !isReadOnly else {
            throw StoreError(.readOnly, "the store was opened for reading only")
        }
        // It would wait for itself.
        guard !isWriting else {
            throw StoreError(
                .busy, "the store is used by code that it calls while it writes",
                advice: "use the store before or after the save or import")
        }
        guard writerIsFree.wait(timeout: waits ? .distantFuture : .now() + timeout) == .success else {
            throw StoreError(
                .busy, "another context of the store has been writing for longer than the timeout",
                advice: "save fewer changes at a time, or open the store with a longer busyTimeout")
        }
        return try use(writer, body)
    }

    /// Calls a closure with the writer, unless it is in use or closed.
    func useIdleWriter(_ body: (StoreConnection) -> Void) {
        guard !isWriting, writerIsFree.wait(timeout: .now()) == .success else { return }
        try? use(writer, body)
    }

    /// Calls a closure with the writer, which was reserved, and returns it.
    private func use<Result>(
        _ writer: StoreConnection, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        writingThread.store(CurrentThread.number, ordering: .relaxed)
        defer {
            writingThread.store(0, ordering: .relaxed)
            // Closed by code that the body called.
            if state.withLock({ $0.isClosed }) { writer.close() }
            writerIsFree.signal()
        }
        try checkOpen()
        return try body(writer)
    }

    /// Closes all connections; those in use are closed afterwards.
    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.close() }
        if isWriting { return }
        writerIsFree.wait()
        writer.close()
        writerIsFree.signal()
    }
}

extension StoreError {
    static var closed: StoreError { StoreError(.closed, "the store was closed") }
}
