extension RequestQueue {
    /// Which of the requests that wait goes first: the one of the highest priority, among equals the one added first.
    ///
    /// None waits for ever: after sixteen of higher priority have passed one, it is its turn.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// After what people wait for, as a prefetch.
        case low
        /// As everything goes unless told otherwise.
        case normal
        /// Before all others that wait; what is loading goes on.
        case high

        /// Whether one goes after the other.
        public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
    }
}
