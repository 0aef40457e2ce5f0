import Synchronization

/// Delivers items serially in the order in which they were posted, never on the posting thread.
///
/// A block runs on the executor only while items wait. It retains the mailbox and the posted items until all are
/// delivered.
package final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isDraining = false
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Item) -> Void

    /// Creates a mailbox.
    ///
    /// - Parameter deliver: Receives an item; called for the next item after it has returned.
    package init(_ deliver: @escaping @Sendable (Item) -> Void) { self.deliver = deliver }

    /// Adds an item after the waiting ones, and delivers it on an executor unless a delivery is running.
    package func post(
        _ item: Item, on executor: CallbackExecutor = .separateThreads,
        replacing isReplaced: (Item) -> Bool = { _ in false }
    ) {
        if append(item, replacing: isReplaced) { start(on: executor) }
    }

    /// Adds an item, or replaces the last waiting one, as with consecutive progress reports.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - isReplaced: Whether the last waiting item is replaced by the new one. It must not post items.
    /// - Returns: Whether the caller has to start the delivery.
    package func append(_ item: Item, replacing isReplaced: (Item) -> Bool = { _ in false }) -> Bool {
        // The replaced item is returned, so that its deinitializer does not run under the lock.
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

    /// Delivers the waiting items and those added during the delivery.
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
