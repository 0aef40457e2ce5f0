import Synchronization

/// A body that is handed over while it comes; who does not take it holds the transport back.
package final class StreamSink: ResponseSink {
    /// What is known before the body.
    struct Head: Sendable {
        let response: RESTResponse
        let framing: ResponseFraming
    }

    private struct State {
        var head: Head?
        var bytes = Data()
        /// How often the transport was told to wait since bytes were taken.
        var refusals = 0
        /// Nil as long as bytes may come.
        var end: Result<RESTResponse, RequestError>?
        var headWaiter: CheckedContinuation<Result<Head, RequestError>, Never>?
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Bytes that wait to be taken, before they are decompressed; the transport may add one piece to them.
    private static let most = 256 << 10

    func begin(_ head: Head) {
        let waiter = state.withLock { state in
            state.head = head
            return state.headWaiter.take()
        }
        waiter?.resume(returning: .success(head))
    }

    func receive(_ bytes: RawSpan) -> Bool {
        let (waiter, mayGoOn) = state.withLock { state in
            state.bytes.append(bytes)
            let isFull = state.bytes.count >= Self.most
            if isFull { state.refusals += 1 }
            return (state.waiter.take(), !isFull)
        }
        waiter?.resume(returning: true)
        return mayGoOn
    }

    func finish() -> Data { Data() }

    /// Takes the outcome.
    func end(_ outcome: Result<RESTResponse, RequestError>) {
        let (headWaiter, waiter) = state.withLock { state in
            state.end = outcome
            // Who cancels wants no more of it.
            if case .failure(let error) = outcome, error.kind == .cancelled { state.bytes = Data() }
            return (state.headWaiter.take(), state.waiter.take())
        }
        if case .failure(let error) = outcome { headWaiter?.resume(returning: .failure(error)) }
        waiter?.resume(returning: true)
    }

    /// Waits for the head.
    func begun() async -> Result<Head, RequestError> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Result<Head, RequestError>? in
                if let head = state.head { return .success(head) }
                if case .failure(let error) = state.end { return .failure(error) }
                state.headWaiter = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    enum Taken {
        /// Bytes, and how often the transport was told to wait for their being taken.
        case bytes(Data, refusals: Int)
        case end
        case failure(RequestError)
        case nothing
    }

    /// Takes what is there.
    func take() -> Taken {
        state.withLock { state in
            if !state.bytes.isEmpty {
                defer { state.refusals = 0 }
                return .bytes(state.bytes.take(), refusals: state.refusals)
            }
            switch state.end {
            case nil: return .nothing
            case .success: return .end
            case .failure(let error): return .failure(error)
            }
        }
    }

    /// Waits until there is something to take.
    ///
    /// - Returns: False if another task waits already.
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

extension Data {
    /// Empties it, without a copy.
    fileprivate mutating func take() -> Data {
        let bytes = self
        self = Data()
        return bytes
    }
}
