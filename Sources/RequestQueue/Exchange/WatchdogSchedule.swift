/// Who is looked after, and when to look: arithmetic over the instants of a clock.
///
/// Instants of `clock` are the system's; all others leave out the time during which the process was stopped, which a
/// tick tells that comes much too late.
struct WatchdogSchedule: Sendable {
    private struct Entry {
        let watched: any Watched
        var due: Duration
    }

    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var lastUse = Duration.zero
    private(set) var time = Time()

    /// What instants are made of.
    struct Time: Sendable {
        /// When the next tick is to come, by the clock; nil: it does not tick.
        var wake: Duration?
        /// How long the process was stopped so far.
        var stopped = Duration.zero

        /// The instant: no later than a tick may be, since behind one that is overdue there may be a stop.
        func instant(clock: Duration) -> Duration { min(clock, wake.map { $0 + tolerance } ?? clock) - stopped }
    }

    private static let tick = Duration.milliseconds(100)
    /// A later tick than this is a stop, not a busy machine.
    private static let tolerance = Duration.milliseconds(500)
    /// It ticks on for so long after the last request, so that short ones in a row do not wake it.
    private static let linger = Duration.seconds(2)

    /// Looks after somebody from an instant on.
    ///
    /// - Returns: The number to take it back with, and whether `wake` is earlier than before.
    mutating func add(_ watched: any Watched, due: Duration, clock: Duration) -> (index: Int, isEarlier: Bool) {
        let entry = Entry(watched: watched, due: due)
        let index = free.popLast() ?? entries.count
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        lastUse = clock
        // An instant that is over is no late tick.
        let wanted = min(max(due + time.stopped, clock), time.wake ?? clock + Self.tick)
        guard wanted != time.wake else { return (index, false) }
        time.wake = wanted
        return (index, true)
    }

    mutating func remove(_ index: Int) {
        entries[index] = nil
        free.append(index)
    }

    /// A tick.
    ///
    /// - Returns: Who is due.
    mutating func due(clock: Duration) -> [(index: Int, watched: any Watched)] {
        if let wake = time.wake, clock - wake > Self.tolerance { time.stopped += clock - wake }
        let now = clock - time.stopped
        return entries.indices.compactMap { index in
            entries[index].flatMap { $0.due <= now ? (index, $0.watched) : nil }
        }
    }

    /// Looks after somebody later, if the number is still of the same.
    mutating func postpone(_ index: Int, _ watched: any Watched, to due: Duration?) {
        guard entries[index]?.watched === watched else { return }
        entries[index]?.due = due ?? .seconds(Int64.max)
    }

    /// The end of a tick: `wake` is when the next one is to come.
    mutating func scheduleNext(clock: Duration) {
        let isUsed = free.count < entries.count
        if isUsed { lastUse = clock }
        guard isUsed || clock - lastUse < Self.linger else { return time.wake = nil }
        let next = entries.reduce(clock + Self.tick) { min($0, $1.map { $0.due + time.stopped } ?? $0) }
        time.wake = max(next, clock)
    }
}
