/// The objects that the query of a list finds, before filter and sort.
@MainActor final class ObservedList<Object: ManagedObjectClass> {
    private(set) var observer: QueryObserver<Object>?
    var objects: [Object] = []
    /// Whether the list shows what the last step of the observer found.
    var isShown = false
    /// Whether the observer has found objects.
    var hasFound = false
    /// Whether the list is being updated.
    var isUpdating = false
    /// Whether the list calls `onChange`.
    var isNotifying = false
    /// Whether `onChange` has changed the filter, sort or sections.
    var needsUpdate = false
    /// The objects that were written since the list was shown, and those that the first step of an observation reads.
    private(set) var (written, unread): (Set<ManagedObject>, Set<ManagedObject>) = ([], [])
    private var task: Task<Void, Never>?
    private var lastStep: Task<Bool, Never>?
    private var receive: (@MainActor (Result<QueryObserver<Object>.Step, StoreError>) -> Bool)?

    deinit { task?.cancel() }

    /// Whether there is an observation that has not failed.
    var isActive: Bool { observer != nil }

    func stop() {
        task?.cancel()
        (task, observer, isShown, hasFound) = (nil, nil, false, false)
    }

    /// Observes a query; a closure receives each step, and returns whether the observation continues.
    func start(
        _ query: ObjectQuery<Object>, in context: ObjectContext,
        _ receive: @escaping @MainActor (Result<QueryObserver<Object>.Step, StoreError>) -> Bool
    ) {
        // The first step of another observation does not report them.
        if let last = self.observer { unread.formUnion(last.writtenSinceStep) }
        stop()
        let observer = QueryObserver(query, in: context)
        self.observer = observer
        self.receive = receive
        task = Task { [weak self] in
            while !Task.isCancelled {
                let signals = observer.signals
                guard await self?.step(observer) == true else { return }
                await observer.wait(after: signals)
            }
        }
    }

    /// Records what a step has found.
    func didFind(_ change: QueryChange<Object>) {
        (objects, hasFound) = (change.objects, true)
        guard change.isInitial, let observer else { return }
        written.formUnion(unread.union(observer.writtenByStep))
        unread = []
    }

    /// Records objects that were written, and that the list does not show because a closure has failed.
    func noteWritten(_ objects: some Sequence<Object>) { for object in objects { written.insert(object) } }

    /// Records that the list shows what was written.
    func didShow() { if !written.isEmpty { written = [] } }

    /// Forgets the objects.
    func forget() { (objects, written, unread) = ([], [], []) }

    /// Returns when the list has received the commits so far.
    func settle() async { if let observer { _ = await step(observer) } }

    /// Receives the commits since the last step, after a step that has not ended.
    private func step(_ observer: QueryObserver<Object>) async -> Bool {
        let last = lastStep
        let step = Task {
            _ = await last?.value
            return await self.run(observer)
        }
        lastStep = step
        return await step.value
    }

    private func run(_ observer: QueryObserver<Object>) async -> Bool {
        guard observer === self.observer else { return false }
        let outcome: Result<QueryObserver<Object>.Step, StoreError>
        do throws(StoreError) { outcome = .success(try await observer.step()) } catch { outcome = .failure(error) }
        // The query may have been replaced meanwhile.
        guard observer === self.observer, let receive, receive(outcome) else {
            if observer === self.observer { stop() }
            return false
        }
        return true
    }
}
