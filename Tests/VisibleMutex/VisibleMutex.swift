#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A `Mutex` for the thread sanitizer on Linux, which does not support the futex of Swift's `Mutex` and would report
/// each access after a contended lock as a race.
// The lock protects the value; both have a fixed address during its lifetime.
package struct VisibleMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initial: consuming sending Value) {
        pthread_mutex_init(lock, nil)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        LockCounts.shared?.add("\(Value.self)")
        return try body(&value.pointee)
    }
}

/// The number of locks for each type of value, for the benchmark of locks.
private final class LockCounts: @unchecked Sendable {
    /// `nil` unless the environment names the file to write when the process exits.
    static let shared = getenv("LOCKS").map { LockCounts(file: String(cString: $0)) }

    private let file: String
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var counts: [String: Int] = [:]

    private init(file: String) {
        self.file = file
        pthread_mutex_init(lock, nil)
        atexit { LockCounts.shared?.write() }
    }

    func add(_ type: String) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        counts[type, default: 0] += 1
    }

    /// Writes lines such as `120 ExchangeState`.
    private func write() {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard let output = fopen(file, "w") else { return }
        for (type, count) in counts { fputs("\(count) \(type)\n", output) }
        fclose(output)
    }
}
