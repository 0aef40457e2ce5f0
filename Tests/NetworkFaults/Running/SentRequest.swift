import RequestQueue
import Synchronization

/// A request in progress.
struct SentRequest: Sendable {
    private let first: FirstOutcome
    let cancel: @Sendable () -> Void

    init(_ first: FirstOutcome, cancel: @escaping @Sendable () -> Void) {
        self.first = first
        self.cancel = cancel
    }

    var outcome: Outcome { get async { await first.wait(atMost: Trial.patience) } }
}

/// Waits for the first outcome of a request.
final class FirstOutcome: Sendable {
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    func came(_ result: Result<RESTResponse, RequestError>?) {
        let end = ContinuousClock.now
        let outcome = Outcome(result: result, duration: end - start, end: end)
        let waiter = state.withLock { state in
            guard state.outcome == nil else { return nil as CheckedContinuation<Outcome, Never>? }
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }

    func wait(atMost patience: Duration) async -> Outcome {
        let hurry = Task {
            try await Task.sleep(for: patience)
            came(nil)
        }
        defer { hurry.cancel() }
        return await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
