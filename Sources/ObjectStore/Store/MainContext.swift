import Synchronization

/// The context of the main actor of a store, and the requests to merge commits into it.
final class MainContext: Sendable {
    private struct Storage: @unchecked Sendable {  // guarded by the main actor: the context is used only there
        var context: ObjectContext?
        /// Whether the store was closed, so that it does not keep a context.
        var isClosed = false
    }

    private let storage = Mutex(Storage())
    /// The number of the context; 0 without one.
    private let number = Atomic<Int>(0)
    /// Whether a merge was requested or runs.
    private let isMergeRequested = Atomic<Bool>(false)

    /// The context; `nil` before it is used, and after the store was closed.
    @MainActor var known: ObjectContext? { storage.withLock { $0 }.context }

    /// Returns the context, which is created when it is first used.
    @MainActor func context(of store: ManagedObjectStore) -> ObjectContext {
        if let known { return known }
        let new = ObjectContext(store, isObserved: true)
        let created = Storage(context: new)
        let isOpen = storage.withLock { known in
            if !known.isClosed { known = created }
            return !known.isClosed
        }
        if isOpen { number.store(new.core.number, ordering: .relaxed) }
        return new
    }

    /// Releases the context after a closure.
    func close(_ body: () -> Void) {
        var closed = Storage(isClosed: true)
        // The context refers to the store, and is released outside of the lock.
        storage.withLock { swap(&$0, &closed) }
        number.store(0, ordering: .relaxed)
        withExtendedLifetime(closed, body)
    }

    /// Whether a merge has to be started after a commit: one for all commits until it begins.
    func startsMerge(after author: Int?) -> Bool {
        let number = number.load(ordering: .relaxed)
        return number != 0 && number != author
            && isMergeRequested.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
    }

    /// Whether the context exists.
    var isUsed: Bool { number.load(ordering: .relaxed) != 0 }

    func didMerge() { isMergeRequested.store(false, ordering: .releasing) }
}
