/// The events that a transport's thread processes before it waits for further ones.
///
/// Waking a thread takes longer than processing an event, so receivers are notified once for the events of a batch.
final class EventBatch: Sendable {
    /// Work that waits for the end of a batch.
    private struct Postponed {
        let work: @Sendable () -> Void
        let due: ContinuousClock.Instant
        /// Whether it is done at the end of this batch.
        var isUrgent: Bool
    }

    private struct State {
        /// Whether the thread processes events.
        var isOpen = false
        var postponed: [ObjectIdentifier: Postponed] = [:]
    }

    /// The batch of this thread; also inherited by tasks, which may run when it is not open.
    @TaskLocal private static var current: EventBatch?

    /// The maximum time for which work is postponed.
    private let limit: Duration
    private let state = Mutex(State())

    init(limit: Duration = .milliseconds(1)) { self.limit = limit }

    /// Whether work remains after ``run(_:)``, which has to be called again within a millisecond.
    var hasPostponedWork: Bool { state.withLock { !$0.postponed.isEmpty } }

    /// Runs a closure, and then the work that is urgent or due.
    func run(_ body: () -> Void) {
        state.withLock { $0.isOpen = true }
        Self.$current.withValue(self, operation: body)
        let ready = state.withLock { state -> [ObjectIdentifier: Postponed] in
            state.isOpen = false
            if state.postponed.isEmpty { return [:] }
            let (now, all) = (ContinuousClock.now, state.postponed)
            state.postponed = all.filter { !$0.value.isUrgent && now < $0.value.due }
            return state.postponed.isEmpty ? all : all.filter { state.postponed[$0.key] == nil }
        }
        for postponed in ready.values { postponed.work() }
    }

    /// Postpones work in the batch of this thread, once for each owner.
    ///
    /// - Parameters:
    ///   - owner: An object that the work retains.
    ///   - isUrgent: Whether the work is done at the end of the batch at the latest; otherwise it is done at the end of a
    ///     later batch, within a millisecond.
    ///   - work: The work.
    /// - Returns: `false` if the thread processes no batch; the work is not postponed then.
    static func postpone(for owner: AnyObject, isUrgent: Bool, _ work: @escaping @Sendable () -> Void) -> Bool {
        guard let current else { return false }
        let (now, owner) = (ContinuousClock.now, ObjectIdentifier(owner))
        // Released outside the lock.
        let (isOpen, due) = current.state.withLock { state -> (Bool, Postponed?) in
            guard state.isOpen else { return (false, nil) }
            guard let former = state.postponed[owner] else {
                state.postponed[owner] = Postponed(work: work, due: now + current.limit, isUrgent: isUrgent)
                return (true, nil)
            }
            // A long batch does not delay its events further.
            if now >= former.due { return (true, state.postponed.removeValue(forKey: owner)) }
            if isUrgent, !former.isUrgent { state.postponed[owner]?.isUrgent = true }
            return (true, nil)
        }
        due?.work()
        return isOpen
    }
}
