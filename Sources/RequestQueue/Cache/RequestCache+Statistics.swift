extension RequestCache {
    /// Counts of the operations of a cache since it was created.
    public struct Statistics: Sendable, Hashable {
        /// Responses loaded without validation, including those loaded instead of an error.
        public var hits = 0
        /// Responses loaded after the server validated them with status 304.
        public var revalidations = 0
        /// Requests for which no response was stored.
        public var misses = 0
        /// Responses stored, including those stored again after validation.
        public var stored = 0
        /// Responses removed because the size limit was exceeded.
        public var evicted = 0
        /// Damaged stored responses that were removed.
        public var damaged = 0
        /// Failures to store or remove responses; ``RequestCache/lastError`` contains the cause.
        public var failures = 0
    }

    /// The place where responses are stored.
    public enum Storage: String, Sendable, Hashable, CaseIterable {
        /// In memory while the cache exists; never on the disk.
        case session
        /// On the disk, across launches.
        case permanent
    }
}

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
