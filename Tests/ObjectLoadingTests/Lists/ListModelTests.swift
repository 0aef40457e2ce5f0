import Foundation
import LoopbackServer
import ObjectLoading
import Observation
import Synchronization
import Testing

@Suite("A list model") @MainActor
struct ListModelTests {
    typealias Tasks = ListModel<ProjectTask>

    /// A service whose answer can be changed, and its lists.
    final class Tracker: Sendable {
        let service: Service
        private let answer: Box

        init(_ body: String = "[]") throws {
            let answer = Box(.json(body))
            self.answer = answer
            service = try Service.answering { _ in answer.state.withLock { $0 } }
        }

        private final class Box: Sendable {
            let state: Mutex<Answer>
            init(_ answer: Answer) { state = Mutex(answer) }
        }

        func answers(_ answer: Answer) { self.answer.state.withLock { $0 = answer } }

        var requests: Int { service.server.requests.count }

        func list(
            showing query: ObjectQuery<ProjectTask>? = ProjectTask.all.sorted(by: \.name), _ rate: Duration? = nil
        ) async -> Tasks {
            await Tasks(path: "/tasks", showing: query, refreshRate: rate, manager: service.manager)
        }

        /// Saves tasks by their name.
        func save(_ names: [String]) async throws {
            try await service.store.perform { context in
                let count = try context.count(ProjectTask.all)
                for (index, name) in names.enumerated() {
                    let task = ProjectTask(in: context)
                    (task.taskID, task.name) = (100 + count + index, name)
                }
                try context.save()
            }
        }
    }

    private func names(_ list: Tasks) -> [String] { list.objects.map(\.name) }

    // MARK: Loading

