@preconcurrency import Dispatch
import Synchronization

/// Who is looked after by the watchdog.
protocol Watched: AnyObject, Sendable {
    /// Ends what has waited too long.
    ///
    /// - Returns: When to look again; nil: not any more.
    func check(at now: Duration) -> Duration?
}

/// One timer for the time-outs of all requests.
///
/// It ticks while there are requests and a little longer, so that short ones in a row need not wake it. A tick that comes
/// much too late tells that the process was stopped: the clock leaves that time out.
final class Watchdog: Sendable {
    static let shared = Watchdog()

    private struct Entry {
        let watched: any Watched
        var due: Duration
    }

    private struct State {
        var entries: [Entry?] = []
        var free: [Int] = []
        /// When the next tick is to come, on the clock that stops do not halt; nil: it does not tick.
        var wake: Duration?
        var lastUse: Duration = .zero
    }

    private let state = Mutex(State())
    /// Nanoseconds during which the process was stopped.
    private let stopped = Atomic<Int64>(0)
    private let origin = SuspendingClock().now
    private let timer: any DispatchSourceTimer

    private static let tick = Duration.milliseconds(100)
    /// A later tick than this is a stop, not a busy machine.
    private static let tolerance = Duration.milliseconds(500)
    private static let linger = Duration.seconds(2)

    init() {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "mappingkit.watchdog", qos: .userInitiated))
        timer.setEventHandler { [unowned self] in look() }
        timer.activate()
    }

    /// The instant, on a clock that does not run while the process is stopped.
    var now: Duration { clock - .nanoseconds(stopped.load(ordering: .relaxed)) }

    private var clock: Duration { origin.duration(to: SuspendingClock().now) }

    /// Looks after somebody from an instant on.
    ///
    /// - Returns: The number to take it back with.
    func add(_ watched: some Watched, due: Duration) -> Int {
        state.withLock { state in
            let entry = Entry(watched: watched, due: due)
            let index = state.free.popLast() ?? state.entries.count
            if index == state.entries.count { state.entries.append(entry) } else { state.entries[index] = entry }
            let wake = due + .nanoseconds(stopped.load(ordering: .relaxed))
            if state.wake.map({ wake < $0 }) ?? true {
                schedule(min(wake, state.wake ?? clock + Self.tick), &state)
            }
            return index
        }
    }

    func remove(_ index: Int) {
        state.withLock { state in
            state.entries[index] = nil
            state.free.append(index)
        }
    }

    /// A tick: everyone who is due looks at its time-outs.
    private func look() {
        let clock = clock
        let due = state.withLock { state in
            if let wake = state.wake, clock - wake > Self.tolerance {
                let gap = (clock - wake) / .nanoseconds(1)
                stopped.add(Int64(gap), ordering: .relaxed)
            }
            let now = now
            return state.entries.indices.compactMap { index in
                state.entries[index].flatMap { $0.due <= now ? (index, $0.watched) : nil }
            }
        }
        for (index, watched) in due {
            let next = watched.check(at: now)
            state.withLock { state in
                // Its number may be somebody else's by now.
                guard state.entries[index]?.watched === watched else { return }
                state.entries[index]?.due = next ?? .seconds(Int64.max)
            }
        }
        state.withLock { state in
            let isUsed = state.free.count < state.entries.count
            if isUsed { state.lastUse = clock }
            guard isUsed || clock - state.lastUse < Self.linger else {
                state.wake = nil
                return
            }
            let earliest = state.entries.reduce(now + Self.tick) { min($0, $1?.due ?? $0) }
            schedule(earliest + .nanoseconds(stopped.load(ordering: .relaxed)), &state)
        }
    }

    private func schedule(_ wake: Duration, _ state: inout State) {
        state.wake = wake
        let delay = max((wake - clock) / .nanoseconds(1), 0)
        timer.schedule(deadline: .now() + .nanoseconds(Int(delay)), leeway: .milliseconds(1))
    }
}
