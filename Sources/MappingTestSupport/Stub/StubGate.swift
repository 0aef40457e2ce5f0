import Synchronization

/// A gate at which responses of a ``StubTransport`` wait until a test opens it, so that tests need no delays.
///
/// ```swift
/// let gate = StubGate()
/// stub.on(.get, "/report") { _ in StubResponse(text: "late").held(by: gate) }
/// async let report = client.get("/report")
/// await gate.arrivals(1)
/// // The request is running and waits for the response.
/// gate.open()
/// ```
public final class StubGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [@Sendable () -> Void] = []
        /// The observers of arrivals, each with a sequence number.
        var observers: [Int: (arrivals: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var turns = 0
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Releases all waiting responses and all later ones.
    public func open() {
        let released = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in released { resume() }
    }

    /// Releases the response that has waited longest; does nothing if no response waits.
    public func releaseFirst() {
        let resume = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        resume?()
    }

    /// Waits until a number of responses have arrived at the gate since it was created, or the task is cancelled.
    public func arrivals(_ count: Int) async {
        let turn = state.withLock { state in
            state.turns += 1
            return state.turns
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Cancellation is visible before the cancellation handler runs, so either the handler or this check
                    // resumes.
                    let isOver = state.arrivals >= count || Task.isCancelled
                    if !isOver { state.observers[turn] = (count, continuation) }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.observers.removeValue(forKey: turn) }?.continuation.resume()
        }
    }

    /// Calls a function when the gate releases it, immediately if the gate is open.
    func pass(_ resume: @escaping @Sendable () -> Void) {
        let (isOpen, reached) = state.withLock { state in
            state.arrivals += 1
            if !state.isOpen { state.waiting.append(resume) }
            let reached = state.observers.filter { $0.value.arrivals <= state.arrivals }
            for turn in reached.keys { state.observers[turn] = nil }
            return (state.isOpen, reached.values.map(\.continuation))
        }
        if isOpen { resume() }
        for observer in reached { observer.resume() }
    }
}
