extension ListModel {
    // MARK: Loading

    /// Loads the objects, or the first page of them, and returns when the list shows them.
    ///
    /// The outcome is in ``state`` and ``error``; objects that are shown remain so after a failure. During a load, it waits
    /// for that one. If the task is cancelled, its request is cancelled. A list of a query returns when the list shows the
    /// current objects of the store.
    public func load() async {
        // A load of the next page is not one of the first.
        let isFirst = status.isLoading
        if let loading {
            await wait(for: loading)
            if isFirst { return }
        }
        await run(\.isLoading) { await $0.loadFirst() }
    }

    /// Loads the objects unless they were loaded, also by an earlier process, and are not outdated.
    ///
    /// See ``isOutdated``.
    public func loadIfOutdated() async {
        await readLoadTime()
        if isOutdated { await load() } else { await settle() }
    }

    /// Loads the page after those that were loaded; the first page if none was loaded.
    public func loadNextPage() async {
        guard source?.pagination != nil else { return }
        if let loading { await wait(for: loading) }
        if paginator == nil { await readLoadTime() }
        // An earlier process has loaded the last page.
        guard paginator != nil || isLoaded else { return await load() }
        guard hasNextPage else { return }
        await run(\.isLoadingNextPage) { await $0.loadNext() }
    }

    /// Loads the next page if the list shows one of its last objects.
    ///
    /// Call it when a row becomes visible.
    ///
    /// - Parameters:
    ///   - index: The position of the object.
    ///   - distance: The number of objects at the end that load the next page. Defaults to 5.
    public func willShow(_ index: Int, within distance: Int = 5) {
        guard hasNextPage, loading == nil, index >= content.objects.count - distance else { return }
        // At once: other rows of the same page become visible, too.
        _ = start(\.isLoadingNextPage) { await $0.loadNext() }
        callers += 1
    }

    /// Returns when the list shows the current objects of the store, without a request.
    public func update() async {
        await readLoadTime()
        await settle()
    }

    private func settle() async {
        if !observed.isActive { restart() }
        await observed.settle()
    }

    /// Cancels the load in progress; the list remains as it is.
    public func cancel() { loading?.cancel() }

    /// Makes the objects outdated, also for later processes.
    public func invalidate() async {
        invalidations += 1
        status.loadedAt = nil
        await source?.setLoad(nil)
    }

    /// Runs a load unless one is in progress, for which it waits.
    private func run(
        _ isRunning: WritableKeyPath<Status, Bool>, _ load: @escaping @MainActor (ListModel) async -> Void
    ) async {
        await wait(for: loading ?? start(isRunning, load))
    }

    private func start(
        _ isRunning: WritableKeyPath<Status, Bool>, _ load: @escaping @MainActor (ListModel) async -> Void
    ) -> Task<Void, Never> {
        if source != nil { status[keyPath: isRunning] = true }
        let task = Task {
            await load(self)
            loading = nil
            if source != nil { status[keyPath: isRunning] = false }
        }
        (loading, callers) = (task, 0)
        return task
    }

    /// Waits for a load, which is cancelled with the last of the calls that wait for it.
    private func wait(for task: Task<Void, Never>) async {
        callers += 1
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { @MainActor [weak self] in self?.leave(task) }
        }
    }

    private func leave(_ task: Task<Void, Never>) {
        guard loading == task else { return }
        callers -= 1
        if callers == 0 { task.cancel() }
    }

    /// Reads when the objects were loaded by an earlier process, if the list shows them without a load, and where the next page
    /// is.
    func readLoadTime() async {
        let invalidations = invalidations
        guard status.loadedAt == nil, query != nil, let source, let load = await source.lastLoad() else { return }
        guard status.loadedAt == nil, invalidations == self.invalidations else { return }
        var status = status
        status.loadedAt = load.time
        if paginator == nil, source.policy != .local, let pagination = source.pagination, let position = load.next {
            paginator = Paginator(source.pages(pagination).from(position))
            status.hasNextPage = true
        }
        self.status = status
    }

    /// Stores when the list was loaded, and where its next page is.
    private func storeLoad(next position: PagePosition?) async {
        let isKnown = (position != nil) == status.hasNextPage
        await source?.setLoad(status.loadedAt, next: position, isKnown: isKnown)
    }

    private func loadFirst() async {
        guard let source, source.policy != .local else { return await settle() }
        if !observed.isActive { restart() }
        let new = source.pagination.map { Paginator(source.pages($0)) }
        await receive(isFirst: true) {
            let result = if let new { try await new.loadNextPage() } else { try await source.load() }
            (paginator, loaded) = (new, [:])
            return result
        }
    }

    private func loadNext() async {
        guard let paginator else { return }
        await receive(isFirst: false) { try await paginator.loadNextPage() }
    }

    /// Shows the objects of a response, or its failure.
    private func receive(isFirst: Bool, _ load: @MainActor () async throws -> LoadResult) async {
        do {
            let result = try await load()
            for id in result.objectIDs where id.entity == Object.entityName && loaded[id] == nil {
                loaded[id] = loaded.count
            }
            if query == nil { restart() }
            await observed.settle()
            var status = status
            (status.loadError, status.hasEnded) = (nil, true)
            if isFirst { status.loadedAt = now() }
            status.hasNextPage = paginator?.hasNextPage ?? false
            status.objectCount = paginator?.objectCount
            status.pruning = isFirst ? result.pruning : result.pruning ?? status.pruning
            self.status = status
            // After `invalidate`, a next page is not a load of the list.
            if status.loadedAt != nil { await storeLoad(next: result.nextPage) }
        } catch let error as PageError where !isFirst && error.kind == .noSuchPage {
            // The last page was full, so that the service had to be asked for another one.
            (status.loadError, status.hasNextPage) = (nil, false)
            if status.loadedAt != nil { await storeLoad(next: nil) }
        } catch {
            if !error.isCancelledLoad { (status.loadError, status.hasEnded) = (error, true) }
            await observed.settle()
        }
    }
}
