/// The time of a cache: the wall clock, but never behind the time that has gone by since the cache was made.
///
/// Ages that are measured by a wall clock shrink when somebody sets it back, and old responses would be fresh again. A
/// clock that is set forward only makes them older than they are.
struct CacheClock: Sendable {
    private let wall: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let start: Date
    private let origin: Duration

    /// - Parameters:
    ///   - wall: The date, as the system has it.
    ///   - elapsed: The time since any instant, on a clock that nobody sets and that runs while the machine sleeps.
    init(wall: @escaping @Sendable () -> Date, elapsed: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.elapsed = elapsed
        start = wall()
        origin = elapsed()
    }

    /// The system's clocks.
    init() {
        let origin = ContinuousClock.now
        self.init(wall: { Date() }, elapsed: { origin.duration(to: .now) })
    }

    var now: Date { max(wall(), start.addingTimeInterval((elapsed() - origin) / .seconds(1))) }
}
