import Synchronization

/// A task whose result several tasks wait for; it is cancelled when all of them are cancelled.
///
/// A task that is cancelled stops waiting at once, even if the operation does not end.
final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var result: Result<Value, any Error>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var lastNumber = 0
        /// The number of tasks that want the result.
        var users = 1
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Whether the operation has ended.
    var hasEnded: Bool { state.withLock { $0.result != nil } }

    /// Calls the operation in a new task, off the actor of the caller.
    static func value(of operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = SharedTask()
        task.start(operation)
        return try await task.value
    }

    /// Starts the operation; called once.
    func start(_ operation: @escaping @Sendable () async throws -> Value) {
        let task = Task.detached { [self] in
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            let waiters = state.withLock { state in
                (state.result, state.task) = (result, nil)
                defer { state.waiters = [:] }
                return state.waiters
            }
            for waiter in waiters.values { waiter.resume(with: result) }
        }
        let isCancelled = state.withLock { state in
            if state.result == nil { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Adds a task that wants the result; returns `false` if all others were cancelled.
    func join() -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.users += 1 }
            return !state.isCancelled
        }
    }

    /// Waits for the result; called once by each task that started or joined.
    var value: Value {
        get async throws {
            let number = state.withLock { state in
                state.lastNumber += 1
                return state.lastNumber
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result = state.withLock { state -> Result<Value, any Error>? in
                        if let result = state.result { return result }
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiters[number] = continuation
                        return nil
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                let (waiter, task) = state.withLock { state in
                    state.users -= 1
                    state.isCancelled = state.users <= 0
                    return (state.waiters.removeValue(forKey: number), state.isCancelled ? state.task : nil)
                }
                waiter?.resume(throwing: CancellationError())
                task?.cancel()
            }
        }
    }
}
