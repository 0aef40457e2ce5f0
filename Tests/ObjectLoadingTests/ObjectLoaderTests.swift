import Foundation
import LoopbackServer
import MappingTestSupport
import ObjectLoading
import Synchronization
import Testing

@Suite("Loaders and batches")
struct ObjectLoaderTests {
    private static let address = "https://api.example.com/v1"

    /// A manager of projects with the responses of a stub.
    private func manager(_ stub: StubTransport) throws -> ObjectManager {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Project.self, ProjectTask.self))
        let url = try #require(URL(string: Self.address))
        let manager = ObjectManager(client: RESTClient(baseURL: url, transport: stub), store: store)
        manager.responses.add(Project.mapping, path: "/projects")
        manager.responses.add(Project.mapping, path: "/projects/:id")
        manager.responses.add(ProjectTask.mapping, path: "/projects/:id/tasks")
        manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        manager.router.add(named: "page", "/projects/page/:number")
        return manager
    }

    private let projects = StubResponse(json: #"[{"id": 1, "name": "Kettle"}, {"id": 2, "name": "Attic"}]"#)

    /// Records its calls, and ends a sequence after the last one.
    private final class Recorder: ObjectLoaderDelegate {
        private let calls = Mutex<[String]>([])
        private let ended = AsyncStream.makeStream(of: Void.self)

        func add(_ call: String, isLast: Bool = false) {
            calls.withLock { calls in if calls.last != call { calls.append(call) } }
            if isLast { ended.continuation.finish() }
        }

        func all() async -> [String] {
            for await _ in ended.stream {}
            return calls.withLock { $0 }
        }

        func requestWillSend(_ request: RESTRequest) { add("willSend") }
        func request(_ request: RESTRequest, didProgress progress: RequestProgress) { add("progress") }
        func request(_ request: RESTRequest, didLoad response: RESTResponse) { add("didLoad \(response.status)") }
        func requestDidCancel(_ request: RESTRequest) { add("didCancel") }
        func objectLoader(_ loader: ObjectLoader, didLoad result: LoadResult) { add("loaded \(result.objectIDs)") }
        func objectLoader(_ loader: ObjectLoader, didFail error: any Error) {
            add("failed \((error as? MappedRequestError)?.response?.status ?? 0)")
        }
    }

    @Test(arguments: [false, true])
    func `A delegate receives the events of the request, and then the outcome before the closure`(
        _ hasQueueDelegate: Bool
    ) async throws {
        final class QueueDelegate: RequestQueueDelegate {}
        let stub = StubTransport()
        stub.on(.get, "/v1/projects", projects)
        let manager = try manager(stub)
        let queueDelegate = QueueDelegate()
        if hasQueueDelegate { manager.queue.delegate = queueDelegate }
        let recorder = Recorder()
        let loader = manager.loader("/projects")
        loader.delegate = recorder
        loader.onProgress { _ in recorder.add("closure") }
        loader.start { recorder.add("completion \((try? $0.get())?.objectIDs.count ?? 0)", isLast: true) }
        loader.start()
        let calls = await recorder.all()
        #expect(calls.first == "willSend")
        #expect(calls.firstIndex(of: "closure").map { calls[$0 + 1] } == "progress")
        #expect(calls.suffix(3) == ["didLoad 200", "loaded [Project/1, Project/2]", "completion 2"])
        #expect(try await loader.result().objectIDs.count == 2)
        let late = Recorder()
        loader.start { late.add("late \((try? $0.get())?.objectIDs.count ?? 0)", isLast: true) }
        #expect(await late.all() == ["late 2"])
        #expect(stub.requests.count == 1)
    }

    @Test func `A loader that was just started is cancelled by its owner, and by all requests`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            // Cancelled ones may be sent, and wait for the last one.
            if request.target == "/tasks" { gate.wait() }
            return .json("[]")
        }
        let service = try Service(server)
        service.manager.responses.add(ProjectTask.mapping)
        for isAll in [false, true] {
            let loader = service.manager.loader("/tasks", owner: "screen")
            loader.start()
            service.manager.queue.cancelRequests(ownedBy: "other")
            if isAll {
                service.manager.queue.cancelAllRequests()
            } else {
                service.manager.queue.cancelRequests(ownedBy: "screen")
            }
            let error = await #expect(throws: MappedRequestError.self) { try await loader.result() }
            #expect(error?.isCancelled == true)
        }
        for _ in 0..<2 { gate.open() }
        let later = service.manager.loader("/later", owner: "screen")
        #expect(try await later.result().objectIDs.isEmpty)
    }

    @Test func `A failure has one outcome, also if nothing retains the loader`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects/page/2", StubResponse(status: 500))
        let manager = try manager(stub)
        let recorder = Recorder()
        do {
            let loader = try manager.loader(named: "page", ["number": 2])
            loader.delegate = recorder
            loader.start { _ in recorder.add("completion", isLast: true) }
        }
        #expect(await recorder.all().suffix(3) == ["didLoad 500", "failed 500", "completion"])
    }

    @Test(arguments: [true, false])
    func `A loader is cancelled before or after its start, and stores nothing`(_ isBefore: Bool) async throws {
        let stub = StubTransport()
        let gate = StubGate()
        stub.on(.get, "/v1/projects", projects.held(by: gate))
        let manager = try manager(stub)
        let recorder = Recorder()
        let loader = manager.loader("/projects")
        loader.delegate = recorder
        if isBefore { loader.cancel() }
        loader.start { _ in recorder.add("completion", isLast: true) }
        if !isBefore {
            await gate.arrivals(1)
            loader.cancel()
        }
        #expect(await recorder.all().suffix(3) == ["didCancel", "failed 0", "completion"])
        let error = await #expect(throws: MappedRequestError.self) { try await loader.result() }
        #expect(error?.requestError?.kind == .cancelled)
        gate.open()
        #expect(stub.requests.isEmpty || !isBefore)
        let count = try await manager.store?.perform { try $0.count(Project.all) }
        #expect(count == 0)
    }

    @Test func `A closure receives the outcome of a path`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects", projects)
        let manager = try manager(stub)
        let result = try await withCheckedThrowingContinuation { continuation in
            manager.load("/projects") { continuation.resume(with: $0) }
        }
        #expect(result.objectIDs.count == 2)
    }

    // MARK: Batches

    @Test func `A batch loads each path, reports its progress, and keeps the failures by path`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects/:id") { request in
            let id = request.parameters["id"] ?? ""
            return id == "2" ? StubResponse(status: 404) : StubResponse(json: #"{"id": \#(id), "name": "P\#(id)"}"#)
        }
        let manager = try manager(stub)
        var progress: [String] = []
        let paths = (1...5).map { "/projects/\($0)" }
        let batch = await manager.loadAll(paths, limit: 2) { progress.append("\($0)/\($1)") }
        #expect(progress == ["1/5", "2/5", "3/5", "4/5", "5/5"])
        #expect(batch.objectIDs.count == 4)
        #expect(batch.failures.map(\.path) == ["/projects/2"])
        #expect((batch.failures.first?.error as? MappedRequestError)?.response?.status == 404)
        #expect(batch.failures.first?.description.hasPrefix("/projects/2: ") == true)
        let failure = #expect(throws: LoadBatch.Failure.self) { try batch.get() }
        #expect(failure?.path == "/projects/2")
        let names = try await manager.store?.perform { context in
            try batch.objects(of: Project.self, in: context).map(\.name)
        }
        #expect(names == ["P1", "P3", "P4", "P5"])
        #expect(await manager.loadAll([]).outcomes.isEmpty)
    }

    @Test func `A batch of a relationship loads it for each owner, and merges it into their context`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects", projects)
        stub.on(.get, "/v1/projects/:id/tasks") { request in
            let id = request.parameters["id"] ?? ""
            return StubResponse(json: #"[{"id": 7\#(id), "name": "Task of \#(id)", "project_id": \#(id)}]"#)
        }
        let manager = try manager(stub)
        let store = try #require(manager.store)
        let context = ObjectContext(store)
        let owners = try await manager.load("/projects").objects(of: Project.self, in: context)
        let batch = try await manager.loadAll(owners, \.tasks)
        #expect(batch.failures.isEmpty)
        #expect(owners.map { $0.tasks.map(\.name) } == [["Task of 1"], ["Task of 2"]])
        let new = context.insert(Project.self)
        await #expect(throws: RouteError.self) { try await manager.loadAll([new], \.tasks) }
        #expect(stub.requests.count == 3)
    }

    @Test func `A cancelled batch has a failure for each load that did not end`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects", projects.held(by: StubGate()))
        let manager = try manager(stub)
        let task = Task { await manager.loadAll(["/projects", "/projects", "/projects"], limit: 1) }
        task.cancel()
        let errors = await task.value.failures.map { ($0.error as? MappedRequestError)?.requestError?.kind }
        #expect(errors == [.cancelled, .cancelled, .cancelled])
    }

    // MARK: Addresses

    @Test func `A URL of the service gives its route and parameters, and a route its URL`() throws {
        let manager = try manager(StubTransport())
        let project = Project()
        project.projectID = 4
        let url = try #require(try manager.url(for: project, relationship: \.tasks))
        #expect(url.absoluteString == "https://api.example.com/v1/projects/4/tasks")
        let match = manager.route(for: url)
        #expect(match?.type == Project.self && match?.name == "tasks" && match?.parameters == ["projectID": "4"])
        let page = try #require(try manager.url(named: "page", ["number": 3]))
        #expect(manager.route(for: page)?.parameters == ["number": "3"])
        let other = try #require(URL(string: "https://other.example.com/v1/projects/4/tasks"))
        #expect(manager.route(for: other) == nil)
    }

    @Test func `The reachability of a manager is that of its queue`() throws {
        let manager = try manager(StubTransport())
        #expect(manager.reachability == nil)
        let observer = ReachabilityObserver(url: manager.client.baseURL)
        manager.reachability = observer
        #expect(manager.reachability === observer && manager.queue.reachabilityObserver === observer)
        manager.reachability = nil
        #expect(manager.queue.reachabilityObserver == nil)
    }

    // MARK: Policies

    /// Returns the calls of a loader's delegate and closure.
    private func calls(of loader: ObjectLoader) async -> [String] {
        let recorder = Recorder()
        loader.delegate = recorder
        loader.start { outcome in
            switch outcome {
            case .success(let result): recorder.add("\(result.isLocal) \(result.objectIDs.count)", isLast: true)
            case .failure(let error):
                recorder.add("\((error as? LoadError)?.kind.rawValue ?? "\(error)")", isLast: true)
            }
        }
        return await recorder.all()
    }

    @Test func `A loader has an outcome by each policy, also without a request`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects", projects)
        let manager = try manager(stub)
        let missing = await calls(of: manager.loader("/projects", policy: .local))
        #expect(missing == ["failed 0", "noQueries"] && stub.requests.isEmpty)
        manager.offline.add("/projects") { _ in [Project.all] }
        manager.offline.add("/projects/page/:number") { _ in [Project.all] }

        #expect(await calls(of: manager.loader("/projects", policy: .local)) == ["loaded []", "true 0"])
        #expect(stub.requests.isEmpty)
        let remote = await calls(of: manager.loader("/projects", policy: .remoteElseLocal))
        #expect(remote.first == "willSend" && remote.last == "false 2")
        let local = await calls(of: try manager.loader(named: "page", ["number": 1], policy: .local))
        #expect(local == ["loaded [Project/1, Project/2]", "true 2"])
        let fresh = manager.loader("/projects", policy: .remote.maximumAge(.seconds(3600)))
        #expect(try await fresh.result().isLocal && stub.requests.count == 1)
        let both = await calls(of: manager.loader("/projects", policy: .localThenRemote))
        #expect(both.contains("loaded [Project/1, Project/2]") && both.contains("true 2"))
        let result = try await withCheckedThrowingContinuation { continuation in
            manager.load("/projects", policy: .local) { continuation.resume(with: $0) }
        }
        #expect(result.isLocal)
    }

    @Test func `A loader prunes by its policy`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/projects", projects)
        let manager = try manager(stub)
        manager.offline.add("/projects") { _ in [Project.all] }
        try await manager.loader("/projects").result()
        stub.on(.get, "/v1/projects", StubResponse(json: #"[{"id": 1}]"#))
        #expect(try await manager.loader("/projects", pruning: .dryRun).result().deleted.count == 1)
        #expect(try await manager.loader("/projects", policy: .remote.pruning(.scope)).result().deleted.count == 1)
    }
}
