import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization

let pagination = Example(
    "pagination", group: "Loading",
    "A long list in pages: by links, by number and by a cursor, continued after an error, and leafed through"
) { story in
    let catalog = BookServer()
    let server = try LoopbackServer { request in catalog.answer(request.target) }
    let store = try ManagedObjectStore(inMemory: ObjectModel(ShelfBook.self))
    let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
    manager.responses.add(ShelfBook.mapping, at: "books", path: "/books")
    func sent(_ count: Int) -> String { server.requests.suffix(count).map(\.target).joined(separator: "\n") }

    story.say("A library has seven books in pages of three. The pages follow the links of the responses:")
    story.showCode("links")
    story.show(try await loadAll(manager, store).joined(separator: "\n"))
    story.show(sent(3))

    story.say("Other services count pages or elements, or return a cursor. Only the pagination differs:")
    story.showCode("paginations")
    for pagination in paginations {
        let count = try await manager.pages("/books", pagination).reduce(0) { $0 + $1.objectIDs.count }
        story.show("\(count) books by " + sent(1))
    }

    story.say("The server fails at the third page. The position of that page is stored, to continue there later:")
    story.showCode("resume")
    catalog.fails(atPage: 3)
    let position = await loadUntilError(manager)
    story.show("stored: \(position.map { "\($0)" } ?? "nothing")")
    catalog.fails(atPage: nil)
    story.show("then: \(try await manager.pages("/books", from: position).reduce(0) { $0 + $1.objectIDs.count }) book")

    story.say("A user leafs through the list by number:")
    story.showCode("paginator")
    story.show(try await leaf(manager, store).joined(separator: "\n"))

    story.say("Plain models have pages without a store, too. A service that ignores the page is noticed:")
    story.showCode("models")
    story.show(await titles(manager.client))
}

// snippet.links
private func loadAll(_ manager: ObjectManager, _ store: ManagedObjectStore) async throws -> [String] {
    let context = ObjectContext(store)
    var lines: [String] = []
    for try await page in manager.pages("/books", .linkHeader) {  // the next page is loaded meanwhile
        let titles = try page.objects(of: ShelfBook.self, in: context).map(\.title)
        lines.append("\(titles.joined(separator: ", ")) (of \(page.response.totalCount ?? 0))")
    }
    return lines
}
// snippet.end

// snippet.paginations
private let paginations: [Pagination] = [
    .page(size: 3), .offset(size: 3), .cursor(at: "next"), .nextURL(at: "url"),
]
// snippet.end

// snippet.resume
private func loadUntilError(_ manager: ObjectManager) async -> PagePosition? {
    var position: PagePosition?
    do {
        for try await page in manager.pages("/books") { position = page.nextPage }  // `Codable`
    } catch {}
    return position
}
// snippet.end

// snippet.paginator
private func leaf(_ manager: ObjectManager, _ store: ManagedObjectStore) async throws -> [String] {
    let context = ObjectContext(store)
    let paginator = manager.paginator("/books", .page(size: 3))
    var lines: [String] = []
    func add(_ page: LoadResult) throws {
        let titles = try page.objects(of: ShelfBook.self, in: context).map(\.title)
        lines.append("page \(paginator.currentPage) of \(paginator.pageCount ?? 0): \(titles.joined(separator: ", "))")
    }
    try add(try await paginator.loadPage(2))
    if paginator.hasNextPage { try add(try await paginator.loadNextPage()) }
    try add(try await paginator.loadPage(1))
    return lines
}
// snippet.end

// snippet.models
private func titles(_ client: RESTClient) async -> String {
    var titles: [String] = []
    do {
        for try await page in client.pages("/fixed", .page(size: 3), as: BookTitle.self, at: "books") {
            titles += page.map(\.title)
        }
    } catch let error as PageError {
        titles.append("\(error.kind.rawValue)")
    } catch { titles.append("\(error)") }
    return titles.joined(separator: ", ")
}
// snippet.end

private struct BookTitle: Mappable {
    var title = ""
    static let mapping = Mapping(BookTitle.init) { Attribute("title", \.title) }
}

private final class ShelfBook: ManagedObject, Mappable {
    @Stored(.identity) var bookID = 0
    @Stored var title = ""

    static let mapping = Mapping(ShelfBook.self) {
        Attribute("id", \.bookID)
        Attribute("title", \.title)
    }
}

/// A library that divides its list into pages in four ways.
private final class BookServer: Sendable {
    private let titles = ["Emma", "Ivanhoe", "Kim", "Nana", "Silas Marner", "Ulysses", "Walden"]
    private let failure = Mutex<Int?>(nil)

    func fails(atPage page: Int?) { failure.withLock { $0 = page } }

    func answer(_ target: String) -> Answer {
        let items = URLComponents(string: target)?.queryItems ?? []
        func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
        let isFixed = target.hasPrefix("/fixed")
        let page = isFixed ? nil : number("page").map { ($0 - 1) * 3 }
        let start = page ?? number("offset") ?? number("cursor") ?? 0
        if failure.withLock({ $0 }) == start / 3 + 1 { return Answer(503, body: "".utf8) }
        let end = min(start + 3, titles.count)
        let books = titles.indices[start..<end].map { #"{"id": \#($0 + 1), "title": "\#(titles[$0])"}"# }
        var headers = [Header("X-Total-Count", "\(titles.count)")]
        var next = ""
        if end < titles.count {
            headers.append(Header("Link", "</books?cursor=\(end)>; rel=\"next\""))
            next = #""next": "\#(end)", "url": "/books?cursor=\#(end)", "#
        }
        return Answer(headers: headers, body: #"{\#(next)"books": [\#(books.joined(separator: ","))]}"#.utf8)
    }
}
