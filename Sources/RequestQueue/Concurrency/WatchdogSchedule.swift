/// The watched objects and the times of their checks, calculated from instants of a clock.
///
/// Values of `clock` are those of the system clock. All other instants exclude the time during which the process was
/// suspended, which is detected by a late tick.
struct WatchdogSchedule: Sendable {
    private struct Entry {
        let watched: any Watched
        var due: Duration
    }

    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var lastUse = Duration.zero
    private(set) var time = Time()

    /// The values from which instants are calculated.
    struct Time: Sendable {
        /// The clock value of the next tick; `nil` if the timer is stopped.
        var wake: Duration?
        /// The total time during which the process was suspended.
        var stopped = Duration.zero

        /// Returns the current instant, limited to the latest time of the next tick.
        ///
        /// An overdue tick can indicate a suspension.
        func instant(clock: Duration) -> Duration { min(clock, wake.map { $0 + tolerance } ?? clock) - stopped }
    }

    private static let tick = Duration.milliseconds(100)
    /// A tick with a longer delay is a suspension and not a busy machine.
    private static let tolerance = Duration.milliseconds(500)
    /// The time for which it ticks after the last request, so that frequent short requests do not restart it.
    private static let idleTime = Duration.seconds(2)

    /// Checks an object from an instant on.
    ///
    /// - Returns: The identifier with which it is removed, and whether `wake` is earlier than before.
    mutating func add(_ watched: any Watched, due: Duration, clock: Duration) -> (index: Int, isEarlier: Bool) {
        let entry = Entry(watched: watched, due: due)
        let index = free.popLast() ?? entries.count
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        lastUse = clock
        // An instant in the past is not a late tick.
        let wake = min(max(due + time.stopped, clock), time.wake ?? clock + Self.tick)
        guard wake != time.wake else { return (index, false) }
        time.wake = wake
        return (index, true)
    }

    mutating func remove(_ index: Int) {
        entries[index] = nil
        free.append(index)
    }

    /// Processes a tick.
    ///
    /// - Returns: The objects to check.
    mutating func due(clock: Duration) -> [(index: Int, watched: any Watched)] {
        if let wake = time.wake, clock - wake > Self.tolerance { time.stopped += clock - wake }
        let now = clock - time.stopped
        return entries.indices.compactMap { index in
            entries[index].flatMap { $0.due <= now ? (index, $0.watched) : nil }
        }
    }

    /// Postpones the check of an object, if the identifier still belongs to it.
    mutating func postpone(_ index: Int, _ watched: any Watched, to due: Duration?) {
        guard entries[index]?.watched === watched else { return }
        entries[index]?.due = due ?? .seconds(Int64.max)
    }

    /// Ends a tick and schedules the next one.
    mutating func scheduleNext(clock: Duration) {
        let isUsed = free.count < entries.count
        if isUsed { lastUse = clock }
        guard isUsed || clock - lastUse < Self.idleTime else { return time.wake = nil }
        let next = entries.reduce(clock + Self.tick) { min($0, $1.map { $0.due + time.stopped } ?? $0) }
        time.wake = max(next, clock)
    }
}
