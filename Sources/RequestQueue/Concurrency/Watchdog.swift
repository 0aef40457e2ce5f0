/// An object with timeouts that the watchdog checks.
protocol Watched: AnyObject, Sendable {
    /// Ends the object if a timeout has expired.
    ///
    /// - Returns: The instant of the next check; `nil` if no check is required.
    func check(at now: Duration) -> Duration?
}

/// One timer for the timeouts of all requests; it runs only while there are requests, and a short time afterwards.
final class Watchdog: Sendable {
    static let shared = Watchdog()

    private let schedule = Mutex(WatchdogSchedule())
    /// The time of the schedule, behind a lock that is held only briefly.
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

    /// The current instant of a clock that stops while the process is suspended.
    var now: Duration { time.withLock { $0.instant(clock: clock) } }

    private var clock: Duration { origin.duration(to: SuspendingClock().now) }

    /// Checks an object from an instant on.
    ///
    /// - Returns: The identifier with which it is removed.
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
            // The tick has occurred, and no other one is scheduled yet.
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

/// Calls a function once, at an instant of the watchdog's clock; the watchdog retains it until then.
final class Alarm: Watched {
    private struct State {
        var number: Int?
        var isDone = false
    }

    private let body: @Sendable () -> Void
    private let state = Mutex(State())

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    @discardableResult
    static func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        // Limits the delay, so that the instant does not overflow.
        set(at: Watchdog.shared.now + min(delay, .seconds(Int32.max)), body)
    }

    static func set(at instant: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        let alarm = Alarm(body)
        let number = Watchdog.shared.add(alarm, due: instant)
        let isDone = alarm.state.withLock { state in
            state.number = number
            return state.isDone
        }
        if isDone { Watchdog.shared.remove(number) }
        return alarm
    }

    /// Cancels the alarm; a call that is already running is not affected.
    func cancel() {
        let number = state.withLock { state in
            defer { state.isDone = true }
            return state.isDone ? nil : state.number
        }
        if let number { Watchdog.shared.remove(number) }
    }

    func check(at now: Duration) -> Duration? {
        let (isFirst, number) = state.withLock { state in
            defer { state.isDone = true }
            return (!state.isDone, state.number)
        }
        guard isFirst else { return nil }
        if let number { Watchdog.shared.remove(number) }
        body()
        return nil
    }
}
