import Synchronization

/// What any thread tells a queue, in its order, until the queue's actor takes it.
final class QueueInbox: Sendable {
    enum Item: Sendable {
        case add(QueuedRequest)
        case cancel(QueuedRequest)
        case finish(QueuedRequest, Result<RESTResponse, RequestError>)
    }

    private struct State {
        weak var queue: RequestQueue?
        var items: [Item] = []
        var hasTask = false
    }

    private let state = Mutex(State())

    /// Whose inbox it is; it is not kept alive, but by what waits to be taken.
    func belong(to queue: RequestQueue) { state.withLock { $0.queue = queue } }

    /// - Parameter item: What the queue has to know; nil: it is woken to look after its listeners.
    func post(_ item: Item?) {
        let queue: RequestQueue? = state.withLock { state in
            guard let queue = state.queue else { return nil }
            if let item { state.items.append(item) }
            if state.hasTask { return nil }
            state.hasTask = true
            return queue
        }
        if let queue { Task.detached { await queue.catchUp(endsTask: true) } }
    }

    /// - Parameter endsTask: Whether it is the task that takes: for what is posted later there will be another.
    func take(endsTask: Bool = false) -> [Item] {
        state.withLock { state in
            if endsTask { state.hasTask = false }
            defer { state.items = [] }
            return state.items
        }
    }
}
