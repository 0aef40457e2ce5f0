/// A value that threads share, with waits for its changes.
final class Monitor<Value>: @unchecked Sendable {
    // `mutex` guards the value.
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Waits until `body` returns a result; it is called again after each signal.
    ///
    /// - Returns: The result; nil after the timeout.
    func wait<Result>(
        for signal: Signal, until deadline: ContinuousClock.Instant?, _ body: (inout Value) -> Result?
    ) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return nil }
            signal.wait(mutex, atMost: rest)
        }
    }
}

/// Wakes the threads that wait for a change of a ``Monitor``'s value.
final class Signal: @unchecked Sendable {
    // A condition is thread-safe.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() { initializeCondition(condition) }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    func notify() { pthread_cond_broadcast(condition) }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, atMost duration: Duration?) {
        if let duration {
            waitForCondition(condition, mutex, atMost: duration)
        } else {
            pthread_cond_wait(condition, mutex)
        }
    }
}
