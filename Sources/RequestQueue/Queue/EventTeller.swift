import Synchronization

/// Tells the events of a queue to all who listen: each is told all of them, in one order.
final class EventTeller: Sendable {
    private struct WeakBuffer {
        weak var buffer: EventBuffer?
    }

    private struct State {
        weak var delegate: (any RequestQueueDelegate)?
        var buffers: [WeakBuffer] = []
        /// Whether something was added to the buffers since their readers were woken.
        var hasNews = false
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
        state.withLock { state in
            state.buffers.removeAll { $0.buffer == nil }
            state.buffers.append(WeakBuffer(buffer: buffer))
        }
        return RequestQueue.Events(buffer: buffer)
    }

    /// Tells an event, unless its request has its outcome already.
    ///
    /// Readers have it when they are woken.
    ///
    /// - Parameter queue: Whose event it is; nil if that is going, and has no delegate any more.
    /// - Returns: Whether the readers should be woken soon, and were not yet to be.
    @discardableResult
    func tell(_ event: RequestQueue.Event, of queue: RequestQueue?) -> Bool {
        // One lock for all buffers: the transport's thread tells of progress while the queue tells the outcome.
        let (isNews, isCall) = state.withLock { state -> (Bool, Bool) in
            if let request = event.request, !request.note(event) { return (false, false) }
            for listener in state.buffers { listener.buffer?.append(event) }
            let isNews = !state.buffers.isEmpty && !state.hasNews
            state.hasNews = state.hasNews || isNews
            let isHeard = state.delegate != nil && queue != nil || event.request?.isObserved == true
            return (isNews, isHeard && calls.append(event))
        }
        if isCall { mailbox.post(queue) }
        return isNews
    }

    /// Wakes the readers for all that was told: a thread that begins to run costs more than all else here.
    func wake() {
        let buffers = state.withLock { state -> [WeakBuffer] in
            defer { state.hasNews = false }
            return state.hasNews ? state.buffers : []
        }
        for listener in buffers { listener.buffer?.wake() }
    }

    /// Ends the sequences.
    func finish() {
        let buffers = state.withLock { state in
            defer { state.buffers = [] }
            return state.buffers
        }
        for listener in buffers { listener.buffer?.finish() }
    }
}
