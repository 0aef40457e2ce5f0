/// Loads the pages of a list by their number or one after the other, as a user leafs through it.
///
/// ```swift
/// let paginator = manager.paginator("/projects", .page(size: 25))
/// let page = try await paginator.loadPage(1)
/// if paginator.hasNextPage { try await paginator.loadNextPage() }
/// print("page \(paginator.currentPage) of \(paginator.pageCount ?? 0)")
/// ```
///
/// It loads one page at a time: a call cancels an earlier one that has not ended, so that a late response does not replace
/// a later page. After an error, the same page can be loaded again. It belongs to the isolation in which it was created.
public final class Paginator<Page, Failure: Error> {
    private let pages: Pages<Page, Failure>
    private var loader: any PageLoading<Page, Failure>
    /// The known positions of pages, by their number.
    private var positions: [Int: PagePosition] = [:]
    /// The run of the load in progress.
    private var pending: (any PageLoading<Page, Failure>)?
    private var calls = 0

    /// The number of the page that was loaded last, from 1; 0 before the first one.
    public private(set) var currentPage = 0
    /// Whether a page is being loaded.
    public var isLoading: Bool { pending != nil }

    /// Creates a paginator of pages.
    ///
    /// It starts at their position, and loads pages only when it is called.
    public init(_ pages: Pages<Page, Failure>) {
        self.pages = pages
        loader = pages.loader(from: pages.firstPosition)
    }

    /// The requested number of elements of a page; `nil` if the service decides.
    public var perPage: Int? { loader.run.pagination.size }
    /// The number of elements on all pages, as the last response counts them; `nil` if it does not.
    public var objectCount: Int? { loader.run.total }
    /// The number of pages: as the last response counts them, or by the number of elements; otherwise `nil`.
    public var pageCount: Int? {
        if let count = loader.run.pageCount { return count }
        guard let total = objectCount, let perPage, perPage > 0 else { return nil }
        return total / perPage + (total % perPage > 0 ? 1 : 0)
    }
    /// The number of elements before the current page; 0 before the first one.
    public var offset: Int { positions[currentPage]?.offset ?? 0 }
    /// Whether a page was loaded.
    public var isLoaded: Bool { currentPage > 0 }
    /// Whether there is a page to load: before the first one, or after the current one.
    public var hasNextPage: Bool { if case .success(nil) = loader.run.next { false } else { true } }
    /// Whether there is a page before the current one that can be loaded.
    public var hasPreviousPage: Bool { currentPage > 1 && position(ofPage: currentPage - 1) != nil }

    /// Loads a page.
    ///
    /// - Parameter number: The number of the page, from 1. Lists with cursors and links can load pages up to the one after
    ///   those that were loaded.
    /// - Throws: ``PageError`` of kind `noSuchPage` if there is no such page; errors of the request and the page.
    @discardableResult
    nonisolated(nonsending) public func loadPage(_ number: Int) async throws(Failure) -> Page {
        if let pageCount, number > pageCount, number > 1 {
            throw failure(.noSuchPage, "expected a page from 1 to \(pageCount), found \(number)")
        }
        guard let position = position(ofPage: number) else {
            throw failure(
                .noSuchPage, "the page \(number) is unknown; load the pages before it first, with `loadNextPage()`")
        }
        return try await load(loader.run.nextPosition == position ? loader : pages.loader(from: position), position)
    }

    /// Loads the page after the current one; the first page if none was loaded.
    ///
    /// - Throws: ``PageError`` of kind `noSuchPage` after the last page; errors of the request and the page.
    @discardableResult nonisolated(nonsending) public func loadNextPage() async throws(Failure) -> Page {
        let position: PagePosition?
        do throws(PageError) { position = try loader.run.next.get() } catch { throw loader.failure(error) }
        guard let position else { throw failure(.noSuchPage, "there is no page after the last one") }
        return try await load(loader, position)
    }

    /// Loads the page before the current one.
    ///
    /// - Throws: ``PageError`` of kind `noSuchPage` if this is the first page; errors of the request and the page.
    @discardableResult nonisolated(nonsending) public func loadPreviousPage() async throws(Failure) -> Page {
        try await loadPage(currentPage - 1)
    }

    /// Cancels the load of a page; its call throws.
    public func cancel() {
        calls += 1
        pending?.cancel()
        pending = nil
    }

    private func position(ofPage number: Int) -> PagePosition? {
        positions[number] ?? loader.run.position(ofPage: number)
    }

    private func failure(_ kind: PageError.Kind, _ description: String) -> Failure {
        loader.failure(PageError(kind, description))
    }

    private nonisolated(nonsending) func load(
        _ known: any PageLoading<Page, Failure>, _ position: PagePosition
    ) async throws(Failure) -> Page {
        cancel()
        let call = calls
        // A run that another call uses cannot be shared.
        let next = known.isBusy ? pages.loader(from: position) : known
        pending = next
        let outcome: Result<Page?, Failure>
        do throws(Failure) { outcome = .success(try await next.next()) } catch { outcome = .failure(error) }
        if call == calls { pending = nil }
        guard let page = try outcome.get() else {
            throw failure(.noSuchPage, "the page \(position.number) does not exist")
        }
        guard call == calls else { throw failure(.replaced, "a later call replaced the load of this page") }
        loader = next
        currentPage = position.number
        positions[position.number] = position
        if let following = loader.run.nextPosition { positions[following.number] = following }
        return page
    }
}
