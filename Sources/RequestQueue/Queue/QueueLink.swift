/// What a queue knows of the way to its host.
struct QueueLink: Sendable {
    /// Nil: nobody tells, and the host is taken to be reachable.
    var state: QueueLinkState?
    /// Whether requests wait while the host cannot be reached.
    var waits = false
    /// Counts changes.
    var changes = 0

    /// Whether nothing may be started.
    var holds: Bool { state == .undetermined || (state == .away && waits) }

    /// Whether a request that found no connection may have to wait for one.
    var mayBeAway: Bool { state != nil && waits }
}

/// Whether the way to a host is there.
package enum QueueLinkState: Sendable, Hashable {
    case undetermined
    case there
    case away
}
