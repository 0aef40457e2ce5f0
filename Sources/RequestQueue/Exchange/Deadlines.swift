/// The timeouts of a request, calculated from instants of a clock that stops while the process is suspended.
struct Deadlines: Hashable, Sendable {
    private let timeouts: Timeouts
    private var start: Duration
    private var hopStart: Duration
    private var lastByte: Duration
    private var isConnected = false
    private var isBetweenHops = false
    /// The number of times that the client delays the transfer; another thread may report a release before its hold.
    private var holds = 0

    /// Creates the deadlines of a request.
    ///
    /// - Parameters:
    ///   - timeouts: The timeouts.
    ///   - start: The instant at which the request started.
    init(_ timeouts: Timeouts, start: Duration) {
        // Limits the timeouts, so that instants do not overflow.
        func bounded(_ limit: Duration?) -> Duration? { limit.map { min(max($0, .zero), .seconds(Int64.max)) } }
        self.timeouts = Timeouts(
            connect: bounded(timeouts.connect), idle: bounded(timeouts.idle), total: bounded(timeouts.total))
        self.start = start
        hopStart = start
        lastByte = start
    }

    /// Ends a hop; only the total timeout applies until the next hop.
    mutating func endHop(at now: Duration) {
        isBetweenHops = true
        lastByte = now
    }

    /// Begins a hop to the same or another URL.
    mutating func beginHop(at now: Duration) {
        hopStart = now
        isConnected = false
        isBetweenHops = false
        holds = 0
    }

    /// Records that the connection was established, or that bytes were sent or received.
    mutating func touch(at now: Duration) {
        isConnected = true
        lastByte = now
    }

    /// Records that the client delays the transfer.
    mutating func hold(at now: Duration) {
        holds += 1
        lastByte = now
    }

    /// Records that the client no longer delays the transfer.
    mutating func release(at now: Duration) {
        holds -= 1
        lastByte = now
    }

    /// Removes all holds, because a new body is sent.
    mutating func removeHolds() { holds = 0 }

    /// Returns the time since the request started.
    func elapsed(at now: Duration) -> Duration { now - start }

    /// Returns the time until the total timeout; `nil` without one.
    func timeLeft(at now: Duration) -> Duration? { timeouts.total.map { start + $0 - now } }

    /// Returns the expired timeout and its limit.
    ///
    /// Instants that were recorded before a suspension was detected can be in the future; they are corrected.
    mutating func expired(at now: Duration) -> (kind: RequestError.Kind, limit: Duration)? {
        start = min(start, now)
        hopStart = min(hopStart, now)
        lastByte = min(lastByte, now)
        if let total = timeouts.total, now >= start + total { return (.timedOut, total) }
        if let connect = timeouts.connect, isConnecting, now >= hopStart + connect {
            return (.connectTimedOut, connect)
        }
        if let idle = timeouts.idle, isIdleCounted, now >= lastByte + idle { return (.idleTimedOut, idle) }
        return nil
    }

    /// Returns the instant of the next check; `nil` if there is no timeout.
    ///
    /// It is not later than any timeout that can begin after `now`, so the start of a timeout needs no notification.
    func nextCheck(after now: Duration) -> Duration? {
        var next: Duration?
        func consider(_ instant: Duration) { next = min(next ?? instant, instant) }
        if let total = timeouts.total { consider(start + total) }
        if let connect = timeouts.connect { consider((isConnecting ? hopStart : now) + connect) }
        if let idle = timeouts.idle { consider((isIdleCounted ? lastByte : now) + idle) }
        return next
    }

    private var isConnecting: Bool { !isConnected && !isBetweenHops }
    private var isIdleCounted: Bool { isConnected && !isBetweenHops && holds == 0 }
}
