import Synchronization

/// Delivers items one after the other, in the order in which they were posted and never on the thread that posts.
///
/// A block of the executor runs only while items wait: it keeps the mailbox, and so what is posted, until all is
/// delivered.
package final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isDraining = false
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Item) -> Void

    /// - Parameter deliver: Takes an item; it is called for the next one when it has returned.
    package init(_ deliver: @escaping @Sendable (Item) -> Void) { self.deliver = deliver }

    /// Adds an item behind those that wait, and delivers it by an executor unless the delivery is under way.
    package func post(
        _ item: Item, on executor: CallbackExecutor = .separateThreads,
        replacing isReplaced: (Item) -> Bool = { _ in false }
    ) {
        if append(item, replacing: isReplaced) { start(on: executor) }
    }

    /// Adds an item, or puts it into the place of the one that waits last: progress after progress.
    ///
    /// - Parameter isReplaced: Whether the item that waits last has no use beside the new one. It must not post.
    /// - Returns: Whether the caller has to start the delivery.
    package func append(_ item: Item, replacing isReplaced: (Item) -> Bool = { _ in false }) -> Bool {
        // What is replaced leaves with the result: its deinitializer must not run under the lock.
        let (mustStart, _): (Bool, Item?) = state.withLock { state in
            if let last = state.waiting.last, isReplaced(last) {
                state.waiting[state.waiting.count - 1] = item
                return (false, last)
            }
            state.waiting.append(item)
            defer { state.isDraining = true }
            return (!state.isDraining, nil)
        }
        return mustStart
    }

    /// Delivers what waits, and what is added meanwhile.
    package func start(on executor: CallbackExecutor) { executor.run { self.drain() } }

    private func drain() {
        while true {
            let batch = state.withLock { state in
                let batch = state.waiting
                state.waiting = []
                state.isDraining = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            for item in batch { deliver(item) }
        }
    }
}
