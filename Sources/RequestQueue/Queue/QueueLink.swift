/// The reachability of a queue's host, and what it means for the queue.
struct QueueLink: Sendable {
    /// `nil` without an observer: the host is assumed to be reachable.
    var state: QueueLinkState?
    /// Whether requests wait while the host is unreachable.
    var waits = false
    /// The number of changes.
    var changes = 0

    /// Whether no request may start.
    var suspendsQueue: Bool { state == .undetermined || (state == .unreachable && waits) }

    /// Whether a request whose connection failed may have to wait for the network.
    var mayBeUnreachable: Bool { state != nil && waits }
}

/// Whether a host is reachable.
package enum QueueLinkState: Sendable, Hashable {
    case undetermined
    case reachable
    case unreachable
}
