/// The pages of a list, requested one by one.
///
/// ```swift
/// for try await page in client.pages("/tasks", .page(size: 50), as: ProjectTask.self) {
///     print("\(page.count) of \(page.totalCount ?? 0)")
/// }
/// ```
///
/// While a page is used, the next one is requested. The sequence ends with the last page, or with an error: of a request, or
/// a ``PageError`` for a page that cannot be requested. Each iterator is a separate run, which starts with the first page or
/// at a position.
public struct Pages<Page, Failure: Error>: AsyncSequence {
    /// A page.
    public typealias Element = Page

    private let makeLoader: @Sendable (PagePosition?, Bool) -> any PageLoading<Page, Failure>
    /// The first page of a run; `nil` for that of the list.
    private var position: PagePosition?
    private var prefetches = true

    /// Creates the pages of a list.
    ///
    /// - Parameters:
    ///   - list: Identifies the list, such as its path.
    ///   - origin: The URL of the service.
    ///   - source: Requests and reads the pages of a run; created for each run.
    package init<Fetched: Sendable>(
        _ pagination: Pagination, of list: String, at origin: URL, from position: PagePosition? = nil,
        by source: @escaping @autoclosure @Sendable () -> PageSource<Fetched, Page, Failure>
    ) {
        self.position = position
        makeLoader = { position, prefetches in
            let run = PageRun(pagination, origin: origin, list: list, from: position)
            return PageLoader(run, source(), prefetches: prefetches)
        }
    }

    /// Returns the pages from a position.
    ///
    /// - Parameter position: A position in the same list; `nil` for the first page.
    public func from(_ position: PagePosition?) -> Pages {
        var copy = self
        copy.position = position
        return copy
    }

    /// Returns the pages with or without the request of the next page while a page is used.
    ///
    /// Defaults to `true`. Without it, a loop that ends early has not sent a request whose response it does not use.
    public func prefetching(_ isEnabled: Bool) -> Pages {
        var copy = self
        copy.prefetches = isEnabled
        return copy
    }

    /// Returns the state of a run.
    func loader(from position: PagePosition?) -> any PageLoading<Page, Failure> { makeLoader(position, false) }

    /// The first position of a run.
    var firstPosition: PagePosition? { position }

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(loader: makeLoader(position, prefetches)) }

    /// An iterator that requests the pages.
    public struct Iterator: AsyncIteratorProtocol {
        let loader: any PageLoading<Page, Failure>
        private var isFinished = false

        init(loader: any PageLoading<Page, Failure>) { self.loader = loader }

        /// The position of the page that `next` returns; `nil` at the end and after an error of the next page.
        ///
        /// Store it to continue later, with ``Pages/from(_:)``.
        public var position: PagePosition? { loader.run.nextPosition }

        /// Whether the service ended the list, and all of its elements were returned by this iterator.
        public var isComplete: Bool { loader.run.isComplete }

        /// Requests the next page; `nil` after the last one.
        ///
        /// An error ends the sequence.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Failure) -> Page? {
            if isFinished { return nil }
            isFinished = true
            let page = try await loader.next()
            isFinished = page == nil
            return page
        }

        /// Requests the next page; `nil` after the last one.
        nonisolated(nonsending) public mutating func next() async throws(Failure) -> Page? {
            if isFinished { return nil }
            isFinished = true
            let page = try await loader.next()
            isFinished = page == nil
            return page
        }
    }
}

extension Pages: Sendable {}
