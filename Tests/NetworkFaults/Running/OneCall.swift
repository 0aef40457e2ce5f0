import Synchronization

/// A function that is called at most once.
final class OneCall: Sendable {
    private let body: @Sendable () -> Void
    private let state = Mutex((isCalled: false, isDone: false))

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    var isDone: Bool { state.withLock { $0.isDone } }

    func callAsFunction() {
        let isFirst = state.withLock { state in
            defer { state.isCalled = true }
            return !state.isCalled
        }
        guard isFirst else { return }
        body()
        state.withLock { $0.isDone = true }
    }
}
