import Foundation
import MappingTestSupport
import ObjectLoading
import TestSupport
import Testing

private final class Boat: ManagedObject, Mappable {
    @Stored(.identity) var boatID = 0
    @Stored var name = ""

    static let mapping = Mapping(Boat.self) {
        Attribute("id", \.boatID)
        Attribute("name", \.name)
    }
}

@Suite("Lists in pages, after a restart", .timeLimit(.minutes(1))) @MainActor
struct ListPositionTests {
    private typealias Boats = ListModel<Boat>
    private let directory: TemporaryDirectory
    private let stub = StubTransport()

    init() throws {
        directory = try TemporaryDirectory()
        stub.on(.get, "/boats") { request in
            let (page, size) = (Int(request.query["page"] ?? "") ?? 1, Int(request.query["per_page"] ?? "") ?? 100)
            let ids = (1...10).dropFirst((page - 1) * size).prefix(size)
            return StubResponse(
                json: "[" + ids.map { #"{"id": \#($0), "name": "b\#($0)"}"# }.joined(separator: ",") + "]")
        }
    }

    private func open() throws -> (ManagedObjectStore, ObjectManager) {
        let store = try ManagedObjectStore(at: directory.file("store.sqlite"), model: ObjectModel(Boat.self))
        let url = try #require(URL(string: "http://example.com"))
        let manager = ObjectManager(client: RESTClient(baseURL: url, transport: stub), store: store)
        manager.responses.add(Boat.mapping, path: "/boats")
        return (store, manager)
    }

    private func list(_ manager: ObjectManager, _ pagination: Pagination?) -> Boats {
        Boats(
            path: "/boats", showing: Boat.all.sorted(by: \.boatID), pages: pagination, refreshRate: .seconds(600),
            manager: manager)
    }

    private var pages: [String] { stub.requests.map { $0.query["page"] ?? "all" } }

    @Test func `A list that is not outdated continues with the page after those that were loaded before`() async throws
    {
        var (store, manager) = try open()
        defer { store.close() }
        var list = list(manager, .page(size: 4))
        await list.loadIfOutdated()
        #expect(list.objects.count == 4 && list.hasNextPage)
        for (count, hasNext) in [(8, true), (10, false)] {
            store.close()
            (store, manager) = try open()
            list = self.list(manager, .page(size: 4))
            await list.loadIfOutdated()
            #expect(list.isLoaded && list.hasNextPage && list.objects.count == count - (hasNext ? 4 : 2))
            if hasNext {
                list.willShow(list.objects.count - 1)
                while list.isLoadingNextPage { await Task.yield() }
            } else {
                await list.loadNextPage()
            }
            #expect(list.objects.count == count && list.hasNextPage == hasNext)
        }
        #expect(pages == ["1", "2", "3"])
        store.close()
        (store, manager) = try open()
        list = self.list(manager, .page(size: 4))
        await list.loadNextPage()
        #expect(list.isLoaded && !list.hasNextPage && pages == ["1", "2", "3"])
        await list.load()
        #expect(list.hasNextPage && pages == ["1", "2", "3", "1"])
    }

    @Test func `A page is not a load of the list without pages, or with other pages`() async throws {
        let (store, manager) = try open()
        defer { store.close() }
        await list(manager, .page(size: 4)).loadIfOutdated()
        let other = list(manager, .page(size: 5))
        await other.update()
        #expect(!other.isLoaded && other.isOutdated)
        let complete = list(manager, nil)
        await complete.loadIfOutdated()
        #expect(complete.objects.count == 10 && pages == ["1", "all"])
    }

    @Test func `After an invalidation, a next page is not a load`() async throws {
        let (store, manager) = try open()
        defer { store.close() }
        let first = list(manager, .page(size: 4))
        await first.load()
        await first.invalidate()
        await first.loadNextPage()
        #expect(first.objects.count == 8)
        let second = list(manager, .page(size: 4))
        await second.update()
        #expect(!second.isLoaded)
    }
}
