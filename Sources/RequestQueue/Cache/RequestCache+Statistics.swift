extension RequestCache {
    /// What a cache has done since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Responses that were loaded without their server's word, fresh ones and those instead of an error.
        public var hits = 0
        /// Responses that were loaded because their server confirmed them, by 304.
        public var revalidations = 0
        /// Requests that asked for something of which nothing was stored.
        public var misses = 0
        /// Responses that were stored, or stored again after they were confirmed.
        public var stored = 0
        /// Responses that were removed because there were more than the limit allows.
        public var evicted = 0
        /// Stored responses that were no whole ones of ours, and were removed.
        public var damaged = 0
        /// Responses that could not be stored, and removals that failed; ``RequestCache/lastError`` has the cause.
        public var failures = 0
    }
}
