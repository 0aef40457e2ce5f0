// The only file that selects a platform.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif

#if canImport(Glibc)
    let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
    let streamSocket = SOCK_STREAM
#endif

#if canImport(Darwin)
    /// Flags of `send`: Darwin has SO_NOSIGPIPE instead.
    let sendFlags: Int32 = 0
    /// The event of `poll` that reports a disconnected peer; Darwin always reports it, as POLLHUP.
    let peerLeftEvent: Int16 = 0
#else
    /// Flags of `send`: a disconnected peer is an error, never a signal.
    let sendFlags = Int32(MSG_NOSIGNAL)
    /// The event of `poll` that reports a disconnected peer: POLLRDHUP, which Swift does not import.
    let peerLeftEvent: Int16 = 0x2000
#endif

/// Makes a broken pipe an error of `send`, if that is a setting of the socket.
func ignoreBrokenPipe(_ socket: Int32) {
    #if canImport(Darwin)
        setOption(SO_NOSIGPIPE, 1, of: socket)
    #endif
}

/// Initializes a condition whose waits ignore changes of the wall clock.
func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    #if canImport(Darwin)
        pthread_cond_init(condition, nil)
    #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    #endif
}

/// Waits for a condition, with a timeout.
func waitForCondition(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    atMost duration: Duration
) {
    let (seconds, attoseconds) = duration.components
    #if canImport(Darwin)
        var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        pthread_cond_timedwait_relative_np(condition, mutex, &limit)
    #else
        var limit = timespec(tv_sec: 0, tv_nsec: 0)
        clock_gettime(CLOCK_MONOTONIC, &limit)
        let nanoseconds = Int(limit.tv_nsec) + Int(attoseconds / 1_000_000_000)
        limit.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        limit.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(condition, mutex, &limit)
    #endif
}

/// Starts a detached thread; false if the system has no threads left.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(ThreadWork(body)).toOpaque()
    let code = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer -> Int32 in
        guard let attributes = buffer.baseAddress else { return EAGAIN }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Small, because there are many connections; sufficient for a handler of a test.
        pthread_attr_setstacksize(attributes, 512 * 1024)
        #if canImport(Darwin)
            var thread: pthread_t?
            return pthread_create(&thread, attributes, { runThread($0) }, work)
        #else
            var thread: pthread_t = 0
            return pthread_create(&thread, attributes, { $0.flatMap { runThread($0) } }, work)
        #endif
    }
    if code != 0 { Unmanaged<ThreadWork>.fromOpaque(work).release() }
    return code == 0
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThread(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().body()
    return nil
}
