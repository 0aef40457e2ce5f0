/// Delivers items serially in the order in which they were posted, usually not on the posting thread.
///
/// A block runs on the executor only while items wait. It retains the mailbox and the posted items until all are
/// delivered.
package final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var waiting = FIFOQueue<Item>()
        var isDraining = false
        var isClosed = false
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
            if state.isClosed { return (false, nil) }
            if let last = state.waiting.last, isReplaced(last) {
                state.waiting.replace(at: state.waiting.count - 1, with: item)
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

    /// Delivers the items on this thread.
    func drain() {
        while let item = next() { deliver(item) }
    }

    /// Drops the waiting items and those that are posted later; a delivery that is in progress continues.
    package func close() {
        // The items are released outside the lock.
        var waiting = FIFOQueue<Item>()
        state.withLock { state in
            state.isClosed = true
            swap(&state.waiting, &waiting)
        }
    }

    private func next() -> Item? {
        state.withLock { state in
            let item = state.waiting.takeFirst()
            state.isDraining = item != nil
            return item
        }
    }
}
