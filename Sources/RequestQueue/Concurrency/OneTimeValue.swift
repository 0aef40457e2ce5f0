/// A value that is set once, and the tasks that wait for it.
final class OneTimeValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// The value; `nil` until it is set.
    var current: Value? { state.withLock { $0.value } }

    /// Waits for the value; returns `nil` if the waiting task is cancelled first.
    func value(isolation: isolated (any Actor)? = #isolation) async -> Value? {
        let ticket: Int? = state.withLock { state in
            if state.value != nil { return nil }
            state.lastTicket += 1
            return state.lastTicket
        }
        guard let ticket else { return current }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, ticket) }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: nil)
        }
    }

    /// Waits for the value, even if the waiting task is cancelled.
    func certainValue() async -> Value {
        while true { if let value = await Task(operation: { await value() }).value { return value } }
    }

    /// Sets the value; later calls are ignored.
    func set(_ value: Value) {
        let waiting = state.withLock { state in
            guard state.value == nil else { return [:] as [Int: CheckedContinuation<Value?, Never>] }
            state.value = value
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: value) }
    }

    private func wait(_ continuation: CheckedContinuation<Value?, Never>, _ ticket: Int) {
        let isDone = state.withLock { state in
            // If the task is cancelled, either its handler finds the continuation, or this finds `isCancelled`.
            if state.value != nil || Task.isCancelled { return true }
            state.waiting[ticket] = continuation
            return false
        }
        if isDone { continuation.resume(returning: current) }
    }
}
