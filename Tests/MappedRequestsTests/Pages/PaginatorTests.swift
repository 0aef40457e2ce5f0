import Foundation
import LoopbackServer
import MappedRequests
import Synchronization
import Testing

@Suite("A paginator")
struct PaginatorTests {
    private func paginator(
        _ service: Service, _ pagination: Pagination
    ) -> Paginator<ModelPage<Account>, any Error> {
        Paginator(service.client.pages("/accounts", pagination, as: Account.self, at: "accounts"))
    }

    @Test func `loads pages by their number, with the counts of the service`() async throws {
        var list = PagedList(5)
        list.total = 5
        let service = try list.service()
        let paginator = paginator(service, .page(size: 2))
        #expect(
            !paginator.isLoaded && paginator.hasNextPage && !paginator.hasPreviousPage && paginator.pageCount == nil)
        #expect(try await paginator.loadPage(3).map(\.id) == [5])
        #expect(paginator.currentPage == 3 && paginator.offset == 4 && paginator.perPage == 2)
        #expect(paginator.pageCount == 3 && paginator.objectCount == 5)
        #expect(!paginator.hasNextPage && paginator.hasPreviousPage && paginator.isLoaded)
        #expect(try await paginator.loadPreviousPage().map(\.id) == [3, 4])
        #expect(paginator.hasNextPage)
        #expect(try await paginator.loadNextPage().map(\.id) == [5])
        #expect(await pageError { try await paginator.loadNextPage() } == .noSuchPage)
        for number in [0, -1, 4, .max] {
            #expect(await pageError { try await paginator.loadPage(number) } == .noSuchPage)
        }
        #expect(paginator.currentPage == 3 && service.targets.count == 3)
    }

    @Test func `goes back to pages of links that were loaded, and not ahead of them`() async throws {
        let service = try PagedList(5).service()
        let paginator = paginator(service, .linkHeader)
        #expect(await pageError { try await paginator.loadPage(2) } == .noSuchPage)
        try await paginator.loadPage(1)
        #expect(try await paginator.loadPage(2).map(\.id) == [3, 4])
        #expect(try await paginator.loadNextPage().map(\.id) == [5])
        #expect(try await paginator.loadPreviousPage().map(\.id) == [3, 4])
        #expect(try await paginator.loadPage(1).map(\.id) == [1, 2])
        #expect(paginator.currentPage == 1 && paginator.hasNextPage && !paginator.hasPreviousPage)
    }

    @Test func `loads a page again after an error`() async throws {
        let isDown = Mutex(false)
        let service = try Service { request in
            isDown.withLock { $0 } ? Answer(503, body: "".utf8) : PagedList(5).answer(request.target)
        }
        let paginator = paginator(service, .page(size: 2))
        try await paginator.loadNextPage()
        isDown.withLock { $0 = true }
        await #expect(throws: MappedRequestError.self) { try await paginator.loadNextPage() }
        #expect(paginator.currentPage == 1 && paginator.hasNextPage && !paginator.isLoading)
        isDown.withLock { $0 = false }
        #expect(try await paginator.loadNextPage().map(\.id) == [3, 4])
    }

    @Test @MainActor func `replaces a load by a later one, whose response is not overwritten by the earlier one`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let service = try Service { request in
            if request.target.contains("?page=2") { gate.wait() }
            return PagedList(9).answer(request.target)
        }
        let paginator = paginator(service, .page(size: 2))
        let late = Task { try await paginator.loadPage(2) }
        try await service.server.waitForRequests(count: 1)
        #expect(paginator.isLoading)
        let page = try await paginator.loadPage(3)
        gate.signal()
        await #expect(throws: (any Error).self) { try await late.value }
        #expect(page.map(\.id) == [5, 6] && paginator.currentPage == 3 && !paginator.isLoading)
    }

    @Test @MainActor func `can be cancelled, and used again`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let service = try Service { request in
            if request.target.contains("?page=1&") { gate.wait() }
            return PagedList(9).answer(request.target)
        }
        let paginator = paginator(service, .page(size: 2))
        let load = Task { try await paginator.loadNextPage() }
        try await service.server.waitForRequests(count: 1)
        paginator.cancel()
        let error = await #expect(throws: MappedRequestError.self) { try await load.value }
        gate.signal()
        #expect(error?.isCancelled == true && paginator.currentPage == 0)
        gate.signal()
        #expect(try await paginator.loadNextPage().map(\.id) == [1, 2])
    }
}
