import LoopbackServer
import ObjectLoading
import Testing

@Suite("Loading objects")
struct ObjectManagerTests {
    @Test func `A path loads objects into the store and values of plain models in one pass`() async throws {
        let body =
            #"{"projects": [{"id": 1, "name": "Kettle"}, {"id": 2, "name": "Attic"}], "me": {"id": 9, "name": "Ada"}}"#
        let service = try Service(["GET /projects?page=2": .json(body)])
        let manager = service.manager
        manager.responses.add(Project.mapping, at: "projects", path: "/projects")
        manager.responses.add(Account.mapping, at: "me", path: "/projects")
        manager.responses.add(Account.mapping, at: "missing")
        let result = try await manager.load("/projects", query: ["page": "2"])
        #expect(result.keyPaths.map(\.description) == ["projects", "me"])
        #expect(result.values(of: Account.self) == [Account(id: 9, name: "Ada")])
        #expect(result.objectIDs.count == 2 && result.response.status == 200 && !result.isNotModified)
        #expect(result.objectIDs.map(\.description) == ["Project/1", "Project/2"])
        let names = try await service.store.perform { context in
            try result.objects(of: Project.self, in: context).map(\.name)
        }
        #expect(names == ["Kettle", "Attic"])
        #expect(try await service.projectNames() == ["Kettle", "Attic"])
    }

