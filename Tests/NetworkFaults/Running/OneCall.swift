import Synchronization

/// A function that is called once, however often it is told to.
final class OneCall: Sendable {
    private let body: @Sendable () -> Void
    private let done = Mutex(false)

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    var isDone: Bool { done.withLock { $0 } }

    func callAsFunction() {
        let isFirst = done.withLock { done in
            defer { done = true }
            return !done
        }
        if isFirst { body() }
    }
}
