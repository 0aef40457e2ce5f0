extension RequestQueue {
    /// Why a queue starts no request.
    ///
    /// Reasons do not know of each other: the queue runs when none is left.
    public enum SuspensionReason: String, Sendable, Hashable, CaseIterable {
        /// It was not started yet, or was suspended by hand.
        case user
        /// The process is in the background.
        case background
        /// The network is away, or it is not known yet whether it is there.
        case reachability
    }
}
