import Dispatch
import Synchronization

/// Resumes the tasks of observers after commits, and when a context ends.
///
/// Tasks are resumed outside of the lock.
final class CommitSignal: Sendable {
    private struct State {
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The number of waits so far.
        var waits = 0
        /// The number of signals so far.
        var signals = 0
        /// The numbers of observers by context; they need the timer.
        var observers: [Int: Int] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private let state = Mutex(State())
    /// How often observers look for commits of other processes.
    private static let interval = DispatchTimeInterval.milliseconds(250)

    /// The number of signals so far.
    var count: Int { state.withLock { $0.signals } }

    /// Whether a task waits; for tests.
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Suspends the task until a signal after a number of them, or until the task is cancelled.
    func wait(after count: Int) async {
        let number = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if Task.isCancelled || state.signals != count { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// Resumes all tasks that wait.
    func send() {
        let waiters = state.withLock { state in
            state.signals += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    // MARK: Observers

    /// Resumes the tasks if a context that ended has observers.
    func didEnd(_ context: Int) {
        if state.withLock({ $0.observers[context] != nil }) { send() }
    }

    /// Adds an observer of a context; a closure looks regularly for other processes as long as there are observers.
    func addObserver(of context: Int, _ look: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.observers[context, default: 0] += 1
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
            timer.setEventHandler(handler: look)
            timer.resume()
            state.timer = timer
        }
    }

    func removeObserver(of context: Int) {
        let timer = state.withLock { state -> (any DispatchSourceTimer)? in
            let count = state.observers[context] ?? 0
            state.observers[context] = count > 1 ? count - 1 : nil
            return state.observers.isEmpty ? state.timer.take() : nil
        }
        timer?.cancel()
    }
}
