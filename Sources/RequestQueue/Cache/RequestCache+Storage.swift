extension RequestCache {
    /// How long responses are kept.
    public enum Storage: String, Sendable, Hashable, CaseIterable {
        /// In memory, as long as the cache lives; they are never on the disk.
        case session
        /// On the disk, where the next process finds them.
        case permanent
    }
}
