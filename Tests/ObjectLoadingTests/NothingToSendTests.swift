import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Edits that are listed, given up or not there")
struct NothingToSendTests {
    private final class Sent: Sendable {
        let requests = Mutex<[String]>([])
        var all: [String] { requests.withLock { $0 } }
    }

    private static func desk() async throws -> (Desk, Service, Sent) {
        let sent = Sent()
        let service = try Service.answering { request in
            sent.requests.withLock { $0.append(request) }
            if request.hasPrefix("GET") { return .json(#"{"id": 7, "name": "Server"}"#) }
            return .json(#"{"id": 7}"#, request.contains("Refused") ? 422 : 200)
        }
        let desk = try Desk(service)
        try await desk.post()
        sent.requests.withLock { $0 = [] }
        return (desk, service, sent)
    }

    @Test func `A patch without changes sends no request and succeeds`() async throws {
        let (desk, _, sent) = try await Self.desk()
        let result = try await desk.patch()
        #expect(result.outcome == .unchanged && result.objectIDs.isEmpty)
        #expect(sent.all.isEmpty)
        let changed = try await desk.run { desk in
            desk.task.name = "New"
            return try await desk.patch()
        }
        #expect(changed.outcome == .saved)
        #expect(sent.all == [#"PATCH /tasks/7 {"name":"New"}"#])
    }

    @Test func `Edits that the server refused are listed, and given up for the values of the server`() async throws {
        let (desk, _, sent) = try await Self.desk()
        try await desk.run { desk in
            desk.task.name = "Refused"
            try await desk.context.save()
            await #expect(throws: MappedRequestError.self) { try await desk.patch() }
            #expect(try desk.context.unsentObjects(ProjectTask.self) == [desk.task])
            #expect(try desk.context.unsentProperties(of: desk.task) == ["name"])
            try await desk.manager.get(desk.task)
            #expect(desk.task.name == "Refused")
            try desk.context.discardUnsentEdits(of: desk.task)
            #expect(try desk.context.unsentProperties(of: desk.task) == [])
            try await desk.manager.get(desk.task)
            #expect(desk.task.name == "Server")
            #expect(try desk.context.unsentObjects(ProjectTask.self) == [])
        }
        #expect(sent.all.count { $0.hasPrefix("PATCH") } == 1)
    }

    @Test func `New objects are listed with all properties until they are sent`() async throws {
        let (desk, _, _) = try await Self.desk()
        try await desk.run { desk in
            let new = desk.context.insert(ProjectTask.self)
            new.name = "Later"
            try await desk.context.save()
            #expect(try desk.context.unsentObjects(ProjectTask.self) == [new])
            #expect(
                try desk.context.unsentProperties(of: new) == ["name", "project", "projectID", "revision", "taskID"])
        }
    }

    @Test func `An object with an unsaved deletion is not sent`() async throws {
        let (desk, _, sent) = try await Self.desk()
        await desk.run { desk in
            desk.task.name = "Gone"
            desk.context.delete(desk.task)
            for send in [{ try await $0.put() }, { try await $0.patch() }]
                as [@Sendable (isolated Desk) async throws -> LoadResult]
            {
                let error = await #expect(throws: LoadError.self) { try await send(desk) }
                #expect(error?.kind == .invalidObject)
            }
        }
        #expect(sent.all.isEmpty)
    }
}
