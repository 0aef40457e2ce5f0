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
}