    @Test func `loads a path, and shows the objects of a query`() async throws {
        let tracker = try Tracker(#"[{"id": 1, "name": "Fry"}, {"id": 2, "name": "Boil"}]"#)
        let list = await tracker.list()
        #expect("\(list.state)" == "loading" && list.isEmpty && !list.isLoaded)
        await list.load()
        #expect(names(list) == ["Boil", "Fry"] && "\(list.state)" == "loaded")
        #expect(list.isLoaded && !list.isLoading && list.error == nil && !list.hasNextPage)
    }

    @Test func `shows the objects of the last answer in its order, if it has no query`() async throws {
        let tracker = try Tracker(#"[{"id": 1, "name": "Fry"}, {"id": 2, "name": "Boil"}]"#)
        try await tracker.save(["Other"])
        let list = await tracker.list(showing: nil)
        await list.load()
        #expect(names(list) == ["Fry", "Boil"])
        tracker.answers(.json(#"[{"id": 2, "name": "Bake"}]"#))
        await list.load()
        #expect(names(list) == ["Bake"])
        tracker.answers(.json("[]"))
        await list.load()
        #expect("\(list.state)" == "empty")
    }

    @Test func `keeps its objects while the server fails, and shows the answer when it works again`() async throws {
        let tracker = try Tracker()
        tracker.answers(Answer(500, body: "".utf8))
        let list = await tracker.list()
        await list.load()
        guard case .failed(let error) = list.state else { throw Failure(state: list.state) }
        #expect((error as? MappedRequestError)?.response?.status == 500 && !list.isOffline && !list.isLoaded)
        tracker.answers(.json(#"[{"id": 1, "name": "Fry"}]"#))
        await list.load()
        #expect(names(list) == ["Fry"] && list.error == nil)
        tracker.answers(Answer(500, body: "".utf8))
        await list.load()
        #expect(names(list) == ["Fry"] && "\(list.state)" == "loaded" && list.error != nil)
    }

    struct Failure: Error { let state: ListState }

    @Test func `is offline if the server cannot be reached`() async throws {
        let tracker = try Tracker()
        let list = await tracker.list()
        tracker.service.server.stop()
        await list.load()
        #expect("\(list.state)" == "offline" && list.isOffline)
        try await tracker.save(["Fry"])
        await list.load()
        #expect(names(list) == ["Fry"] && list.isOffline && "\(list.state)" == "loaded")
    }

    @Test func `shows the offline query of its path, and notices that the server cannot be reached`() async throws {
        let tracker = try Tracker(#"[{"id": 1, "name": "Fry"}]"#)
        tracker.service.manager.offline.add("/tasks") { _ in [ProjectTask.all.sorted(by: \.name)] }
        try await tracker.save(["Boil"])
        let list = await tracker.list(showing: nil)
        await list.update()
        #expect(names(list) == ["Boil"])
        await list.load()
        #expect(names(list) == ["Boil", "Fry"])
        tracker.service.server.stop()
        await list.load()
        #expect(names(list) == ["Boil", "Fry"] && list.isOffline && list.error != nil)
    }

    @Test func `prunes by its policy`() async throws {
        let tracker = try Tracker(#"[{"id": 1, "name": "Fry"}, {"id": 2, "name": "Boil"}]"#)
        tracker.service.manager.offline.add("/tasks") { _ in [ProjectTask.all.sorted(by: \.name)] }
        let list = Tasks(path: "/tasks", policy: .remote.pruning(.scope), manager: tracker.service.manager)
        await list.load()
        #expect(names(list) == ["Boil", "Fry"])
        tracker.answers(.json(#"[{"id": 1, "name": "Fry"}]"#))
        await list.load()
        #expect(names(list) == ["Fry"])
    }

    @Test func `sends no request with the local policy`() async throws {
        let tracker = try Tracker()
        try await tracker.save(["Fry"])
        let list = Tasks(
            path: "/tasks", showing: ProjectTask.all, policy: .local, manager: tracker.service.manager)
        await list.load()
        #expect(names(list) == ["Fry"] && tracker.requests == 0)
    }

    @Test func `has an error if the manager has no store`() async throws {
        let url = try #require(URL(string: "http://localhost"))
        let list = Tasks(path: "/tasks", manager: ObjectManager(client: RESTClient(baseURL: url)))
        #expect((list.error as? LoadError)?.kind == .noStore)
        await list.load()
        #expect(list.isEmpty)
    }

    // MARK: Refresh rate

    @Test func `loads again when its objects are older than the refresh rate, also after a restart`() async throws {
        let tracker = try Tracker(#"[{"id": 1, "name": "Fry"}]"#)
        let list = await tracker.list(.seconds(60))
        #expect(list.isOutdated)
        await list.loadIfOutdated()
        await list.loadIfOutdated()
        #expect(tracker.requests == 1 && !list.isOutdated)

        let later = await tracker.list(.seconds(60))
        await later.loadIfOutdated()
        #expect(tracker.requests == 1 && names(later) == ["Fry"] && later.isLoaded)
        later.now = { Date(timeIntervalSinceNow: 61) }
        #expect(later.isOutdated)
        await later.loadIfOutdated()
        #expect(tracker.requests == 2)
        // The clock was set back: the time of the load is in the future.
        later.now = { Date(timeIntervalSinceNow: -3600) }
        #expect(later.isOutdated)

        await list.invalidate()
        let last = await tracker.list(.seconds(60))
        await last.loadIfOutdated()
        #expect(tracker.requests == 3)
    }

    // MARK: Search, filter, sort and sections

    @Test func `finds all or any words without case and diacritics`() async throws {
        let tracker = try Tracker()
        try await tracker.save(["Boil eggs", "Crème brûlée", "boil CREME"])
        let list = ListModel(ProjectTask.all.sorted(by: \.name), in: tracker.service.store)
        await list.load()
        #expect(list.objects.count == 3)
        for (text, match, found) in [
            ("creme", ListSearch<ProjectTask>.Match.all, ["Crème brûlée", "boil CREME"]),
            ("  BOIL  crème ", .all, ["boil CREME"]), ("eggs brulee", .any, ["Boil eggs", "Crème brûlée"]),
            ("eggs brulee", .all, []), ("", .all, ["Boil eggs", "Crème brûlée", "boil CREME"]),
        ] {
            list.search = ListSearch(text, in: \.name, \.revision, matching: match)
            await list.load()
            #expect(names(list) == found, "\(text)")
            list.search = ListSearch(text, matching: match) { $0.name }
            await list.load()
            #expect(names(list) == found, "\(text)")
        }
        list.search = ListSearch("pier", in: \.project?.name)
        await list.load()
        #expect("\(list.state)" == "empty")
        list.reset()
        await list.load()
        #expect(list.objects.count == 3)
    }

    @Test func `filters and sorts by closures and by the store, and divides into sections`() async throws {
        let tracker = try Tracker()
        try await tracker.save(["Bake", "Boil", "Fry", "Fold"])
        let list = ListModel(ProjectTask.all.sorted(by: \.name), in: tracker.service.store)
        await list.load()
        list.sectionName = { String($0.name.prefix(1)) }
        #expect(list.sections.map(\.name) == ["B", "F"] && list.sections.map(\.range) == [0..<2, 2..<4])
        list.filter = { $0.name.count == 4 }
        #expect(names(list) == ["Bake", "Boil", "Fold"] && list.sections.map(\.range) == [0..<2, 2..<3])
        list.sort = { $0.name > $1.name }
        #expect(names(list) == ["Fold", "Boil", "Bake"])
        (list.sort, list.filter, list.sectionName) = (nil, nil, nil)
        list.sort(by: \.name, descending: true)
        await list.load()
        #expect(names(list) == ["Fry", "Fold", "Boil", "Bake"] && list.sections.isEmpty)
        list.query = ProjectTask.where { $0.name.hasPrefix("B") }
        await list.load()
        #expect(names(list) == ["Boil", "Bake"])
    }

    @Test func `remains as it is if a closure throws, and works again after it is replaced`() async throws {
        struct Wrong: Error {}
        let tracker = try Tracker()
        try await tracker.save(["Bake", "Fry"])
        let list = ListModel(ProjectTask.all.sorted(by: \.name), in: tracker.service.store)
        await list.load()
        list.filter = { if $0.name == "Fry" { throw Wrong() } else { return true } }
        #expect(list.error is Wrong && names(list) == ["Bake", "Fry"] && "\(list.state)" == "loaded")
        try await tracker.save(["Cut"])
        await list.load()
        #expect(list.error is Wrong && names(list) == ["Bake", "Fry"])
        list.filter = { $0.name != "Fry" }
        #expect(list.error == nil && names(list) == ["Bake", "Cut"])
        list.sort = { _, _ in throw Wrong() }
        #expect(list.error is Wrong && names(list) == ["Bake", "Cut"])
        list.sort = nil
        list.sectionName = { _ in throw Wrong() }
        #expect(list.error is Wrong)
        list.sectionName = nil
        list.search = ListSearch("a") { _ in throw Wrong() }
        #expect(list.error is Wrong)
        list.reset()
        await list.load()
        #expect(list.error == nil && names(list) == ["Bake", "Cut", "Fry"])
    }

    @Test func `has the error of an invalid query, and shows a valid one afterwards`() async throws {
        let tracker = try Tracker()
        try await tracker.save(["Bake"])
        let list = ListModel(ProjectTask.all.limit(-1), in: tracker.service.store)
        await list.load()
        #expect((list.error as? StoreError)?.kind == .misuse)
        list.query = ProjectTask.all
        await list.load()
        #expect(list.error == nil && names(list) == ["Bake"])
    }

    // MARK: Changes

    @Test func `reports the positions of changes, also of those by search and filter`() async throws {
        let tracker = try Tracker(#"[{"id": 1, "name": "Bake"}, {"id": 2, "name": "Cut"}, {"id": 3, "name": "Fry"}]"#)
        let list = await tracker.list()
        var changes: [String] = []
        list.onChange = { change in
            let moves = change.moved.map { "\($0.from)>\($0.to)" }
            changes.append(
                "\(change.isInitial) +\(change.inserted) -\(change.deleted) \(moves) ~\(change.updated)")
        }
        await list.load()
        tracker.answers(.json(#"[{"id": 1, "name": "Grill"}, {"id": 4, "name": "Dry"}]"#))
        await list.load()
        list.filter = { $0.name != "Dry" }
        list.filter = nil
        list.search = ListSearch("r", in: \.name)
        await list.load()
        let loads = changes.filter { $0 != "true +[] -[] [] ~[]" }
        #expect(
            Array(loads.dropFirst()) == [
                "false +[1] -[] [\"0>3\"] ~[3]", "false +[] -[1] [] ~[]", "false +[1] -[] [] ~[]",
                "false +[] -[0] [] ~[]",
            ])
        #expect(names(list) == ["Dry", "Fry", "Grill"])
    }

    @Test func `notifies views that read it, and stops observing when it is released`() async throws {
        let tracker = try Tracker()
        weak var released: Tasks?
        do {
            let list = ListModel(ProjectTask.all, in: tracker.service.store)
            released = list
            await list.load()
            let isChanged = Mutex(false)
            withObservationTracking {
                _ = list.objects
            } onChange: {
                isChanged.withLock { $0 = true }
            }
            try await tracker.save(["Bake"])
            await list.load()
            #expect(isChanged.withLock { $0 } && names(list) == ["Bake"])
        }
        while released != nil { await Task.yield() }
    }

    @Test func `shares a load in progress, which can be cancelled`() async throws {
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json("[]")
        }
        let list = Tasks(path: "/tasks", showing: ProjectTask.all, manager: service.manager)
        let loads = [Task { await list.load() }, Task { await list.load() }]
        await gate.arrival()
        #expect(list.isLoading && "\(list.state)" == "loading")
        list.cancel()
        for load in loads { await load.value }
        gate.open()
        #expect(!list.isLoading && list.error == nil && !list.isLoaded && service.server.requests.count <= 1)
        // The objects are still unknown.
        #expect("\(list.state)" == "loading")
    }

    // MARK: Pages

    @Test(arguments: [true, false]) func `loads pages on demand`(_ hasQuery: Bool) async throws {
        let service = try Service.answering { request in
            let page = Int(request.firstRange(of: "page=").map { request[$0.upperBound...].prefix(1) } ?? "") ?? 0
            let ids = [5, 4, 3, 2, 1].dropFirst((page - 1) * 2).prefix(2)
            let tasks = ids.map { #"{"id": \#($0), "name": "T\#($0)"}"# }.joined(separator: ",")
            return .json("[\(tasks)]", 200, [Header("X-Total-Count", "5")])
        }
        let list = Tasks(
            path: "/tasks", showing: hasQuery ? ProjectTask.all.sorted(by: \.taskID, descending: true) : nil,
            pages: .page(size: 2), manager: service.manager)
        #expect(!list.hasNextPage)
        await list.loadNextPage()
        #expect(list.objects.map(\.taskID) == [5, 4] && list.hasNextPage && list.objectCount == 5)
        await list.loadNextPage()
        #expect(list.objects.map(\.taskID) == [5, 4, 3, 2])
        list.willShow(0, within: 1)
        #expect(!list.isLoadingNextPage)
        list.willShow(3, within: 1)
        while list.hasNextPage { await Task.yield() }
        #expect(list.objects.map(\.taskID) == [5, 4, 3, 2, 1] && !list.hasNextPage)
        await list.loadNextPage()
        #expect(service.server.requests.count == 3)
        await list.load()
        #expect(list.hasNextPage && list.objects.count == (hasQuery ? 5 : 2))
    }
}
