extension RequestQueue {
    /// The priority of a waiting request.
    ///
    /// Requests of equal priority start in the order in which they were added. To prevent starvation, a request starts
    /// after at most 16 requests of higher priority have overtaken it.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// For background work, such as prefetching.
        case low
        /// The default.
        case normal
        /// Starts before other waiting requests; loading requests continue.
        case high

        /// Whether the first priority is lower.
        public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
    }
}
