extension RequestQueue {
    /// A reason for which a queue starts no requests.
    ///
    /// Reasons are independent: the queue runs when no reason is left.
    public enum SuspensionReason: String, Sendable, Hashable, CaseIterable {
        /// The queue has not been started, or was suspended by a call.
        case user
        /// The process is in the background.
        case background
        /// The network is unavailable, or its state is not known yet.
        case reachability
    }
}
