import Foundation
import LoopbackServer
import ObjectLoading
import Testing

@Suite("Completion closures")
struct CompletionTests {
    @MainActor private func outcome<Value>(
        _ call: (@escaping @MainActor (Result<Value, any Error>) -> Void) -> Task<Void, Never>
    ) async -> Result<Value, any Error>? {
        var outcome: Result<Value, any Error>?
        await call { outcome = $0 }.value
        return outcome
    }

    @MainActor @Test func `Objects are sent, loaded and deleted with completion closures`() async throws {
        let service = try Service.answering { request in
            switch request.prefix(4) {
            case "POST": .json(#"{"id": 7}"#, 201)
            case "GET ": .json(request.contains("projects") ? "[]" : #"{"id": 7, "name": "Server"}"#)
            default: Answer(204)
            }
        }
        let (manager, context) = (service.manager, service.store.mainContext)
        manager.router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        manager.responses.add(ProjectTask.mapping, path: "/projects/:id/tasks")
        let (task, project) = (context.insert(ProjectTask.self), context.insert(Project.self))
        (task.name, project.projectID) = ("Boil", 4)
        let created = try await #require(outcome { manager.post(task, completion: $0) }).get()
        #expect(task.taskID == 7 && created.objectIDs == [task.managed.id])
        task.name = "Mine"
        _ = try await #require(outcome { manager.put(task, completion: $0) }).get()
        _ = try await #require(outcome { manager.patch(task, completion: $0) }).get()
        _ = try await #require(outcome { manager.get(task, completion: $0) }).get()
        #expect(task.name == "Server")
        let found = try await #require(outcome { manager.load(project, \.tasks, completion: $0) }).get()
        #expect(found.objectIDs.isEmpty)
        let response = try await #require(outcome { manager.delete(task, completion: $0) }).get()
        #expect(response.status == 204 && task.managed.state == .deleted)
    }

    @MainActor @Test func `A failure and a cancellation reach the closure`() async throws {
        let service = try Service.answering { _ in .json("{}", 422) }
        let task = service.store.mainContext.insert(ProjectTask.self)
        let failure = await outcome { service.manager.post(task, completion: $0) }
        #expect(throws: MappedRequestError.self) { try failure?.get() }
        let cancelled = await outcome { completion in
            let call = service.manager.post(task, completion: completion)
            call.cancel()
            return call
        }
        #expect(throws: (any Error).self) { try cancelled?.get() }
        #expect(task.managed.state == .inserted)
    }
}
