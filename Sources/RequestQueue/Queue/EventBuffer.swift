/// The events that a subscriber has not read yet.
final class EventBuffer: Sendable {
    private struct State {
        var backlog = EventBacklog()
        var isFinished = false
        /// Resumes the waiting readers when an event is added.
        var signal: OneTimeValue<Void>?
    }

    private let state = Mutex(State())

    /// Adds an event without waking readers; returns `false` if it replaced an earlier one.
    @discardableResult
    func append(_ event: RequestQueue.Event) -> Bool { state.withLock { $0.backlog.append(event) } }

    /// Wakes the waiting readers.
    func wake() {
        state.withLock { $0.signal.take() }?.set(())
    }

    /// Ends the events after those in the buffer.
    func finish() {
        state.withLock { $0.isFinished = true }
        wake()
    }

    /// Removes and returns the first event; `nil` if the buffer is empty.
    func take() -> RequestQueue.Event? { state.withLock { $0.backlog.takeFirst() } }

    /// Removes and returns the first event, and waits for it; `nil` at the end, or if the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> RequestQueue.Event? {
        while true {
            let (event, signal) = state.withLock { state -> (RequestQueue.Event?, OneTimeValue<Void>?) in
                if let event = state.backlog.takeFirst() { return (event, nil) }
                if state.isFinished { return (nil, nil) }
                state.signal = state.signal ?? OneTimeValue()
                return (nil, state.signal)
            }
            guard let signal else { return event }
            if await signal.value() == nil { return nil }
        }
    }
}

/// A buffer and its readers; it receives events until the last reader is released.
final class EventSubscription: Sendable {
    let buffer: EventBuffer
    private let dispatcher: EventDispatcher

    init(_ buffer: EventBuffer, of dispatcher: EventDispatcher) {
        self.buffer = buffer
        self.dispatcher = dispatcher
    }

    deinit { dispatcher.remove(buffer) }
}

/// Events that were posted and not read yet, in order.
///
/// Progress replaces earlier progress of its request if that is the last event of the request. A slow reader therefore
/// costs one event per request and not one per received buffer.
struct EventBacklog: Sendable {
    private var events = FIFOQueue<RequestQueue.Event>()
    /// The number of events that were removed.
    private var taken = 0
    /// The positions of replaceable progress events, counted from the first event that was ever added.
    private var places: [QueuedRequest.ID: Int] = [:]

    /// Adds an event; returns `false` if it replaced an earlier one.
    mutating func append(_ event: RequestQueue.Event) -> Bool {
        if let id = event.request?.id {
            if case .didProgress = event {
                if let place = places[id], place >= taken {
                    events.replace(at: place - taken, with: event)
                    return false
                }
                places[id] = taken + events.count
            } else if !places.isEmpty {
                places[id] = nil
            }
        }
        events.append(event)
        return true
    }

    mutating func takeFirst() -> RequestQueue.Event? {
        guard let event = events.takeFirst() else { return nil }
        taken += 1
        return event
    }
}

extension RequestQueue {
    /// The events of a queue since the sequence was created; it ends when the queue is released.
    ///
    /// Events are buffered until they are read; of several progress events of a request only the latest is kept. An unread
    /// sequence therefore retains all outcomes with their responses until it is released. Two loops over one sequence
    /// divide its events between them; to receive all events in both, read ``RequestQueue/events`` twice.
    public struct Events: AsyncSequence, Sendable {
        let subscription: EventSubscription

        /// Creates an iterator over the unread events.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

        /// An iterator over the events of a queue.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let subscription: EventSubscription

            /// The next event; nil after the queue's end, or if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
                await subscription.buffer.next(isolation: actor)
            }
        }
    }
}
