extension RequestCache {
    /// The place where responses are stored.
    public enum Storage: String, Sendable, Hashable, CaseIterable {
        /// In memory while the cache exists; never on the disk.
        case session
        /// On the disk, across launches.
        case permanent
    }
}
