import Synchronization

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
