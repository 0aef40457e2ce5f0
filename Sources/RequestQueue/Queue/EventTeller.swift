import Synchronization

/// Tells the events of a queue to all who listen: each is told all of them, in one order.
final class EventTeller: Sendable {
    private struct State {
        weak var delegate: (any RequestQueueDelegate)?
        /// Whether a delegate was ever set: events of all requests then pass its line, so that it receives them first.
        ///
        /// The reference is not read under the lock: that could release the delegate there.
        var hadDelegate = false
        /// Where the delegate is called.
        var executor = CallbackExecutor.separateThreads
        var buffers: [EventBuffer] = []
        /// Whether something was added to the buffers since their readers were woken.
        var hasNews = false
        /// How many calls were added since the mailbox knows of them.
        var newCalls = 0
        /// The lines of requests whose delivery has to be started.
        var newLines: [(line: Mailbox<RequestQueue.Event>, executor: CallbackExecutor)] = []
    }

    private let state = Mutex(State())
    /// What the delegate receives: user code, which may take its time.
    private let calls: EventBuffer
    /// Makes a call an item; a queue that waits in it lives until its delegate was notified.
    private let mailbox: Mailbox<RequestQueue?>

    init() {
        let calls = EventBuffer()
        self.calls = calls
        mailbox = Mailbox { queue in
            guard let event = calls.take() else { return }
            if let queue { queue.delegate?.receive(event, from: queue) }
            guard let request = event.request, let line = request.line else { return }
            if line.append(event, replacing: event.replaces) { line.start(on: request.request.callbackExecutor) }
        }
    }

    var executor: CallbackExecutor {
        get { state.withLock { $0.executor } }
        set {
            // The former one leaves the lock before it is released.
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
            }
        }
    }

    /// A sequence of all later events.
    func listen() -> RequestQueue.Events {
        let buffer = EventBuffer()
        state.withLock { $0.buffers.append(buffer) }
        return RequestQueue.Events(subscription: EventSubscription(buffer, of: self))
    }

    /// Adds nothing more to a buffer.
    func remove(_ buffer: EventBuffer) {
        // Released outside the lock, as its events may be: their deinitializers may run user code.
        _ = state.withLock { state in
            state.buffers.firstIndex { $0 === buffer }.map { state.buffers.remove(at: $0) }
        }
    }

    /// Tells an event, unless its request has its outcome already.
    ///
    /// Who listens has it when ``wake(_:)`` is called.
    ///
    /// - Parameter attempt: The attempt it belongs to; nothing is told of one that was put back.
    func tell(_ event: RequestQueue.Event, attempt: Int? = nil) {
        // One lock for all buffers: the transport's thread tells of progress while another tells the outcome.
        state.withLock { state in
            if let request = event.request, !request.note(event, attempt: attempt) { return }
            for buffer in state.buffers { buffer.append(event) }
            state.hasNews = !state.buffers.isEmpty
            if state.hadDelegate {
                if calls.append(event) { state.newCalls += 1 }
            } else if let request = event.request, let line = request.line,
                line.append(event, replacing: event.replaces)
            {
                state.newLines.append((line, request.request.callbackExecutor))
            }
        }
    }

    /// Wakes who listens, for all that was told: a thread that begins to run costs more than all else here.
    ///
    /// - Parameter queue: Whose events they are; nil if that is going.
    func wake(_ queue: RequestQueue?) {
        let (buffers, newCalls, newLines, executor) = state.withLock { state in
            defer { (state.hasNews, state.newCalls, state.newLines) = (false, 0, []) }
            return (state.hasNews ? state.buffers : [], state.newCalls, state.newLines, state.executor)
        }
        for _ in 0..<newCalls { if mailbox.append(queue) { mailbox.start(on: executor) } }
        for (line, executor) in newLines { line.start(on: executor) }
        for buffer in buffers { buffer.wake() }
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
