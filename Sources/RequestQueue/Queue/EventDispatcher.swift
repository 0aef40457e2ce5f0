/// Sends the events of a queue to its delegate and all subscribers; each receives all events in the same order.
final class EventDispatcher: Sendable {
    /// The mailbox of a request, and where its events are delivered.
    fileprivate typealias IdleMailbox = (mailbox: Mailbox<RequestEvent>, executor: CallbackExecutor)

    private struct State {
        weak var delegate: (any RequestQueueDelegate)?
        /// Whether a delegate was ever set; the callbacks of requests are then called after the delegate.
        ///
        /// A flag, because reading the weak reference could release the delegate under the lock.
        var hadDelegate = false
        /// Where the delegate is called.
        var executor = CallbackExecutor.separateThreads
        var buffers: [EventBuffer] = []
        /// The number of calls that were added and are not in the mailbox yet.
        var newCallCount = 0
        /// Whether ``deliverSoon(from:)`` has scheduled a delivery.
        var isDeliveryScheduled = false
        /// The mailboxes of requests whose delivery has to be started.
        var idleMailboxes: [IdleMailbox] = []
    }

    private let state = Mutex(State())
    /// Whether a delegate or a subscriber receives events.
    private let hasReceivers = Atomic(false)
    /// The events for the delegate, which can be slow.
    private let calls: EventBuffer
    /// A separate queue has its own thread while it works, even if other threads are blocked.
    private let delayedDeliveries = DispatchQueue(label: "RequestQueue.events")
    /// One delegate call per item; the item retains the queue until its delegate has been notified.
    private let mailbox: Mailbox<RequestQueue?>

    init() {
        let calls = EventBuffer()
        self.calls = calls
        mailbox = Mailbox { queue in
            guard let event = calls.take() else { return }
            if let queue { queue.delegate?.receive(event, from: queue) }
            if let idle = event.addedToMailbox() { idle.mailbox.start(on: idle.executor) }
        }
    }

    /// Whether a timer will deliver events.
    var isDeliveryScheduled: Bool { state.withLock { $0.isDeliveryScheduled } }

    var executor: CallbackExecutor {
        get { state.withLock { $0.executor } }
        set {
            // The previous executor is released outside the lock: it may run user code.
            var executor = newValue
            state.withLock { swap(&$0.executor, &executor) }
        }
    }

    var delegate: (any RequestQueueDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            state.withLock { state in
                state.delegate = newValue
                if newValue != nil { state.hadDelegate = true }
                noteReceivers(state)
            }
        }
    }

    /// Returns a sequence of all later events.
    func subscribe() -> RequestQueue.Events {
        let buffer = EventBuffer()
        state.withLock { state in
            state.buffers.append(buffer)
            noteReceivers(state)
        }
        return RequestQueue.Events(subscription: EventSubscription(buffer, of: self))
    }

    /// Stops adding events to a buffer.
    func remove(_ buffer: EventBuffer) {
        // Released outside the lock: the deinitializers of the buffer and its events may run user code.
        _ = state.withLock { state in
            let removed = state.buffers.firstIndex { $0 === buffer }.map { state.buffers.remove(at: $0) }
            noteReceivers(state)
            return removed
        }
    }

    private func noteReceivers(_ state: State) {
        hasReceivers.store(state.hadDelegate || !state.buffers.isEmpty, ordering: .relaxed)
    }

    /// Whether anything receives the events of a request now.
    func isListening(to request: QueuedRequest) -> Bool {
        request.mailbox != nil || hasReceivers.load(ordering: .relaxed)
    }

    /// Adds an event for all receivers, unless its request already has its outcome.
    ///
    /// The event is delivered by the next call of ``deliver(from:)``.
    ///
    /// - Parameter attempt: The attempt that caused the event; events of a requeued attempt are ignored.
    func post(_ event: RequestQueue.Event, attempt: Int? = nil) {
        // One lock for all buffers: the transport's thread can post progress while another thread posts the outcome.
        state.withLock { state in
            if let request = event.request, !request.record(event, attempt: attempt) { return }
            for buffer in state.buffers { buffer.append(event) }
            if state.hadDelegate {
                if calls.append(event) { state.newCallCount += 1 }
            } else if let idle = event.addedToMailbox() {
                state.idleMailboxes.append(idle)
            }
        }
    }

    /// Delivers the posted events; called once for several events, because waking a thread is expensive.
    ///
    /// - Parameter queue: The queue of the events; `nil` while it is being released.
    func deliver(from queue: RequestQueue?) {
        let (buffers, newCallCount, idleMailboxes, executor) = state.withLock { state in
            defer { (state.newCallCount, state.idleMailboxes) = (0, []) }
            return (state.buffers, state.newCallCount, state.idleMailboxes, state.executor)
        }
        for _ in 0..<newCallCount { if mailbox.append(queue) { mailbox.start(on: executor) } }
        for idle in idleMailboxes { idle.mailbox.start(on: idle.executor) }
        for buffer in buffers { buffer.wake() }
    }

    /// Delivers the posted events within a millisecond, together with those that follow until then.
    ///
    /// Of the events of a short request, only the outcome wakes the receivers' threads. Without receivers, there is no timer.
    func deliverSoon(from queue: RequestQueue) {
        let isScheduled = state.withLock { state in
            guard state.newCallCount > 0 || !state.idleMailboxes.isEmpty || !state.buffers.isEmpty else { return true }
            defer { state.isDeliveryScheduled = true }
            return state.isDeliveryScheduled
        }
        if isScheduled { return }
        delayedDeliveries.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak queue] in
            self.state.withLock { $0.isDeliveryScheduled = false }
            // A released queue has delivered its events.
            if let queue { self.deliver(from: queue) }
        }
    }

    /// Ends the sequences.
    func finish() {
        let buffers = state.withLock { state in
            defer { state.buffers = [] }
            return state.buffers
        }
        for buffer in buffers { buffer.finish() }
    }
}

extension RequestQueue.Event {
    /// Adds the event of a request to the mailbox of the request.
    ///
    /// - Returns: The mailbox and its executor if the delivery has to be started.
    fileprivate func addedToMailbox() -> EventDispatcher.IdleMailbox? {
        guard let request, let mailbox = request.mailbox, let event = requestEvent,
            mailbox.append(event, replacing: { $0.isReplaced(by: event) })
        else { return nil }
        return (mailbox, request.request.callbackExecutor)
    }
}
