import Synchronization

/// The events that one who listens has not taken yet.
final class EventBuffer: Sendable {
    private struct State {
        var backlog = EventBacklog()
        var isFinished = false
        /// Comes when there is something for the readers that wait.
        var news: OneTimeValue<Void>?
    }

    private enum Step {
        case event(RequestQueue.Event)
        case wait(OneTimeValue<Void>)
        case end
    }

    private let state = Mutex(State())

    /// Adds an event, without waking who waits for it; whether it took a place of its own.
    @discardableResult
    func append(_ event: RequestQueue.Event) -> Bool { state.withLock { $0.backlog.append(event) } }

    /// Wakes the readers that wait, for what was added.
    func wake() {
        let news = state.withLock { state in
            defer { state.news = nil }
            return state.news
        }
        news?.set(())
    }

    /// Nothing follows what is in it.
    func finish() {
        state.withLock { $0.isFinished = true }
        wake()
    }

    /// The first event, if there is one.
    func take() -> RequestQueue.Event? { state.withLock { $0.backlog.takeFirst() } }

    /// The first event, when there is one; nil at the end, or if the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> RequestQueue.Event? {
        while true {
            let step: Step = state.withLock { state in
                if let event = state.backlog.takeFirst() { return .event(event) }
                if state.isFinished { return .end }
                let news = state.news ?? OneTimeValue()
                state.news = news
                return .wait(news)
            }
            switch step {
            case .event(let event): return event
            case .end: return nil
            case .wait(let news): guard await news.value() != nil else { return nil }
            }
        }
    }
}

/// A buffer in the hands of its readers, which is filled until the last of them releases it.
final class EventSubscription: Sendable {
    let buffer: EventBuffer
    private let teller: EventTeller

    init(_ buffer: EventBuffer, of teller: EventTeller) {
        self.buffer = buffer
        self.teller = teller
    }

    deinit { teller.remove(buffer) }
}
