import Synchronization

/// The events that a subscriber has not read yet.
final class EventBuffer: Sendable {
    private struct State {
        var backlog = EventBacklog()
        var isFinished = false
        /// Resumes the waiting readers when an event is added.
        var signal: OneTimeValue<Void>?
    }

    private enum Step {
        case event(RequestQueue.Event)
        case wait(OneTimeValue<Void>)
        case end
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
            let step: Step = state.withLock { state in
                if let event = state.backlog.takeFirst() { return .event(event) }
                if state.isFinished { return .end }
                let signal = state.signal ?? OneTimeValue()
                state.signal = signal
                return .wait(signal)
            }
            switch step {
            case .event(let event): return event
            case .end: return nil
            case .wait(let signal): guard await signal.value() != nil else { return nil }
            }
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
