import Synchronization

/// Where answers of a ``StubTransport`` wait until a test lets them go on, so that it needs no sleeping.
///
/// ```swift
/// let gate = StubGate()
/// stub.on(.get, "/report") { _ in StubResponse(text: "late").held(by: gate) }
/// async let report = client.get("/report")
/// await gate.arrivals(1)
/// // The request is under way now, and stays so.
/// gate.open()
/// ```
public final class StubGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [@Sendable () -> Void] = []
        /// Those who wait for arrivals, each under the number of its turn.
        var observers: [Int: (arrivals: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var turns = 0
    }

    private let state = Mutex(State())

    /// A gate that is closed.
    public init() {}

    /// Lets all go on that wait, and all that come later.
    public func open() {
        let released = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for goOn in released { goOn() }
    }

    /// Lets the one go on that waits longest; without effect if none waits.
    public func releaseFirst() {
        let goOn = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        goOn?()
    }

    /// Returns when so many answers have come to the gate since it was made, or when the task that waits is cancelled.
    public func arrivals(_ count: Int) async {
        let turn = state.withLock { state in
            state.turns += 1
            return state.turns
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A task is cancelled before its handler runs: the handler finds the continuation, or this the task.
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

    /// Calls a function when the gate lets it; at once if it is open.
    func pass(_ goOn: @escaping @Sendable () -> Void) {
        let (isOpen, told) = state.withLock { state in
            state.arrivals += 1
            if !state.isOpen { state.waiting.append(goOn) }
            let told = state.observers.filter { $0.value.arrivals <= state.arrivals }
            for turn in told.keys { state.observers[turn] = nil }
            return (state.isOpen, told.values.map(\.continuation))
        }
        if isOpen { goOn() }
        for observer in told { observer.resume() }
    }
}
