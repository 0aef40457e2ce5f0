import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("The state of a list") @MainActor
struct ListStateTests {
    typealias Tasks = ListModel<ProjectTask>

    private func service(_ answer: Answer) throws -> Service { try Service.answering { _ in answer } }

    private func list(_ service: Service, _ pagination: Pagination? = nil) -> Tasks {
        Tasks(path: "/tasks", showing: ProjectTask.all, pages: pagination, manager: service.manager)
    }

    @Test(arguments: [(502, true), (503, true), (504, true), (500, false), (404, false)])
    func `is offline if the service is not available`(_ status: Int, _ isOffline: Bool) async throws {
        let service = try service(Answer(status, body: "".utf8))
        for pagination in [nil, Pagination.page(size: 2)] {
            let list = list(service, pagination)
            await list.load()
            #expect(list.isOffline == isOffline && list.error != nil && !list.isLoaded)
            #expect("\(list.state)".hasPrefix(isOffline ? "offline" : "failed"))
        }
    }

    @Test(arguments: [nil, Pagination.linkHeader])
    func `is offline without a connection, or a network`(_ pagination: Pagination?) async throws {
        let service = try service(.json("[]"))
        service.server.stop()
        let list = list(service, pagination)
        await list.load()
        #expect("\(list.state)" == "offline" && list.isOffline)
    }

    @Test func `is failed by a closure that throws, also while the service is not available`() async throws {
        struct Wrong: Error {}
        let service = try service(.json(#"[{"id": 1, "name": "Fry"}]"#))
        let list = list(service)
        list.filter = { _ in throw Wrong() }
        await list.load()
        guard case .failed(let error) = list.state else { throw Wrong() }
        #expect(error is Wrong && list.isEmpty && list.isLoaded)
        service.server.stop()
        await list.load()
        guard case .failed = list.state else { throw Wrong() }
        #expect(list.error is Wrong && list.isOffline)
        list.filter = nil
        #expect("\(list.state)" == "loaded" && list.objects.count == 1)
    }

    @Test func `is loaded for another list of the same path, and empty if it has no objects`() async throws {
        let service = try service(.json("[]"))
        let first = list(service)
        await first.update()
        #expect(!first.isLoaded && "\(first.state)" == "loading")
        await first.load()
        #expect("\(first.state)" == "empty")
        let second = list(service)
        await second.update()
        #expect(second.isLoaded && second.loadedAt != nil && "\(second.state)" == "empty")
        #expect(service.server.requests.count == 1)
        await second.invalidate()
        let third = list(service)
        await third.update()
        #expect(!third.isLoaded && !second.isLoaded && "\(third.state)" == "loading")
    }

    @Test func `has no objects after the store was reset`() async throws {
        let service = try service(.json(#"[{"id": 1, "name": "Fry"}, {"id": 2, "name": "Boil"}]"#))
        let list = list(service)
        await list.load()
        #expect(list.objects.count == 2)
        var deleted: [Int] = []
        list.onChange = { deleted = $0.deleted }
        _ = try await service.store.reset()
        while !list.isEmpty { await Task.yield() }
        #expect(deleted == [0, 1] && !list.isLoaded && !list.hasNextPage)
        #expect((list.error as? StoreError)?.kind == .closed)
        await list.load()
        #expect(list.isEmpty && list.error != nil)
    }

    @Test(arguments: [61, 1e9, -3600, -1e9])
    func `is outdated after the clock was changed by more than the refresh rate`(_ jump: Double) async throws {
        let service = try service(.json("[]"))
        let list = list(service)
        list.refreshRate = .seconds(60)
        await list.loadIfOutdated()
        #expect(!list.isOutdated)
        list.now = { Date(timeIntervalSinceNow: jump) }
        #expect(list.isOutdated)
        await list.loadIfOutdated()
        #expect(!list.isOutdated && service.server.requests.count == 2)
        list.now = { Date() }
        #expect(list.isOutdated)
    }
}
