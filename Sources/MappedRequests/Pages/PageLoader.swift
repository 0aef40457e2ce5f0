/// Requests and reads the pages of a list.
package struct PageSource<Fetched: Sendable, Page, Failure: Error>: Sendable {
    /// What a run needs to know of a page.
    package struct Facts {
        let response: RESTResponse?
        let count: Int?

        /// - Parameters:
        ///   - response: The response; `nil` if no request was needed: the list ends.
        ///   - count: The number of elements; `nil` if it is unknown.
        package init(_ response: RESTResponse?, count: Int?) { (self.response, self.count) = (response, count) }
    }

    let fetch: @Sendable (PageRun.Target) async -> Result<Fetched, Failure>
    let read: @Sendable (Fetched) throws(Failure) -> (page: Page, facts: Facts)
    let didRead: nonisolated(nonsending) @Sendable (Page, PageRun) async throws(Failure) -> Page
    let failure: @Sendable (PageError) -> Failure
    let response: @Sendable (Failure) -> RESTResponse?

    /// - Parameters:
    ///   - fetch: Requests a page, also ahead of its use.
    ///   - read: Reads a page in the isolation of the iterator.
    ///   - didRead: Returns a page with what the run knows after it, such as the position of the next one.
    ///   - failure: Returns an error of a page as one of the sequence.
    ///   - response: Returns the response of an error.
    package init(
        fetch: @escaping @Sendable (PageRun.Target) async -> Result<Fetched, Failure>,
        read: @escaping @Sendable (Fetched) throws(Failure) -> (page: Page, facts: Facts),
        didRead: nonisolated(nonsending) @escaping @Sendable (Page, PageRun) async throws(Failure) -> Page,
        failure: @escaping @Sendable (PageError) -> Failure,
        response: @escaping @Sendable (Failure) -> RESTResponse?
    ) {
        self.fetch = fetch
        self.read = read
        self.didRead = didRead
        self.failure = failure
        self.response = response
    }
}

extension PageSource where Failure == any Error {
    /// Creates a source whose errors can be of any type.
    package init(
        fetch: @escaping @Sendable (PageRun.Target) async throws -> Fetched,
        read: @escaping @Sendable (Fetched) throws -> (page: Page, facts: Facts),
        didRead: nonisolated(nonsending) @escaping @Sendable (Page, PageRun) async throws -> Page
    ) {
        self.init(
            fetch: { target in
                do { return .success(try await fetch(target)) } catch { return .failure(error) }
            }, read: read, didRead: didRead, failure: { $0 }, response: { ($0 as? MappedRequestError)?.response })
    }
}

/// A run through the pages of a list.
protocol PageLoading<Page, Failure>: AnyObject {
    associatedtype Page
    associatedtype Failure: Error

    var run: PageRun { get }
    /// Whether a call of `next` has not returned.
    var isBusy: Bool { get }
    func failure(_ error: PageError) -> Failure
    /// Returns the next page; `nil` at the end. After an error of a request, it requests the same page again.
    nonisolated(nonsending) func next() async throws(Failure) -> Page?
    /// Cancels the request of the next page.
    func cancel()
}

/// A run whose pages are requested by tasks, one ahead if it prefetches.
final class PageLoader<Fetched: Sendable, Page, Failure: Error>: PageLoading {
    private(set) var run: PageRun
    private let source: PageSource<Fetched, Page, Failure>
    private let prefetches: Bool
    private var request: Task<Result<Fetched, Failure>, Never>?
    private(set) var isBusy = false

    init(_ run: PageRun, _ source: PageSource<Fetched, Page, Failure>, prefetches: Bool) {
        (self.run, self.source, self.prefetches) = (run, source, prefetches)
    }

    deinit { request?.cancel() }

    func cancel() { request?.cancel() }

    func failure(_ error: PageError) -> Failure { source.failure(error) }

    nonisolated(nonsending) func next() async throws(Failure) -> Page? {
        let position: PagePosition
        let target: PageRun.Target
        do throws(PageError) {
            guard let next = try run.next.get() else { return nil }
            position = next
            target = try run.target(next)
        } catch { throw source.failure(error) }
        isBusy = true
        defer { isBusy = false }
        let request = request ?? start(target)
        self.request = request
        let fetched = await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            request.cancel()
        }
        self.request = nil
        let page: Page
        do throws(Failure) {
            let (read, facts) = try source.read(try fetched.get())
            page = read
            do throws(PageError) { try run.receive(facts.response, at: position, count: facts.count) } catch {
                throw source.failure(error)
            }
        } catch {
            if source.response(error)?.status == 404, run.endsBeforeMissing(position) { return nil }
            throw error
        }
        if prefetches, let next = run.nextPosition, let target = try? run.target(next) {
            self.request = start(target)
        }
        return try await source.didRead(page, run)
    }

    private func start(_ target: PageRun.Target) -> Task<Result<Fetched, Failure>, Never> {
        let fetch = source.fetch
        return Task { await fetch(target) }
    }
}
