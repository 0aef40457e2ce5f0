import Foundation
import LoopbackServer
import ObjectLoading
import Testing

/// Rejects the name "bad", and deletes itself with the name "gone".
final class StrictTask: ManagedObject, Mappable {
    struct BadName: Error {}

    @Stored(.identity) var taskID = 0
    @Stored var name = ""

    static let mapping = Mapping(StrictTask.self) {
        Attribute("id", \.taskID)
        Attribute("name", \.name)
    }

    override func validateForSave() throws { if name == "bad" { throw BadName() } }
    override func willSave() { if name == "gone" { managed.context?.delete(self) } }
}

@Suite("Objects of a response that the store refuses")
struct RefusedObjectsTests {
    private struct StrictService {
        let server: LoopbackServer
        let manager: ObjectManager
        let store: ManagedObjectStore

        /// The names of the stored tasks.
        func names() async throws -> [String] {
            try await store.perform { try $0.fetch(StrictTask.all.sorted(by: \.taskID)).map(\.name) }
        }
    }

    private static func service(_ names: [String]) throws -> StrictService {
        let tasks = names.enumerated().map { #"{"id": \#($0.offset + 1), "name": "\#($0.element)"}"# }
        let body = #"{"tasks": [\#(tasks.joined(separator: ","))]}"#
        let server = try LoopbackServer { _ in .json(body) }
        let store = try ManagedObjectStore(inMemory: ObjectModel(StrictTask.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(StrictTask.mapping, at: "tasks", path: "/tasks")
        return StrictService(server: server, manager: manager, store: store)
    }

    @Test func `By default, one of them fails the load, and nothing is saved`() async throws {
        let service = try Self.service(["a", "bad", "c"])
        let error = await #expect(throws: StoreError.self) { try await service.manager.load("/tasks") }
        #expect(error?.kind == .invalidObjects)
        #expect(try await service.names() == [])
    }

    @Test func `The error has the path of each of them in the body`() async throws {
        let service = try Self.service(["a", "bad", "c", "bad"])
        let error = await #expect(throws: StoreError.self) { try await service.manager.load("/tasks") }
        #expect(error?.problems.map(\.path) == ["$.tasks[1]", "$.tasks[3]"])
        #expect("\(try #require(error))".contains(" at $.tasks[1]: "))
    }

    @Test func `Elements that are null count in the paths`() async throws {
        let server = try LoopbackServer { request in
            .json(request.target == "/one" ? #"{"id": 1, "name": "bad"}"# : #"[null, {"id": 1, "name": "bad"}]"#)
        }
        let store = try ManagedObjectStore(inMemory: ObjectModel(StrictTask.self))
        let manager = ObjectManager(client: RESTClient(baseURL: server.url), store: store)
        manager.responses.add(StrictTask.mapping)
        for (target, path) in [("/many", "$[1]"), ("/one", "$")] {
            let error = await #expect(throws: StoreError.self) { try await manager.load(target) }
            #expect(error?.problems.map(\.path) == [path])
        }
        let result = try await manager.load("/many", policy: .skipElement)
        #expect(result.report.rejected.map(\.path) == ["$[1]"])
    }

    @Test func `They are skipped and reported with their position, and the others are saved`() async throws {
        let service = try Self.service(["a", "bad", "c", "bad"])
        let result = try await service.manager.load("/tasks", policy: .skipElement)
        #expect(try await service.names() == ["a", "c"])
        #expect(result.objectIDs.count == 2)
        #expect(result.report.rejected.map(\.path) == ["$.tasks[1]", "$.tasks[3]"])
        #expect(result.report.rejected.map(\.index) == [1, 3])
        #expect(
            result.report.rejected.first.map { String(decoding: $0.json, as: UTF8.self) } == #"{"id":2,"name":"bad"}"#)
        let issue = result.report.issues.first
        #expect(issue?.kind == .dataSource && issue?.found.contains("StrictTask") == true)
    }

    @Test func `Stored objects keep their values`() async throws {
        let service = try Self.service(["bad", "new"])
        try await service.store.perform { context in
            context.marksUnsentEdits = false
            context.insert(StrictTask.self).taskID = 1
            try context.save()
        }
        _ = try await service.manager.load("/tasks", policy: .skipElement)
        #expect(try await service.names() == ["", "new"])
    }

    @Test func `The description of many problems is bounded`() async throws {
        let service = try Self.service(Array(repeating: "bad", count: 500))
        let error = await #expect(throws: StoreError.self) { try await service.manager.load("/tasks") }
        let lines = "\(try #require(error))".split(separator: "\n")
        #expect(lines.count == 22 && lines.last == "- and 480 more problems")
        let result = try await service.manager.load("/tasks", policy: .skipElement)
        #expect(result.report.rejected.count == 500)
        #expect("\(result.report)".split(separator: "\n").count == 42)
    }

    @Test func `Objects that delete themselves before the save are not in the result`() async throws {
        let service = try Self.service(["a", "gone"])
        let result = try await service.manager.load("/tasks")
        #expect(result.objectIDs.count == 1)
        #expect(try await service.names() == ["a"])
    }
}
