import Dispatch
import Synchronization

/// Who is looked after by the watchdog.
protocol Watched: AnyObject, Sendable {
    /// Ends what has waited too long.
    ///
    /// - Returns: When to look again; nil: not any more.
    func check(at now: Duration) -> Duration?
}

/// One timer for the time-outs of all requests; it ticks only while there are some, and a little longer.
final class Watchdog: Sendable {
    static let shared = Watchdog()

    private let schedule = Mutex(WatchdogSchedule())
    /// What the schedule knows of the time, behind a lock that nobody holds for long.
    private let time = Mutex(WatchdogSchedule.Time())
    private let origin = SuspendingClock().now
    private let timer: SharedSource<any DispatchSourceTimer>

    init() {
        let queue = DispatchQueue(label: "mappingkit.watchdog", qos: .userInitiated)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = SharedSource(timer)
        timer.setEventHandler { [weak self] in self?.look() }
        timer.activate()
    }

    /// The instant, on a clock that does not run while the process is stopped.
    var now: Duration { time.withLock { $0.instant(clock: clock) } }

    private var clock: Duration { origin.duration(to: SuspendingClock().now) }

    /// Looks after somebody from an instant on.
    ///
    /// - Returns: The number to take it back with.
    func add(_ watched: some Watched, due: Duration) -> Int {
        schedule.withLock { schedule in
            let (index, isEarlier) = schedule.add(watched, due: due, clock: clock)
            if isEarlier { set(schedule.time) }
            return index
        }
    }

    func remove(_ index: Int) { schedule.withLock { $0.remove(index) } }

    private func look() {
        let due = schedule.withLock { schedule in
            let due = schedule.due(clock: clock)
            // The tick has come, and no other is awaited yet.
            time.withLock { $0 = WatchdogSchedule.Time(wake: nil, stopped: schedule.time.stopped) }
            return due
        }
        for (index, watched) in due {
            let next = watched.check(at: now)
            schedule.withLock { $0.postpone(index, watched, to: next) }
        }
        schedule.withLock { schedule in
            schedule.scheduleNext(clock: clock)
            set(schedule.time)
        }
    }

    private func set(_ next: WatchdogSchedule.Time) {
        time.withLock { $0 = next }
        guard let wake = next.wake else { return }
        let delay = max((wake - clock) / .nanoseconds(1), 0)
        timer.source.schedule(deadline: .now() + .nanoseconds(Int(delay)), leeway: .milliseconds(1))
    }
}
