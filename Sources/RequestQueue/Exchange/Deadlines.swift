/// When a request has waited too long: arithmetic over instants of a clock that does not run while the process is stopped.
struct Deadlines: Sendable {
    private let timeouts: Timeouts
    private var start: Duration
    private var hopStart: Duration
    private var lastByte: Duration
    private var isConnected = false
    private var isBetweenHops = false
    /// How many times it is us who let the other side wait; another thread may tell a release before its hold.
    private var holds = 0

    /// - Parameter start: When the request began.
    init(_ timeouts: Timeouts, start: Duration) {
        // Instants beyond longer times would overflow.
        func bounded(_ limit: Duration?) -> Duration? { limit.map { min(max($0, .zero), .seconds(Int64.max)) } }
        self.timeouts = Timeouts(
            connect: bounded(timeouts.connect), idle: bounded(timeouts.idle), total: bounded(timeouts.total))
        self.start = start
        hopStart = start
        lastByte = start
    }

    /// A hop is over; until the next one begins only the whole time counts.
    mutating func endHop(at now: Duration) {
        isBetweenHops = true
        lastByte = now
    }

    /// The request goes to a URL, perhaps another one.
    mutating func beginHop(at now: Duration) {
        hopStart = now
        isConnected = false
        isBetweenHops = false
        holds = 0
    }

    /// A byte went or came, or the connection was made.
    mutating func touch(at now: Duration) {
        isConnected = true
        lastByte = now
    }

    /// From now on it is us who have to act.
    mutating func hold(at now: Duration) {
        holds += 1
        lastByte = now
    }

    /// The other side has to act again.
    mutating func release(at now: Duration) {
        holds -= 1
        lastByte = now
    }

    /// The body is sent anew: who waited for the old one waits no longer.
    mutating func dropHolds() { holds = 0 }

    /// The time since the request began.
    func elapsed(at now: Duration) -> Duration { now - start }

    /// What is left of the whole time; nil if that is without end.
    func timeLeft(at now: Duration) -> Duration? { timeouts.total.map { start + $0 - now } }

    /// The time-out that is over, and how long it was.
    ///
    /// Instants noted just before a stop of the process was found out may lie ahead; they are brought back.
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

    /// When to look again; nil: never.
    ///
    /// It is not later than any time-out that can begin after now, so that nobody need be told when one begins.
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
