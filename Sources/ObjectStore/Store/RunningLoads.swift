import Synchronization

/// The loads from a server that write a store, which can be cancelled and awaited together.
package final class RunningLoads: Sendable {
    private struct State {
        var isEnding = false
        var lastNumber = 0
        /// Cancels each running load.
        var cancellations: [Int: @Sendable () -> Void] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    init() {}

    /// Calls an operation, which is cancelled with the task of the caller, or when all loads end.
    ///
    /// - Throws: `StoreError` of kind `closed` after the loads have ended; the error of the operation.
    package func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // The task is created by the lock's holder, so that no end of all loads misses it.
        let started = state.withLock { state -> (number: Int, task: Task<Value, any Error>)? in
            guard !state.isEnding else { return nil }
            let task = Task { try await operation() }
            state.lastNumber += 1
            state.cancellations[state.lastNumber] = { task.cancel() }
            return (state.lastNumber, task)
        }
        guard let (number, task) = started else { throw StoreError.closed }
        defer { didEnd(number) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels all loads and waits for their end; further ones fail.
    func end() async {
        let cancellations = state.withLock { state in
            state.isEnding = true
            return state.cancellations.values.map(\.self)
        }
        for cancel in cancellations { cancel() }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.cancellations.isEmpty { state.waiters.append(continuation) }
                return state.cancellations.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    /// Allows loads again.
    func resume() { state.withLock { $0.isEnding = false } }

    private func didEnd(_ number: Int) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.cancellations[number] = nil
            guard state.cancellations.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
