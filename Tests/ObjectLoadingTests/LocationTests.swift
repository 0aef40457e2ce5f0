import Foundation
import LoopbackServer
import ObjectLoading
import Testing

@Suite("Identities of created resources")
struct LocationTests {
    private func desk(_ status: Int, _ location: String, _ body: String = "") throws -> (Service, Desk) {
        let service = try Service.answering { _ in .json(body, status, [Header("Location", location)]) }
        return (service, try Desk(service))
    }

    @Test(arguments: ["/tasks/7", "tasks/7", "/tasks/7?via=post", "//HOST/tasks/7"], ["", #"{"name": "Boil!"}"#])
    func `Without an identity in the body, that in the Location is assigned`(
        _ location: String, _ body: String
    ) async throws {
        let server = try LoopbackServer { request in
            let host = request.headers.first { $0.name == "Host" }?.value ?? ""
            return .json(body, 201, [Header("Location", location.replacing("HOST", with: host))])
        }
        let service = try Service(server)
        service.describeTasks()
        let desk = try Desk(service)
        try await desk.post()
        let name = body.isEmpty ? "Boil" : "Boil!"
        #expect(await desk.shown == "7 \(name) of none: unchanged, no changes")
        #expect(try await service.tasks() == "7 \(name) of none")
    }

    @Test func `The identity in the body precedes that in the Location`() async throws {
        let (service, desk) = try desk(201, "/tasks/7", #"{"id": 9}"#)
        try await desk.post()
        #expect(try await service.tasks() == "9 Boil of none")
    }

    @Test(arguments: [
        (200, "/tasks/7"), (201, "/projects/7"), (201, "/tasks/x"), (201, "https://example.com/tasks/7"),
        (201, "/tasks/7/parts"),
    ]) func `Other responses and other URLs assign nothing`(_ status: Int, _ location: String) async throws {
        let (service, desk) = try desk(status, location)
        try await desk.post()
        #expect(try await service.tasks() == "0 Boil of none")
    }

    @Test(arguments: [true, false]) func `If the identity is stored, the object takes over that row`(
        _ isSaved: Bool
    ) async throws {
        let (service, desk) = try desk(201, "/tasks/7", #"{"name": "By the server"}"#)
        try await service.store.perform { context in
            let task = context.insert(ProjectTask.self)
            (task.taskID, task.name, task.revision) = (7, "Loaded", "r1")
            try context.save()
        }
        if isSaved { try await desk.run { try $0.context.save() } }
        let result = try await desk.post()
        #expect(result.outcome == .saved)
        #expect(await desk.shown == "7 By the server of none: unchanged, no changes")
        #expect(await desk.run { $0.task.revision } == "r1")
        #expect(try await service.tasks() == "7 By the server of none")
    }
}