    @Test func `Objects are found by their identity and connected by keys, in any order of the loads`() async throws {
        let service = try Service([
            "GET /tasks": .json(#"[{"id": 7, "name": "Boil", "project_id": 1}]"#, 200, [Header("x-rev", "r5")]),
            "GET /projects/1": .json(#"{"id": 1, "name": "Kettle", "tasks": [{"id": 7, "name": "Boil water"}]}"#),
        ])
        service.manager.responses.add(ProjectTask.mapping, path: "/tasks")
        service.manager.responses.add(Project.mapping, path: "/projects/:id")
        _ = try await service.manager.load("/tasks")
        _ = try await service.manager.load("/projects/1")
        let found = try await service.store.perform { context in
            try context.fetch(ProjectTask.all).map { "\($0.name) \($0.project?.name ?? "") \($0.revision ?? "")" }
        }
        #expect(found == ["Boil water Kettle r5"])
    }

    @Test(
        arguments: [
            ("", "/tasks/:id", "/tasks/7"), ("", "tasks/:id", "tasks/7"), ("/", "/tasks/:id", "/tasks/7"),
            ("/v1", "/tasks/:id", "/tasks/7"), ("/v1/", "/tasks/:id", "/tasks/7"), ("/v1/", "tasks/:id", "tasks/7"),
            ("/v1", "tasks/:id", "/tasks/7?q=1"), ("/a/b/", "/tasks/:id", "tasks/7"),
            ("", "/tasks/:id/", "/tasks/7"), ("", "/tasks/:id", "/tasks/7/"), ("/v1", "tasks/:id/", "tasks/7/"),
            ("", "/tasks/:id/?page=1", "/tasks/7?page=1"),
        ])
    func `Paths of descriptors are relative to the base URL with and without slashes`(
        _ base: String, _ pattern: String, _ path: String
    ) async throws {
        let target = base.replacing(/\/$/, with: "") + (path.hasPrefix("/") ? "" : "/") + path
        let service = try Service(["GET \(target)": .json(#"{"id": 7, "name": "Boil"}"#)], base: base)
        service.manager.responses.add(Account.mapping, path: pattern)
        #expect(try await service.manager.load(path).values(of: Account.self) == [Account(id: 7, name: "Boil")])
    }

    @Test func `Of descriptors for one type and key path, the most specific one is applied`() async throws {
        let service = try Service(["GET /projects/recent": .json(#"[{"id": 1, "name": "Kettle"}]"#)])
        let responses = service.manager.responses
        responses.add(Project.mapping)
        responses.add(Project.mapping, path: "/projects/:id")
        responses.add(Mapping(Project.self) { Attribute("id", \.projectID) }, path: "/projects/recent")
        responses.add(Account.mapping, path: "/projects/:id")
        let result = try await service.manager.load("/projects/recent")
        #expect(result.objectIDs.count == 1 && result.values(of: Account.self).count == 1)
        #expect(try await service.projectNames() == [""])
        #expect("\(result)".hasSuffix("1 objects, 1 values") && !"\(result)".contains("Kettle"))
    }

    @Test func `If no descriptor applies, the error has the reason of each one`() async throws {
        let service = try Service(["GET /x": .json("{}", 201)])
        let responses = service.manager.responses
        responses.add(Project.mapping, at: "projects", path: "/projects/:id")
        responses.add(Project.mapping, methods: [.post, .put])
        responses.add(Account.mapping, statuses: 200..<201)
        responses.add(Account.mapping, baseURL: URL(string: "https://example.com/v2"))
        responses.add(error: Problem.mapping)
        let error = await #expect(throws: LoadError.self) { try await service.manager.load("/x") }
        #expect(error?.kind == .noDescriptor && error?.response?.status == 201)
        let text = error?.description.replacing(service.server.url.absoluteString, with: "URL") ?? ""
        #expect(
            text == """
                GET URL/x: status 201: no response descriptor applies:
                  Project at 'projects': the path is /projects/:id, not /x
                  Project: the method is POST or PUT, not GET
                  Account: the status is 200 to 200, not 201
                  Account: the base URL is https://example.com/v2, not that of URL/x
                """)
    }

    @Test(arguments: [400, 422, 500])
    func `The models of an error descriptor are in the error`(_ status: Int) async throws {
        let body = #"{"errors": [{"title": "Name is blank"}, {"title": "Too short"}]}"#
        let service = try Service(["GET /x": .json(body, status)])
        service.manager.responses.add(error: Problem.mapping, at: "errors")
        service.manager.responses.add(Project.mapping)
        let error = await #expect(throws: MappedRequestError.self) { try await service.manager.load("/x") }
        #expect(error?.kind == .unacceptableStatus && error?.response?.status == status)
        #expect(error?.models(of: Problem.self).map(\.title) == ["Name is blank", "Too short"])
        #expect(error?.serverMessage == "Name is blank, Too short")
        #expect(error?.description.contains("blank") == false)
    }

    @Test func `An error without a descriptor, or with another body, is that of its status`() async throws {
        let service = try Service([
            "GET /x": Answer(502, headers: [Header("Content-Type", "text/html")], body: "<p>".utf8)
        ])
        service.manager.responses.add(error: Problem.mapping, statuses: 500..<600)
        for path in ["/x", "/y"] {
            let error = await #expect(throws: MappedRequestError.self) { try await service.manager.load(path) }
            #expect(error?.kind == .unacceptableStatus && error?.models.isEmpty == true)
        }
    }

    @Test(arguments: ["", " \n", "{}", "[]"])
    func `A success without content is an empty result`(_ body: String) async throws {
        let service = try Service(["GET /x": .json(body)])
        service.manager.responses.add(Project.mapping, at: "projects")
        let result = try await service.manager.load("/x")
        #expect(result.objectIDs.isEmpty && result.keyPaths.isEmpty)
    }

    @Test(arguments: [#"{"projects": [{"id": 1, "name": 5}, {"id": 2, "na"#, "<html>", #"{"other": 1}"#, #"[1, 2]"#])
    func `A body that cannot be mapped leaves the store unchanged`(_ body: String) async throws {
        let service = try Service(["GET /x": .json(body)])
        service.manager.responses.add(Project.mapping, at: "projects")
        let error = await #expect(throws: MappedRequestError.self) { try await service.manager.load("/x") }
        #expect(error?.kind == (body == "<html>" ? .unexpectedContent : .mappingFailed))
        #expect(try await service.projectNames().isEmpty)
    }

    @Test func `Elements with issues fail the load, or are skipped and reported`() async throws {
        let body = #"[{"id": 1, "name": "Kettle"}, {"id": "x", "name": "?"}, {"id": 3, "name": "Attic"}]"#
        let service = try Service(["GET /x": .json(body)])
        service.manager.responses.add(Project.mapping)
        await #expect(throws: MappedRequestError.self) { try await service.manager.load("/x") }
        #expect(try await service.projectNames().isEmpty)
        let result = try await service.manager.load("/x", policy: .skipElement)
        #expect(result.report.rejected.map(\.index) == [1])
        #expect(try await service.projectNames() == ["Kettle", "Attic"])
    }

    @Test func `Managed objects need a store, plain models do not`() async throws {
        let service = try Service(["GET /x": .json(#"{"id": 1}"#)])
        let manager = ObjectManager(client: service.manager.client)
        manager.responses.add(Account.mapping)
        #expect(try await manager.load("/x").values(of: Account.self) == [Account(id: 1)])
        manager.responses.add(Project.mapping)
        let error = await #expect(throws: LoadError.self) { try await manager.load("/x") }
        #expect(error?.kind == .noStore)
    }

    @Test func `A failure of the store is thrown, and nothing is saved`() async throws {
        let service = try Service(["GET /x": .json(#"{"id": 1}"#)])
        service.manager.responses.add(Project.mapping)
        service.store.close()
        await #expect(throws: (any Error).self) { try await service.manager.load("/x") }
    }

    @Test func `Named routes and relationships are loaded by their paths`() async throws {
        let service = try Service([
            "GET /search/a%2Fb?n=1": .json(#"[{"id": 7}]"#),
            "GET /projects/4/tasks": .json(#"[{"id": 7, "name": "Boil", "project_id": 4}]"#),
        ])
        let (manager, store) = (service.manager, service.store)
        manager.router.add(named: "search", "/search/:term")
        manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        manager.responses.add(Account.mapping, path: "/search/:term")
        manager.responses.add(ProjectTask.mapping, path: "/projects/:projectID/tasks")
        let found = try await manager.load(named: "search", ["term": "a/b"], query: ["n": 1])
        #expect(found.values(of: Account.self).map(\.id) == [7])
        try await Screen(store).loadTasks(of: 4, by: manager)
        let names = try await store.perform { context in
            try context.fetch(Project.all).flatMap(\.tasks).map(\.name)
        }
        #expect(names == ["Boil"])
    }

    @Test func `An object is loaded again by its route`() async throws {
        let service = try Service(["GET /projects/4": .json(#"{"id": 4, "name": "New"}"#)])
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        service.manager.responses.add(Project.mapping, path: "/projects/:id")
        #expect(try await Screen(service.store).reload(4, by: service.manager) == "New")
        #expect(service.manager.queue.count == 0)
    }

    @Test func `Unsaved changes are kept when an object is loaded again, and other attributes are new`() async throws {
        let body = #"{"id": 4, "name": "New", "tasks": [{"id": 7, "name": "Boil", "project_id": 4}]}"#
        let service = try Service(["GET /projects/4": .json(body)])
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        service.manager.responses.add(Project.mapping, path: "/projects/:id")
        let screen = Screen(service.store)
        #expect(try await screen.reload(4, renamed: "Mine", by: service.manager) == "Mine: Boil")
        #expect(try await service.projectNames() == ["New"])
    }

    @Test func `Objects that a context has in memory have the loaded values`() async throws {
        let service = try Service(["GET /projects": .json(#"[{"id": 4, "name": "New"}, {"id": 5, "name": "Other"}]"#)])
        service.manager.responses.add(Project.mapping, path: "/projects")
        #expect(
            try await Screen(service.store).names(afterLoading: "/projects", by: service.manager) == "New, Other: New")
    }

    @Test func `A response with another object is an error, and is not saved`() async throws {
        let service = try Service(["GET /projects/4": .json(#"{"id": 5, "name": "Other"}"#)])
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        service.manager.responses.add(Project.mapping, path: "/projects/:id")
        let error = await #expect(throws: LoadError.self) {
            try await Screen(service.store).reload(4, by: service.manager)
        }
        #expect(error?.kind == .otherObject)
        #expect(try await service.projectNames() == ["Old"])
    }

    @Test func `An object that was never saved cannot be loaded again`() async throws {
        let service = try Service([:])
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        let error = await #expect(throws: LoadError.self) {
            try await Screen(service.store).reloadNew(by: service.manager)
        }
        #expect(error?.kind == .notSaved)
    }

    @Test func `The URL of an object is that of its route`() throws {
        let service = try Service([:], base: "/v1/")
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        let project = Project()
        project.projectID = 4
        #expect(try service.manager.url(for: project)?.path() == "/v1/projects/4")
    }

    /// Holds objects in its own isolation.
    private actor Screen {
        let context: ObjectContext

        init(_ store: ManagedObjectStore) {
            context = ObjectContext(store)
            context.marksUnsentEdits = false
        }

        private func insert(_ number: Int) async throws -> Project {
            let project = context.insert(Project.self)
            (project.projectID, project.name) = (number, "Old")
            try await context.save()
            return project
        }

        func reload(_ number: Int, by manager: ObjectManager) async throws -> String {
            let project = try await insert(number)
            try await manager.get(project)
            return project.name
        }

        func reload(_ number: Int, renamed name: String, by manager: ObjectManager) async throws -> String {
            let project = try await insert(number)
            project.name = name
            try await manager.get(project)
            return "\(project.name): \(project.tasks.map(\.name).joined(separator: ", "))"
        }

        func names(afterLoading path: String, by manager: ObjectManager) async throws -> String {
            let project = try await insert(4)
            let objects = try await manager.load(path).objects(of: Project.self, in: context)
            return "\(objects.map(\.name).joined(separator: ", ")): \(project.name)"
        }

        func reloadNew(by manager: ObjectManager) async throws {
            let project = context.insert(Project.self)
            project.projectID = 4
            try await manager.get(project)
        }

        func loadTasks(of number: Int, by manager: ObjectManager) async throws {
            _ = try await manager.load(try await insert(number), \.tasks)
        }
    }
}
