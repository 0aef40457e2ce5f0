/// An asynchronous sequence of the objects of a query, with a new element after each commit that changes them.
///
/// See ``ObjectContext/observe(_:sectionedBy:)``.
public struct QueryObservation<Object: ManagedObjectClass>: AsyncSequence {
    let core: ContextCore
    let query: ObjectQuery<Object>
    let sectionName: ((Object) -> String)?

    /// Returns an iterator, which is a separate observation.
    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: QueryObserver(core, query.definition, sectionName))
    }

    /// Waits for changes of the objects.
    public struct Iterator: AsyncIteratorProtocol {
        let observer: QueryObserver<Object>

        /// Returns the objects when they have changed; `nil` after the context ended or the task was cancelled.
        ///
        /// - Throws: `StoreError`, after which it returns `nil`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreError) -> QueryChange<Object>? {
            try await observer.next()
        }

        /// Returns the objects when they have changed; `nil` after the context ended or the task was cancelled.
        ///
        /// - Throws: `StoreError`, after which it returns `nil`.
        nonisolated(nonsending) public mutating func next() async throws(StoreError) -> QueryChange<Object>? {
            try await observer.next()
        }
    }
}

extension ObjectContext {
    /// Returns the objects of a query now, and again after each commit that changes them.
    ///
    /// The query runs again only after a commit to a table that it reads: of this context or another one, an import, a
    /// bulk change, raw SQL or another process (within about 300 ms). SQL runs on another thread. Commits during one step
    /// of the loop are one change. Objects include unsaved changes of the context, like those of `fetch`, but unsaved
    /// changes do not start a step.
    ///
    /// ```swift
    /// for try await change in context.observe(ProjectTask.where { !$0.isDone }.sorted(by: \.name)) {
    ///     show(change.objects)
    /// }
    /// ```
    ///
    /// The loop ends when its task is cancelled or the context is released. It does not retain the context.
    ///
    /// - Parameters:
    ///   - query: The objects, with limit and offset.
    ///   - sectionName: Returns the name of an object's section; consecutive objects with the same name are a section,
    ///     so sort by it first. The names are compared after commits to the objects, to what the query reads, and to the
    ///     objects of their to-one relationships. Defaults to `nil`, without sections.
    /// - Returns: A sequence whose steps throw `StoreError`, for example of kind `misuse` for an invalid query.
    public func observe<Object>(
        _ query: ObjectQuery<Object>, sectionedBy sectionName: ((Object) -> String)? = nil
    ) -> QueryObservation<Object> {
        QueryObservation(core: core, query: query, sectionName: sectionName)
    }
}
