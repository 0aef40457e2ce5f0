import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Pages of an object manager")
struct PagesTests {
    /// A service with tasks in pages of two, by number, with links.
    private func service(_ count: Int, tagged: Bool = false) throws -> Service {
        let service = try Service.answering { request in
            let target = request.split(separator: " ")[1]
            let page =
                target.firstRange(of: "page=").flatMap { range in
                    Int(target[range.upperBound...].prefix { $0.isNumber })
                } ?? 1
            let ids = (0..<count).map { $0 + 1 }.dropFirst((page - 1) * 2).prefix(2)
            let tasks = ids.map { #"{"id": \#($0), "name": "T\#($0)"}"# }.joined(separator: ",")
            var headers = page * 2 < count ? [Header("Link", "</tasks?page=\(page + 1)>; rel=\"next\"")] : []
            headers.append(Header("X-Total-Count", "\(count)"))
            if tagged { headers.append(Header("ETag", "\"\(page)\"")) }
            return .json("[\(tasks)]", 200, headers)
        }
        service.manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        service.manager.router.add(named: "tasks", "/tasks")
        service.manager.responses.add(ProjectTask.mapping, path: "/projects/:id/tasks")
        return service
    }

    @Test(arguments: [Pagination.linkHeader, .page(size: 2)])
    func `are loaded into the store, each in a transaction`(_ pagination: Pagination) async throws {
        let service = try service(5)
        let context = ObjectContext(service.store)
        var names: [[String]] = []
        for try await page in service.manager.pages("/tasks", pagination) {
            names.append(try page.objects(of: ProjectTask.self, in: context).map(\.name))
            #expect((page.nextPage == nil) == (names.count == 3) && page.response.totalCount == 5)
        }
        #expect(names == [["T1", "T2"], ["T3", "T4"], ["T5"]])
        #expect(try await service.tasks().split(separator: ",").count == 5)
    }

    @Test func `can be those of a named route and of a relationship`() async throws {
        let service = try service(3)
        let desk = try Desk(service)
        let named = try service.manager.pages(named: "tasks")
        #expect(try await named.reduce(0) { $0 + $1.objectIDs.count } == 3)
        let count = try await desk.run { desk in
            let pages = try desk.manager.pages(desk.project, \.tasks, .page(size: 2))
            return try await pages.reduce(0) { $0 + $1.objectIDs.count }
        }
        #expect(count == 3)
        #expect(service.server.requests.last?.target == "/projects/4/tasks?page=2&per_page=2")
        #expect(throws: RouteError.self) { try service.manager.pages(named: "missing") }
    }

    @Test func `follow links although the server could confirm each page`() async throws {
        let service = try service(5, tagged: true)
        for _ in 1...2 {
            let ids = try await service.manager.pages("/tasks", .linkHeader).reduce(into: []) { $0 += $1.objectIDs }
            #expect(ids.count == 5)
        }
        #expect(service.server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
    }

    @Test func `keep the pages before an error, and continue after it`() async throws {
        let isDown = Mutex(true)
        let service = try Service.answering { request in
            if request.contains("?page=2"), isDown.withLock({ $0 }) { return Answer(503, body: "".utf8) }
            let isLast = request.contains("?page=2")
            return .json(isLast ? #"[{"id": 3}]"# : #"[{"id": 1}, {"id": 2}]"#)
        }
        var position: PagePosition?
        await #expect(throws: MappedRequestError.self) {
            for try await page in service.manager.pages("/tasks", .page(size: 2)) { position = page.nextPage }
        }
        #expect(try await service.tasks().split(separator: ",").count == 2)
        isDown.withLock { $0 = false }
        #expect(position != nil)
        let rest = service.manager.pages("/tasks", .page(size: 2), from: position)
        #expect(try await rest.reduce(0) { $0 + $1.objectIDs.count } == 1)
        #expect(try await service.tasks().split(separator: ",").count == 3)
    }

    @Test func `count elements that are null, and are not pruned with them`() async throws {
        let service = try Service.answering { request in
            request.contains("?page=2") ? .json(#"[{"id": 3}]"#) : .json(#"[{"id": 1}, null]"#)
        }
        service.manager.offline.add("/tasks") { _ in [ProjectTask.all] }
        let pages = service.manager.pages("/tasks", .page(size: 2))
        #expect(try await pages.reduce(0) { $0 + $1.objectIDs.count } == 2)
        for try await page in service.manager.pages("/tasks", .page(size: 3), pruning: .scope) {
            #expect(page.pruning?.refusal != nil)
        }
        #expect(try await service.tasks().split(separator: ",").count == 2)
    }

    @Test func `are loaded by number by a paginator`() async throws {
        let service = try service(5)
        let paginator = service.manager.paginator("/tasks", .page(size: 2))
        let page = try await paginator.loadPage(2)
        #expect(page.objectIDs.count == 2 && paginator.pageCount == 3 && paginator.hasNextPage)
        #expect(try await service.tasks() == "3 T3 of none, 4 T4 of none")
    }

    @Test func `are not stored if a later page was loaded meanwhile`() async throws {
        let gate = Gate()
        let service = try Service.answering { request in
            let page = request.firstRange(of: "?page=").flatMap { Int(request[$0.upperBound...].prefix(1)) } ?? 1
            if page == 2 { gate.wait() }
            return .json(#"[{"id": \#(page * 2)}, {"id": \#(page * 2 + 1)}]"#)
        }
        let (manager, store) = (service.manager, service.store)
        try await Self.replaceLoad(manager, gate)
        let context = ObjectContext(store)
        #expect(try await context.fetch(ProjectTask.all).map(\.taskID) == [6, 7])
    }

    /// Loads page 3 while page 2 is loaded, whose response arrives later.
    @MainActor private static func replaceLoad(_ manager: ObjectManager, _ gate: Gate) async throws {
        let paginator = manager.paginator("/tasks", .page(size: 2))
        let late = Task { try await paginator.loadPage(2) }
        await gate.arrival()
        try await paginator.loadPage(3)
        gate.open()
        await #expect(throws: (any Error).self) { try await late.value }
        #expect(paginator.currentPage == 3)
    }

    // MARK: Pruning

    /// A list whose objects, total and failures can be changed.
    private final class Changing: Sendable {
        struct State {
            var ids = Array(1...5)
            var surplus = 0
            var failingPage = 0
        }
        let state = Mutex(State())

        func answer(_ request: String) -> Answer {
            let state = state.withLock { $0 }
            let page = request.firstRange(of: "?page=").flatMap { Int(request[$0.upperBound...].prefix(1)) } ?? 1
            if page == state.failingPage { return Answer(503, body: "".utf8) }
            let tasks = state.ids.dropFirst((page - 1) * 2).prefix(2).map { #"{"id": \#($0), "name": "T"}"# }
            let total = Header("X-Total-Count", "\(state.ids.count + state.surplus)")
            return .json("[\(tasks.joined(separator: ","))]", 200, [total])
        }
    }

    @Test func `delete what a complete run does not have, and nothing after any other run`() async throws {
        let list = Changing()
        let service = try Service.answering { list.answer($0) }
        service.manager.offline.add("/tasks") { _ in [ProjectTask.all] }
        func run(_ pruning: Pruning, from position: PagePosition? = nil) async throws -> PruningReport? {
            var report: PruningReport?
            let pages = service.manager.pages("/tasks", .page(size: 2), from: position, pruning: pruning)
            for try await page in pages {
                #expect(report == nil)
                report = page.pruning
            }
            return report
        }
        func count() async throws -> Int { try await service.store.perform { try $0.count(ProjectTask.all) } }

        #expect(try await run(.scope)?.deleted.isEmpty == true)
        var second: PagePosition?
        for try await page in service.manager.pages("/tasks", .page(size: 2)) {
            second = page.nextPage
            break
        }
        list.state.withLock { $0.ids = [1, 2, 3, 5] }
        list.state.withLock { $0.failingPage = 2 }
        await #expect(throws: MappedRequestError.self) { try await run(.scope) }
        list.state.withLock { $0.failingPage = 0 }
        for surplus in [-1, 1, 9] {
            list.state.withLock { $0.surplus = surplus }
            #expect(try await run(.scope)?.refusal != nil, "\(surplus)")
        }
        list.state.withLock { $0.surplus = 0 }
        #expect(second != nil)
        #expect(try await run(.scope, from: second)?.refusal != nil)
        for try await _ in service.manager.pages("/tasks", .page(size: 2), pruning: .scope) { break }
        #expect(try await run(.none) == nil)
        #expect(try await run(.dryRun)?.deleted.count == 1)
        #expect(try await count() == 5)

        let report = try await run(.scope)
        #expect(report?.deleted.map(\.description) == ["ProjectTask/4"] && report?.refusal == nil)
        #expect(try await count() == 4)
    }

    @Test(arguments: [
        (Pagination.linkHeader, "[{\"id\": 1}]", [Header("Link", "</tasks>; rel=next")]),
        (.linkHeader, "[{\"id\": 1}]", [Header("Link", "<http://other.example/tasks>; rel=next")]),
        (.page(size: 2).limit(pages: 3), "[]", [Header("Link", "</tasks?page=2>; rel=next")]),
        (.page(size: 2), "[]", [Header("X-Total-Count", "2")]),
        (.page(size: 2), "[{\"id\": 1}]", [Header("X-Total-Count", "3")]),
        (.offset(size: 2), "[]", [Header("X-Total-Count", "9")]),
    ])
    func `delete nothing after an end that the service contradicts`(
        _ pagination: Pagination, _ body: String, _ headers: [Header]
    ) async throws {
        let service = try Service.answering { request in
            request.contains("/all") ? .json(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#) : .json(body, 200, headers)
        }
        service.manager.responses.add(ProjectTask.mapping, path: "/all")
        service.manager.offline.add("/tasks") { _ in [ProjectTask.all] }
        _ = try await service.manager.load("/all")
        do {
            for try await page in service.manager.pages("/tasks", pagination, pruning: .scope) {
                #expect(page.deleted.isEmpty)
            }
        } catch { #expect(error is PageError) }
        #expect(try await service.tasks().split(separator: ",").count == 3)
    }

    @Test func `require queries for the path to prune, before a request is sent`() async throws {
        let service = try Service.answering { Changing().answer($0) }
        let error = await #expect(throws: LoadError.self) {
            for try await _ in service.manager.pages("/tasks", .page(size: 2), pruning: .scope) {}
        }
        #expect(error?.kind == .noQueries && service.server.requests.isEmpty)
    }
}
