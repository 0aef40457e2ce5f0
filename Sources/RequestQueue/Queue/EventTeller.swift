import Synchronization

/// Tells the events of a queue to all who listen: each is told all of them, in one order.
final class EventTeller: Sendable {
    private struct State {
        weak var delegate: (any RequestQueueDelegate)?
        var buffers = WeakList<EventBuffer>()
        /// Whether something was added to the buffers since their readers were woken.
        var hasNews = false
        /// How many calls were added since the mailbox knows of them.
        var newCalls = 0
    }

    private let state = Mutex(State())
    /// What delegates and completions are told: users' code, which may take its time.
    private let calls: EventBuffer
    /// Makes a call an item; a queue that waits in it lives until its delegate was told.
    private let mailbox: Mailbox<RequestQueue?>

    init() {
        let calls = EventBuffer()
        self.calls = calls
        mailbox = Mailbox { queue in
            guard let event = calls.take() else { return }
            if let queue { queue.delegate?.receive(event, from: queue) }
            event.request?.receive(event)
        }
    }

    var delegate: (any RequestQueueDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// A sequence of all that is told from now on.
    func listen() -> RequestQueue.Events {
        let buffer = EventBuffer()
        _ = state.withLock { $0.buffers.add(buffer) }
        return RequestQueue.Events(buffer: buffer)
    }

    /// Tells an event, unless its request has its outcome already.
    ///
    /// Who listens has it when ``wake(_:)`` is called.
    ///
    /// - Parameter attempt: The attempt it belongs to; nothing is told of one that was put back.
    func tell(_ event: RequestQueue.Event, attempt: Int? = nil) {
        // One lock for all buffers: the transport's thread tells of progress while another tells the outcome.
        _ = state.withLock { state -> [EventBuffer] in
            if let request = event.request, !request.note(event, attempt: attempt) { return [] }
            let buffers = state.buffers.living()
            for buffer in buffers { buffer.append(event) }
            state.hasNews = !buffers.isEmpty
            let isHeard = state.delegate != nil || event.request?.isObserved == true
            if isHeard, calls.append(event) { state.newCalls += 1 }
            return buffers
        }
    }

    /// Wakes who listens, for all that was told: a thread that begins to run costs more than all else here.
    ///
    /// - Parameter queue: Whose events they are; nil if that is going.
    func wake(_ queue: RequestQueue?) {
        let (buffers, newCalls) = state.withLock { state -> ([EventBuffer], Int) in
            defer { (state.hasNews, state.newCalls) = (false, 0) }
            return (state.hasNews ? state.buffers.living() : [], state.newCalls)
        }
        for _ in 0..<newCalls { mailbox.post(queue) }
        for buffer in buffers { buffer.wake() }
    }

    /// Ends the sequences.
    func finish() {
        let buffers = state.withLock { state in
            defer { state.buffers = WeakList() }
            return state.buffers.living()
        }
        for buffer in buffers { buffer.finish() }
    }
}
