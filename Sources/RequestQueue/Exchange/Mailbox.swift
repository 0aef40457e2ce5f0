import Synchronization

/// Hands items over one after the other, in the order in which they were posted and never on the thread that posts.
///
/// A task runs only while items wait: it keeps the mailbox, and so what is posted, until all is delivered.
package final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isDraining = false

        /// Adds an item; whether a task has to be started for it.
        mutating func append(_ item: Item) -> Bool {
            waiting.append(item)
            defer { isDraining = true }
            return !isDraining
        }
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Item) async -> Void

    /// - Parameter deliver: Takes an item; it is called for the next one when it has returned.
    package init(_ deliver: @escaping @Sendable (Item) async -> Void) {
        self.deliver = deliver
    }

    /// Adds an item behind those that wait.
    package func post(_ item: Item) {
        if state.withLock({ $0.append(item) }) { startDraining() }
    }

    /// Adds an item, or puts it into the place of the one that waits last: progress after progress.
    ///
    /// - Parameter isReplaced: Whether the item that waits last has no use beside the new one. It must not post.
    package func post(_ item: Item, replacing isReplaced: (Item) -> Bool) {
        // What is replaced leaves with the result: its deinitialiser must not run under the lock.
        let (mustStart, _): (Bool, Item?) = state.withLock { state in
            guard let last = state.waiting.last, isReplaced(last) else { return (state.append(item), nil) }
            state.waiting[state.waiting.count - 1] = item
            return (false, last)
        }
        if mustStart { startDraining() }
    }

    private func startDraining() {
        // Detached: who posts first lends neither its priority nor its task-local values to all that follows.
        Task.detached { await self.drain() }
    }

    private func drain() async {
        while true {
            let batch = state.withLock { state in
                let batch = state.waiting
                state.waiting = []
                state.isDraining = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            for item in batch { await deliver(item) }
        }
    }
}
