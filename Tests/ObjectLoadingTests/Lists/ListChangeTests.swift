import Foundation
import LoopbackServer
@testable import ObjectLoading
import Synchronization
import Testing

@Suite("Changes and loads of a list model", .timeLimit(.minutes(1))) @MainActor
final class ListChangeTests {
    typealias Tasks = ListModel<ProjectTask>
    /// Retains the servers.
    private var services: [Service] = []

    /// A list of the tasks 1 to 3 of a service.
    private func list(
        _ answer: @escaping @Sendable (String) -> Answer = { _ in
            .json(#"[{"id": 1, "name": "Boil"}, {"id": 2, "name": "Fry"}, {"id": 3, "name": "Bake"}]"#)
        }, pages: Pagination? = nil, policy: FetchPolicy = .localThenRemote
    ) throws -> (Tasks, Service) {
        let service = try Service.answering(answer)
        services.append(service)
        service.manager.offline.add("/tasks") { _ in [ProjectTask.all] }
        let list = Tasks(
            path: "/tasks", showing: ProjectTask.all.sorted(by: \.taskID), pages: pages, policy: policy,
            manager: service.manager)
        return (list, service)
    }

    // MARK: Changes

    @Test func `Several changes of what is shown are reported as the difference from what was shown`() async throws {
        let (list, _) = try list()
        await list.load()
        var changes: [QueryChange<ProjectTask>] = []
        list.onChange = { changes.append($0) }
        list.filter = { $0.taskID < 3 }
        list.query = ProjectTask.where { $0.taskID > 1 }.sorted(by: \.taskID)
        list.filter = nil
        list.sort = nil
        await list.update()
        #expect(list.objects.map(\.taskID) == [2, 3])
        #expect(changes.map(\.inserted.count).reduce(0, +) == 1 && changes.map(\.deleted.count).reduce(0, +) == 2)
    }

    @Test func `A filter that is set by the receiver of a change is applied`() async throws {
        let (list, _) = try list()
        list.onChange = { [weak list] _ in
            if list?.filter == nil { list?.filter = { $0.name != "Fry" } }
        }
        await list.load()
        #expect(list.objects.map(\.name) == ["Boil", "Bake"])
    }

    @Test func `A filter that succeeds again is applied`() async throws {
        struct Broken: Error {}
        let (list, _) = try list()
        await list.load()
        var isBroken = true
        list.filter = { task in
            if isBroken { throw Broken() }
            return task.taskID == 1
        }
        #expect(list.error is Broken && list.objects.count == 3)
        isBroken = false
        await list.update()
        #expect(list.error == nil && list.objects.map(\.taskID) == [1])
    }

    @Test func `A filter does not receive deleted objects`() async throws {
        let (list, service) = try list()
        await list.load()
        let task = try #require(list.objects.first)
        service.store.mainContext.delete(task)
        var states: [ManagedState<ProjectTask>.State] = []
        list.filter = { task in
            states.append(task.managed.state)
            return true
        }
        #expect(states.count == 2 && !states.contains(.deleted))
        try await service.store.mainContext.save()
        await list.update()
        #expect(list.objects.map(\.taskID) == [2, 3])
        list.filter = nil
        service.store.mainContext.delete(list.objects[0])
        list.sort = nil
        try await service.store.mainContext.save()
        await list.update()
        #expect(list.objects.map(\.taskID) == [3])
    }

    // MARK: Loads

    @Test func `Rows that become visible together load one page`() async throws {
        let (list, service) = try list(
            { request in
                let page = Int(request.firstRange(of: "page=").map { request[$0.upperBound...].prefix(1) } ?? "") ?? 0
                let tasks = [page * 2, page * 2 + 1].map { #"{"id": \#($0), "name": "T"}"# }
                return .json("[\(tasks.joined(separator: ","))]", 200, [Header("X-Total-Count", "100")])
            }, pages: .page(size: 2))
        await list.load()
        list.willShow(0)
        list.willShow(1)
        while list.isLoadingNextPage, !Task.isCancelled { await Task.yield() }
        #expect(list.objects.count == 4 && service.server.requests.count == 2)
    }

    @Test func `A missing page after a full one is the end of the list`() async throws {
        let (list, _) = try list(
            { request in
                request.contains("page=1")
                    ? .json(#"[{"id": 1, "name": "Boil"}, {"id": 2, "name": "Fry"}]"#) : .json("{}", 404)
            }, pages: .page(size: 2))
        await list.load()
        #expect(list.hasNextPage)
        await list.loadNextPage()
        #expect(!list.hasNextPage && list.error == nil && list.objects.count == 2)
    }

    @Test func `A cancelled call does not fail the load of another one`() async throws {
        let gate = Gate()
        let (list, service) = try list { _ in
            gate.wait()
            return .json(#"[{"id": 1, "name": "Boil"}]"#)
        }
        let first = Task { await list.load() }
        await gate.arrival()
        let second = Task { await list.load() }
        while list.callers < 2, !Task.isCancelled { await Task.yield() }
        first.cancel()
        while list.callers == 2, !Task.isCancelled { await Task.yield() }
        gate.open()
        await second.value
        #expect(list.objects.count == 1 && list.isLoaded && service.server.requests.count == 1)
        await first.value
    }

    @Test func `A list has the report of a pruning that was refused`() async throws {
        let (list, _) = try list(
            { _ in .json(#"[{"id": 1, "name": "Boil"}]"#, 200, [Header("X-Total-Count", "3")]) },
            policy: .remote.pruning(.scope))
        await list.load()
        #expect(list.pruning?.refusal == .incomplete("it has 1 of 3 objects") && list.error == nil)
    }

    @Test func `A list is offline at once if the network is not reachable`() async throws {
        let (list, service) = try list()
        service.manager.queue.observeReachability(
            ReachabilityObserver(initially: .notReachable(.noRoute)), whenOffline: .wait)
        await list.load()
        #expect(list.isOffline && "\(list.state)" == "offline" && service.server.requests.isEmpty)
        var results: [Bool] = []
        let error = await #expect(throws: MappedRequestError.self) {
            for try await result in service.manager.load("/tasks", policy: .localThenRemote) {
                results.append(result.isLocal)
            }
        }
        #expect(results == [true] && error?.requestError?.kind == .offline)
    }
}
