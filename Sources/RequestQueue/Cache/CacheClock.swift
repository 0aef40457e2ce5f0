/// The time of a cache: the wall clock, but never less than the time elapsed since the cache was created.
///
/// If only the wall clock were used, setting it back would make old responses fresh again. Setting it forward only
/// makes responses expire earlier.
struct CacheClock: Sendable {
    private let wall: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let start: Date
    private let origin: Duration

    /// - Parameters:
    ///   - wall: Returns the date of the system.
    ///   - elapsed: Returns the time of a monotonic clock that continues while the machine sleeps.
    init(wall: @escaping @Sendable () -> Date, elapsed: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.elapsed = elapsed
        start = wall()
        origin = elapsed()
    }

    /// Creates a clock from the clocks of the system.
    init() {
        let origin = ContinuousClock.now
        self.init(wall: { Date() }, elapsed: { origin.duration(to: .now) })
    }

    var now: Date { max(wall(), start.addingTimeInterval((elapsed() - origin) / .seconds(1))) }
}
