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
        var observers: [(arrivals: Int, continuation: CheckedContinuation<Void, Never>)] = []
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

    /// Returns when so many answers have come to the gate since it was made.
    public func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals < count { state.observers.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Calls a function when the gate lets it; at once if it is open.
    func pass(_ goOn: @escaping @Sendable () -> Void) {
        let (isOpen, told) = state.withLock { state in
            state.arrivals += 1
            if !state.isOpen { state.waiting.append(goOn) }
            let told = state.observers.filter { $0.arrivals <= state.arrivals }
            state.observers.removeAll { $0.arrivals <= state.arrivals }
            return (state.isOpen, told)
        }
        if isOpen { goOn() }
        for observer in told { observer.continuation.resume() }
    }
}
