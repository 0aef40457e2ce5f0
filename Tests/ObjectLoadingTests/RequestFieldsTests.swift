import Foundation
import LoopbackServer
import ObjectLoading
import Testing

@Suite("The fields and the owner of requests for objects")
struct RequestFieldsTests {
    private typealias Call = @Sendable (isolated Desk, HTTPHeaders) async throws -> Void

    private func desk() async throws -> (Desk, Service) {
        let service = try Service.answering { request in
            request.hasPrefix("GET /projects/4/tasks") || request.hasPrefix("GET /named")
                ? .json("[]") : .json(#"{"id": 7, "name": "Boil"}"#)
        }
        service.manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        service.manager.router.add(named: "named", "/named")
        service.manager.responses.add(ProjectTask.mapping, path: "/projects/:id/tasks")
        service.manager.responses.add(ProjectTask.mapping, path: "/named")
        service.manager.offline.add("/named") { _ in [ProjectTask.all] }
        service.manager.offline.add("/projects/:id/tasks") { _ in [ProjectTask.all] }
        let desk = try Desk(service)
        try await desk.post()
        return (desk, service)
    }

    /// All calls, each of which sends one request.
    private let calls: [(name: String, call: Call)] = {
        let form: @Sendable () -> Params = { Params(["name": "Fry"]) }
        return [
            ("get", { _ = try await $0.manager.get($0.task, query: ["q": 1], headers: $1, owner: "screen") }),
            (
                "get by identity",
                { _ = try await $0.manager.get(ProjectTask.self, 7, query: ["q": 1], headers: $1, owner: "screen") }
            ),
            ("put", { _ = try await $0.manager.put($0.task, query: ["q": 1], headers: $1, owner: "screen") }),
            (
                "put form",
                { _ = try await $0.manager.put($0.task, params: form(), query: ["q": 1], headers: $1, owner: "screen") }
            ),
            (
                "patch",
                {
                    $0.task.name += "."
                    _ = try await $0.manager.patch($0.task, query: ["q": 1], headers: $1, owner: "screen")
                }
            ),
            (
                "patch form",
                {
                    _ = try await $0.manager.patch(
                        $0.task, params: form(), query: ["q": 1], headers: $1, owner: "screen")
                }
            ),
            ("post", { _ = try await $0.manager.post($0.task, query: ["q": 1], headers: $1, owner: "screen") }),
            (
                "post form",
                {
                    _ = try await $0.manager.post(
                        $0.task, params: form(), query: ["q": 1], headers: $1, owner: "screen")
                }
            ),
            (
                "relationship",
                { _ = try await $0.manager.load($0.project, \.tasks, query: ["q": 1], headers: $1, owner: "screen") }
            ),
            (
                "relationship by a policy",
                {
                    _ = try await $0.manager.load(
                        $0.project, \.tasks, query: ["q": 1], headers: $1, owner: "screen", policy: .remote)
                }
            ),
            ("named", { _ = try await $0.manager.load(named: "named", query: ["q": 1], headers: $1, owner: "screen") }),
            (
                "named by a policy",
                {
                    _ = try await $0.manager.load(
                        named: "named", query: ["q": 1], headers: $1, owner: "screen", policy: .remote)
                }
            ),
            (
                "relationships",
                {
                    _ = try await $0.manager.loadAll(
                        [$0.project], \.tasks, query: ["q": 1], headers: $1, owner: "screen"
                    ).get()
                }
            ),
            (
                "pages",
                {
                    let pages = try $0.manager.pages(
                        $0.project, \.tasks, query: ["q": 1], headers: $1, owner: "screen")
                    for try await _ in pages {}
                }
            ),
            ("delete", { _ = try await $0.manager.delete($0.task, query: ["q": 1], headers: $1, owner: "screen") }),
        ]
    }()

    @Test func `are those of the call`() async throws {
        let (desk, service) = try await desk()
        for (name, call) in calls {
            try await desk.run { try await call($0, ["X-Trace": "abc"]) }
            let request = service.server.requests.last
            #expect(request?.headers["x-trace"] == "abc", "\(name)")
            #expect(request?.target.contains("q=1") == true, "\(name)")
        }
        #expect(service.server.requests.count == calls.count + 1)
    }

    @Test func `cancel the request by its owner`() async throws {
        let (desk, service) = try await desk()
        let queue = service.manager.queue
        queue.suspend()
        for (name, call) in calls {
            let sending = Task { try await desk.run { try await call($0, [:]) } }
            while queue.count == 0 { await Task.yield() }
            queue.cancelRequests(ownedBy: "other")
            #expect(queue.count == 1, "\(name)")
            queue.cancelRequests(ownedBy: "screen")
            await #expect(throws: (any Error).self, "\(name)") { try await sending.value }
        }
        #expect(service.server.requests.count == 1)
    }

    // MARK: By identity

    @Test func `An object is loaded by its class and identity, also if it is not in the store`() async throws {
        let service = try Service.answering { request in
            request.hasPrefix("GET /tasks/7") ? .json(#"{"id": 7, "name": "Boil"}"#) : .json("{}", 404)
        }
        let result = try await service.manager.get(ProjectTask.self, 7)
        #expect(service.server.requests.map(\.target) == ["/tasks/7"])
        let context = ObjectContext(service.store)
        #expect(try result.objects(of: ProjectTask.self, in: context).map(\.name) == ["Boil"])
        let missing = await #expect(throws: MappedRequestError.self) {
            try await service.manager.get(ProjectTask.self, "a/b")
        }
        #expect(missing?.response?.status == 404 && service.server.requests.last?.target == "/tasks/a%2Fb")
        #expect(try await service.tasks() == "7 Boil of none")
    }

    @Test func `A path that needs more than the identity is an error that names the property`() async throws {
        let service = try Service.answering { _ in .json("{}") }
        await #expect(throws: RouteError.self) { try await service.manager.get(Project.self, 1) }
        service.manager.router.add(Tag.self, "/tags/\(\.tagID)/\(\.name)")
        let error = await #expect(throws: RouteError.self) { try await service.manager.get(Tag.self, 1) }
        #expect(error?.kind == .missingValue(parameter: "name"))
        await #expect(throws: RouteError.self) { try await service.manager.get(ProjectTask.self) }
        #expect(service.server.requests.isEmpty)
    }

    @Test(arguments: [#"{"id": 8, "name": "Other"}"#, "[]", #"[{"id": 8}, {"id": 9}]"#])
    func `A response with another object than that of the identity is an error`(_ body: String) async throws {
        let service = try Service.answering { _ in .json(body) }
        let error = await #expect(throws: LoadError.self) { try await service.manager.get(ProjectTask.self, 7) }
        #expect(error?.kind == .otherObject && error?.description.contains("taskID 7") == true)
        #expect(try await service.tasks() == "")
    }

    @Test func `More values than an identity has are an error`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 7}"#) }
        let error = await #expect(throws: RouteError.self) { try await service.manager.get(ProjectTask.self, 7, 8) }
        #expect(error?.kind == .invalidValue(parameter: "taskID") && service.server.requests.isEmpty)
    }

    // MARK: Forms

    @Test func `A form replaces the resource, and edits remain to be sent`() async throws {
        let (desk, service) = try await desk()
        let unsent = try await desk.run { desk in
            desk.task.name = "Bake"
            try await desk.context.save()
            try await desk.manager.put(desk.task, params: Params(["task[picture]": "png"]))
            return try desk.context.unsentObjects(ProjectTask.self).count
        }
        #expect(unsent == 1)
        #expect(service.server.requests.last.map { "\($0.method) \($0.target)" } == "PUT /tasks/7")
        try await desk.patch()
        #expect(service.server.requests.last.map { "\($0.method) \($0.target)" } == "PATCH /tasks/7")
    }
}
