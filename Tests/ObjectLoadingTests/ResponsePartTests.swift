import Foundation
import LoopbackServer
import ObjectLoading
import Testing

/// Responses to the request of an object, with several descriptors of its class.
@Suite("The object of a request among the parts of its response")
struct ResponsePartTests {
    private static func desk(_ body: String, at keyPaths: JSONKeyPath...) throws -> (Desk, Service) {
        let service = try Service.answering { _ in .json(body, 201) }
        for keyPath in keyPaths { service.manager.responses.add(ProjectTask.mapping, at: keyPath, path: "/created") }
        return (try Desk(service), service)
    }

    @Test func `A key path that the body does not have does not count`() async throws {
        let (desk, _) = try Self.desk(#"{"task": {"id": 201}}"#, at: "tasks", "task")
        let result = try await desk.create()
        #expect(await desk.run { $0.task.taskID } == 201)
        #expect(result.keyPaths.map(\.description) == ["task"])
        let id = await desk.run { $0.task.managed.id }
        #expect(result.objectIDs == [id])
    }

    @Test func `The object is that of the descriptor with an object, and the list is loaded as well`() async throws {
        let (desk, service) = try Self.desk(
            #"{"related": [{"id": 5, "name": "Fry"}], "task": {"id": 201}}"#, at: "related", "task")
        let result = try await desk.create()
        #expect(await desk.run { $0.task.taskID } == 201)
        #expect(result.keyPaths.map(\.description) == ["related", "task"] && result.objectIDs.count == 2)
        #expect(try await service.tasks().contains("5 Fry"))
    }

    @Test func `The other parts are loaded if the object has no identity`() async throws {
        let (desk, service) = try Self.desk(
            #"{"related": [{"id": 5, "name": "Fry"}], "task": {"name": "Boiled"}}"#, at: "task", "related")
        try await desk.create()
        #expect(await desk.run { $0.task.name } == "Boiled")
        #expect(try await service.tasks().contains("5 Fry"))
    }

    @Test func `Several objects of the class are an error that names the key paths`() async throws {
        let (desk, _) = try Self.desk(#"{"task": {"id": 201}, "next": {"id": 202}}"#, at: "task", "next")
        let error = await #expect(throws: LoadError.self) { try await desk.create() }
        #expect(error?.kind == .otherObject)
        #expect(error?.description.contains("at 'task', 'next'") == true)
    }

    @Test func `A parameter of the path connects the objects of a relationship whose JSON has no foreign key`()
        async throws
    {
        let service = try Service(["GET /projects/4/tasks": .json(#"[{"id": 7, "name": "Boil"}]"#)])
        service.manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        let mapping = Mapping(ProjectTask.self) {
            Attribute("id", \.taskID)
            Attribute("name", \.name)
            Attribute(.metadata("routing.parameters.id"), \.projectID)
            Connection(\.project, by: \.projectID)
        }
        service.manager.responses.add(mapping, path: "/projects/:id/tasks")
        let desk = try Desk(service)
        #expect(try await desk.loadTasks() == ["Boil"])
    }
}

extension Desk {
    fileprivate func loadTasks() async throws -> [String] {
        try await manager.load(project, \.tasks)
        return project.tasks.map(\.name)
    }

    /// Posts the task to a path with several descriptors.
    @discardableResult fileprivate func create() async throws -> LoadResult {
        try await manager.post(task, to: "/created")
    }
}
