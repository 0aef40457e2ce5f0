import Foundation
import LoopbackServer
import MappedRequests
import Synchronization
import Testing

@Suite("Pages of a list")
struct PagesTests {
    @Test(arguments: [
        (Pagination.linkHeader, ["/accounts", "/accounts?cursor=2", "/accounts?cursor=4"]),
        (
            .page(size: 2),
            ["/accounts?page=1&per_page=2", "/accounts?page=2&per_page=2", "/accounts?page=3&per_page=2"]
        ),
        (
            .offset(size: 2, sizeName: "per_page"),
            ["/accounts?offset=0&per_page=2", "/accounts?offset=2&per_page=2", "/accounts?offset=4&per_page=2"]
        ),
        (.cursor(at: "next"), ["/accounts", "/accounts?cursor=2", "/accounts?cursor=4"]),
        (.nextURL(at: "url"), ["/accounts", "/accounts?cursor=2", "/accounts?cursor=4"]),
    ])
    func `have all elements, by each pagination`(_ pagination: Pagination, _ targets: [String]) async throws {
        let service = try PagedList(5).service()
        #expect(try await service.ids("/accounts", pagination) == [[1, 2], [3, 4], [5]])
        #expect(service.targets == targets)
    }

    @Test func `have the query of the caller, whose parameters of the page are replaced`() async throws {
        let service = try PagedList(3).service()
        let pages = service.client.pages(
            "/accounts", .page(size: 2), query: ["q": "a b", "page": 9], as: Account.self, at: "accounts")
        #expect(try await pages.reduce(0) { $0 + $1.count } == 3)
        #expect(service.targets == ["/accounts?q=a%20b&page=1&per_page=2", "/accounts?q=a%20b&page=2&per_page=2"])
    }

    // MARK: Counts

    @Test(arguments: [
        (4, nil, 3), (4, 4, 2), (0, nil, 1), (0, 0, 1), (1, nil, 1),
        // Counts that are too small or too large.
        (5, 1, 3), (4, 9, 5), (3, 9, 5), (0, 3, 2),
    ])
    func `end at a short page or at the count`(_ count: Int, _ total: Int?, _ requests: Int) async throws {
        var list = PagedList(count)
        list.total = total
        let service = try list.service()
        let ids = try await service.ids("/plain", .page(size: 2)).flatMap(\.self)
        #expect(ids == list.ids)
        #expect(service.targets.count == requests)
    }

    @Test(arguments: [Pagination.page(size: 4).total(at: "total"), .offset(size: 4).total(at: "total")])
    func `continue if the service returns fewer elements than requested, but counts more`(
        _ pagination: Pagination
    ) async throws {
        var list = PagedList(5)
        (list.total, list.maximum) = (5, 2)
        #expect(try await list.service().ids("/plain", pagination) == [[1, 2], [3, 4], [5]])
    }

