/// A body that is read while it is received; the transfer is paused while it is not read.
package final class StreamSink: ResponseSink {
    /// The head of the response, before the body.
    struct Head: Sendable {
        let response: RESTResponse
        let framing: ResponseFraming
    }

    private struct State {
        var bytes = Data()
        /// The number of times that the transport was paused since bytes were read.
        var refusals = 0
        /// The number of pieces that were read.
        var count = 0
        /// The outcome; `nil` while bytes can be received.
        var end: Result<RESTResponse, RequestError>?
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())
    private let head = OneTimeValue<Result<Head, RequestError>>()

    /// The number of buffered bytes, before decompression, at which the transport is paused.
    private static let capacity = 256 << 10

    func begin(_ head: Head) { self.head.set(.success(head)) }

    func receive(_ bytes: RawSpan) -> Bool {
        let (waiter, mayContinue) = state.withLock { state in
            state.bytes.append(bytes)
            let isFull = state.bytes.count >= Self.capacity
            if isFull { state.refusals += 1 }
            return (state.waiter.take(), !isFull)
        }
        waiter?.resume(returning: true)
        return mayContinue
    }

    func finish() -> Data { Data() }

    /// Ends the body with the outcome.
    func end(_ outcome: Result<RESTResponse, RequestError>) {
        let waiter = state.withLock { state in
            state.end = outcome
            // After a cancellation, buffered bytes are discarded.
            if case .failure(let error) = outcome, error.kind == .cancelled { state.bytes = Data() }
            return state.waiter.take()
        }
        if case .failure(let error) = outcome { head.set(.failure(error)) }
        waiter?.resume(returning: true)
    }

    /// Waits for the head.
    func begun() async -> Result<Head, RequestError> { await head.certainValue() }

    /// Removes and returns the buffered bytes, the number of times that the transport was paused, and the number of pieces
    /// that were read.
    ///
    /// - Returns: No bytes at the end; `nil` before bytes are received.
    func take() throws(RequestError) -> (bytes: Data?, refusals: Int, count: Int)? {
        try state.withLock { state throws(RequestError) in
            if !state.bytes.isEmpty {
                defer { (state.bytes, state.refusals) = (Data(), 0) }
                state.count += 1
                return (state.bytes, state.refusals, state.count)
            }
            return try state.end.map { end throws(RequestError) in
                _ = try end.get()
                return (nil, 0, state.count)
            }
        }
    }

    /// Waits until bytes or the outcome are available.
    ///
    /// - Returns: `false` if another task is already waiting.
    func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                guard state.bytes.isEmpty, state.end == nil else { return true }
                guard state.waiter == nil else { return false }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