    /// The service has pages of its own sizes: fewer or more elements than requested.
    @Test(arguments: [(Pagination.offset(size: 2), 6 as Int?), (.offset(size: 3), nil), (.linkHeader, nil)])
    func `have all elements if the service changes the size of a page`(
        _ pagination: Pagination, _ total: Int?
    ) async throws {
        let sizes = total == nil ? [0: 3, 3: 3, 6: 1] : [0: 3, 3: 1, 4: 2]
        let service = try Service { request in
            let items = URLComponents(string: request.target)?.queryItems ?? []
            let start = items.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
            let size = sizes[start] ?? 0
            let accounts = (0..<size).map { #"{"id": \#(start + $0)}"# }.joined(separator: ", ")
            var headers = total.map { [Header("X-Total-Count", "\($0)")] } ?? []
            if sizes[start + size] != nil, !request.target.contains("limit") {
                headers.append(Header("Link", "</accounts?offset=\(start + size)>; rel=next"))
            }
            return Answer(headers: headers, body: #"{"accounts": [\#(accounts)]}"#.utf8)
        }
        let ids = try await service.ids("/accounts", pagination)
        #expect(ids.flatMap(\.self) == Array(0..<(total ?? 7)) && ids.count == 3)
    }

    @Test func `have all elements if the service has larger pages than requested`() async throws {
        let service = try Service { request in
            let items = URLComponents(string: request.target)?.queryItems ?? []
            let page = items.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
            let ids = (page * 3 - 2...page * 3).filter { $0 <= 7 }.map { #"{"id": \#($0)}"# }
            return Answer(body: #"{"accounts": [\#(ids.joined(separator: ", "))]}"#.utf8)
        }
        #expect(try await service.ids("/accounts", .page(size: 2)) == [[1, 2, 3], [4, 5, 6], [7]])
    }

    @Test func `end before a page with status 404 after a full one`() async throws {
        var list = PagedList(4)
        list.is404AtEnd = true
        #expect(try await list.service().ids("/plain", .page(size: 2)) == [[1, 2], [3, 4]])
        list.total = 9
        let service = try list.service()
        await #expect(throws: MappedRequestError.self) { try await service.ids("/plain", .page(size: 2)) }
    }

    @Test func `count the elements of responses that are not mapped`() async throws {
        let service = try PagedList(3).service()
        let pages = try await service.client.pages("/plain", .page(size: 2)).reduce(into: []) { $0.append($1.status) }
        #expect(pages == [200, 200])
        let other = try Service(body: #"{"a": [1], "b": [2]}"#)
        let error = await pageError { for try await _ in other.client.pages("/x", .page(size: 2)) {} }
        #expect(error == .invalidPage)
    }

    // MARK: Services that err

    @Test func `are an error if the service ignores the number of the page`() async throws {
        let service = try Service(body: #"[{"id": 1}, {"id": 2}]"#)
        var count = 0
        let error = await pageError {
            for try await page in service.client.pages("/accounts", .page(size: 2), as: Account.self) {
                count += page.count
            }
        }
        #expect(error == .repeatedPage && count == 2)
    }

    @Test func `are an error if the last page is followed by the first one`() async throws {
        let service = try Service { request in
            let isSecond = request.target.contains("?page=2")
            return Answer(body: (isSecond ? #"[{"id": 3}, {"id": 4}]"# : #"[{"id": 1}, {"id": 2}]"#).utf8)
        }
        var ids: [Int] = []
        let error = await pageError {
            for try await page in service.client.pages("/accounts", .page(size: 2), as: Account.self) {
                ids += page.map(\.id)
            }
        }
        #expect(error == .repeatedPage && ids == [1, 2, 3, 4])
    }

    @Test(arguments: [
        ("<http://other.example/a?page=2>; rel=next", PageError.Kind.otherOrigin, 1),
        ("</a?page=1>; rel=next", .repeatedPage, 1), ("<>; rel=next", .repeatedPage, 1),
        ("</a?page=2>; rel=last", nil, 1), ("", nil, 1),
        ("</a?page=2>; rel=next, <http://other.example/>; rel=next", .tooManyPages, 3),
        ("<http://other.example/>; rel=next, </a?page=2>; rel=next", .otherOrigin, 1),
        ("</a?page=2>; rel=\"last next\", </a?page=1>; rel=next", .tooManyPages, 3),
    ])
    func `follow links to their own origin only`(
        _ link: String, _ kind: PageError.Kind?, _ count: Int
    ) async throws {
        let service = try Service { request in
            let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
            let link = link.replacing("page=2", with: "page=\(page + 1)")
            return Answer(headers: [Header("Link", link)], body: #"[{"id": \#(page)}]"#.utf8)
        }
        var pages = 0
        let error = await pageError {
            let list = service.client.pages("/a?page=1", .linkHeader.limit(pages: 3), as: Account.self)
            for try await _ in list { pages += 1 }
        }
        #expect(error == kind && pages == count)
    }

    @Test(arguments: [
        Pagination.page(size: 2), .offset(size: 2, sizeName: "per_page"), .page(size: 2).pageCount(at: "pages"),
        .linkHeader, .cursor(at: "next"),
    ])
    func `continue after an empty page if the service has more`(_ pagination: Pagination) async throws {
        let service = try Service { request in
            let items = URLComponents(string: request.target)?.queryItems ?? []
            func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
            let page = number("page") ?? number("offset").map { $0 / 2 + 1 } ?? number("cursor") ?? 1
            // The elements 3 and 4 are filtered out.
            let elements =
                page == 2 || page > 3 ? "" : [1, 2].map { #"{"id": \#(page * 2 - 2 + $0)}"# }.joined(separator: ", ")
            let isNumbered = items.contains { $0.name == "page" || $0.name == "offset" }
            var headers = isNumbered ? [Header("X-Total-Count", "6")] : []
            if !isNumbered, page < 3 { headers.append(Header("Link", "</accounts?cursor=\(page + 1)>; rel=next")) }
            let next = page < 3 ? "\(page + 1)" : "null"
            return Answer(
                headers: headers, body: #"{"accounts": [\#(elements)], "pages": 3, "next": \#(next)}"#.utf8)
        }
        #expect(try await service.ids("/accounts", pagination).flatMap(\.self) == [1, 2, 5, 6])
    }

    @Test func `have all elements only if the service has no more by any count`() async throws {
        func isComplete(_ body: String, _ pagination: Pagination) async throws -> Bool {
            let service = try Service(body: body)
            let pages = service.client.pages("/a", pagination, as: Account.self, at: "accounts")
            var iterator = pages.makeAsyncIterator()
            while try await iterator.next() != nil {}
            return iterator.isComplete
        }
        #expect(try await isComplete(#"{"accounts": [{"id": 1}]}"#, .linkHeader))
        #expect(try await !isComplete(#"{"accounts": [{"id": 1}], "pages": 2}"#, .linkHeader.pageCount(at: "pages")))
        #expect(try await !isComplete(#"{"accounts": [], "total": 2}"#, .page(size: 2).total(at: "total")))
        #expect(try await isComplete(#"{"accounts": [], "total": 0}"#, .page(size: 2).total(at: "total")))
        await #expect(throws: PageError.self) {
            try await isComplete(#"{"accounts": [{"id": 1}], "more": true}"#, .cursor(at: "next", hasMore: "more"))
        }
    }

    @Test func `are not short because of elements that are null`() async throws {
        let service = try Service { request in
            Answer(
                body: (request.target.contains("page=1") ? #"{"accounts": [{"id": 1}, null]}"# : #"{"accounts": []}"#)
                    .utf8)
        }
        #expect(try await service.ids("/accounts", .page(size: 2).limit(pages: 3)) == [[1], []])
    }

    @Test func `throw for a missing page that the service counts`() async throws {
        let service = try Service { request in
            request.target.contains("page=2")
                ? Answer(404, body: "".utf8) : Answer(body: #"{"pages": 3, "accounts": [{"id": 1}]}"#.utf8)
        }
        await #expect(throws: MappedRequestError.self) {
            try await service.ids("/accounts", .page(size: 1).pageCount(at: "pages"))
        }
    }

    @Test func `are an error if their links or cursors are a circle, or are no links`() async throws {
        let service = try Service { request in
            let next = request.target.hasSuffix("=b") ? "a" : "b"
            let id = request.target.count
            return Answer(
                body: #"{"next": "\#(next)", "url": "/a?cursor=\#(next)", "list": [], "n": [{"id": \#(id)}]}"#.utf8)
        }
        func kind(_ pagination: Pagination) async -> PageError.Kind? {
            await pageError {
                for try await _ in service.client.pages("/a", pagination, as: Account.self, at: "n") {}
            }
        }
        #expect(await kind(.cursor(at: "next")) == .repeatedPage)
        #expect(await kind(.nextURL(at: "url")) == .repeatedPage)
        #expect(await kind(.cursor(at: "list")) == .invalidPage)
        #expect(await kind(.cursor(at: "missing")) == nil)
        #expect(await kind(.page(size: 0)) == .invalidPage)
    }

    @Test func `throw the error of a request after the pages before it`() async throws {
        let service = try Service { request in
            request.target.hasSuffix("cursor=4") ? Answer(500, body: "".utf8) : PagedList(5).answer(request.target)
        }
        var ids: [Int] = []
        let error = await #expect(throws: MappedRequestError.self) {
            for try await page in service.client.pages("/a", .cursor(at: "next"), as: Account.self, at: "accounts") {
                ids += page.map(\.id)
            }
        }
        #expect(error?.response?.status == 500 && ids == [1, 2, 3, 4])
    }

    // MARK: Positions

    @Test(arguments: [
        Pagination.linkHeader, .page(size: 2), .offset(size: 2), .cursor(at: "next"), .nextURL(at: "url"),
    ])
    func `continue at a stored position`(_ pagination: Pagination) async throws {
        let service = try PagedList(7).service()
        var stored: Data?
        for try await page in service.client.pages("/accounts", pagination, as: Account.self, at: "accounts") {
            stored = try page.nextPage.map { try JSONEncoder().encode($0) }
            if page.first?.id == 3 { break }
        }
        let position = try JSONDecoder().decode(PagePosition.self, from: #require(stored))
        #expect("\(position)" == "page 3, after 4 elements")
        #expect(try await service.ids("/accounts", pagination, from: position) == [[5, 6], [7]])

        let error = await pageError { _ = try await service.ids("/other", pagination, from: position) }
        #expect(error == .otherList)
    }

    @Test(arguments: [
        Pagination.page(size: 3), .page(size: 2, from: 0), .page(size: 2, name: "p"), .offset(size: 2),
        .cursor(at: "next"), .linkHeader,
    ])
    func `refuse a position of another pagination or query`(_ other: Pagination) async throws {
        let service = try PagedList(7).service()
        var pages = service.client.pages("/accounts", .page(size: 2), as: Account.self, at: "accounts")
            .makeAsyncIterator()
        _ = try await pages.next()
        let position = try #require(pages.position)
        let stored = try JSONDecoder().decode(PagePosition.self, from: JSONEncoder().encode(position))
        let targets = service.targets
        func error(_ pagination: Pagination, _ query: FormValue) async -> PageError.Kind? {
            await pageError {
                let pages = service.client.pages(
                    "/accounts", pagination, query: query, as: Account.self, at: "accounts", from: stored)
                for try await _ in pages {}
            }
        }
        #expect(await error(other, [:]) == .otherList)
        #expect(await error(.page(size: 2), ["state": "open"]) == .otherList)
        // Only a request for the second page was prefetched.
        #expect(targets.count <= service.targets.count && service.targets.count <= 2)
        #expect(try await service.ids("/accounts", .page(size: 2).limit(pages: 9), from: stored).first == [3, 4])
    }

    @Test func `refuse a position that was changed`() async throws {
        let service = try PagedList(7).service()
        for value in ["http://other.example/", "x"] {
            for pagination in [Pagination.linkHeader, .page(size: 2)] {
                let text =
                    #"{"number": 2, "offset": 2, "value": "\#(value)", "list": "/accounts?", "#
                    + #""pagination": "\#(pagination.identity)"}"#
                let position = try JSONDecoder().decode(PagePosition.self, from: Data(text.utf8))
                let error = await pageError { _ = try await service.ids("/accounts", pagination, from: position) }
                #expect(error == .otherList)
            }
        }
        #expect(service.targets.isEmpty)
    }

    // MARK: Prefetching

    @Test func `are requested one ahead, unless the caller does not want it`() async throws {
        let service = try PagedList(5).service()
        let pages = service.client.pages("/accounts", .linkHeader, as: Account.self, at: "accounts")
        var iterator = pages.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 2)
        try await service.server.waitForRequests(count: 2)
        #expect(iterator.position?.number == 2 && !iterator.isComplete)
        #expect(try await iterator.next()?.count == 2)
        #expect(try await iterator.next()?.count == 1)
        #expect(try await iterator.next() == nil && iterator.isComplete && iterator.position == nil)

        var lazy = pages.prefetching(false).makeAsyncIterator()
        #expect(try await lazy.next()?.count == 2)
        #expect(try await lazy.next()?.count == 2)
        #expect(service.targets.count == 5)
    }

    @Test func `end with the cancellation of the task that waits`() async throws {
        let service = try PagedList(5).service()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await service.ids("/accounts", .linkHeader)
        }
        let error = await #expect(throws: MappedRequestError.self) { _ = try await task.value }
        #expect(error?.isCancelled == true)
    }
}
