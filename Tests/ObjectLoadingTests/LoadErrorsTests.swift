import Foundation
import LoopbackServer
import ObjectLoading
import Testing

@Suite("Errors of loads")
struct LoadErrorsTests {
    @Test func `The identity of another stored object is an error of kind otherObject`() async throws {
        let service = try Service.answering { request in
            request.hasPrefix("POST") ? .json(#"{"id": 7}"#) : .json(#"{"id": 8, "name": "Other"}"#)
        }
        let desk = try Desk(service)
        try await desk.post()
        try await service.store.perform { context in
            context.insert(ProjectTask.self).taskID = 8
            try context.save()
        }
        let error = await #expect(throws: LoadError.self) { try await desk.get() }
        #expect(error?.kind == .otherObject)
        let second = await #expect(throws: LoadError.self) { try await desk.put() }
        #expect(second?.kind == .otherObject)
        #expect(second?.description.contains("unassigned") == false)
    }

    @Test func `A closed store is an error of the store`() async throws {
        let service = try Service.answering { _ in .json(#"[{"id": 7}]"#) }
        service.store.close()
        let error = await #expect(throws: StoreError.self) { try await service.manager.load("/tasks") }
        #expect(error?.kind == .closed)
    }

    @Test func `A body of null names what was expected`() async throws {
        let service = try Service.answering { _ in .json("null") }
        let error = await #expect(throws: MappedRequestError.self) { try await service.manager.load("/tasks") }
        #expect(error.map { "\($0)".contains("expected an object or an array, found null") } == true)
    }

    @Test func `Messages by attribute are the message of the server`() async throws {
        let body = #"{"errors": {"title": ["can't be blank", "is short"], "base": ["is late"]}}"#
        let service = try Service.answering { _ in .json(body, 422) }
        let error = await #expect(throws: MappedRequestError.self) { try await service.manager.load("/tasks") }
        #expect(error?.serverMessage == "title can't be blank, title is short, is late")
    }

    @Test(.timeLimit(.minutes(1))) func `Thousands of descriptors match in linear time`() async throws {
        let service = try Service(["GET /tasks": .json(#"{"n3": [{"id": 7}]}"#)])
        for number in 0..<3000 {
            service.manager.responses.add(Account.mapping, at: JSONKeyPath(components: ["n\(number)"]), path: "/tasks")
            service.manager.responses.add(Account.mapping, at: JSONKeyPath(components: ["n\(number)"]))
        }
        #expect(try await service.manager.load("/tasks").values(of: Account.self) == [Account(id: 7)])
    }

    @Test func `Statuses can be closed ranges and single statuses`() async throws {
        let service = try Service(["GET /a": .json(#"{"title": "No"}"#, 422), "GET /b": .json(#"{"id": 7}"#, 203)])
        service.manager.responses.add(error: Problem.mapping, statuses: 422...422)
        service.manager.responses.add(Account.mapping, statuses: 200...203)
        let error = await #expect(throws: MappedRequestError.self) { try await service.manager.load("/a") }
        #expect(error?.models(of: Problem.self).map(\.title) == ["No"])
        #expect(try await service.manager.load("/b").values(of: Account.self) == [Account(id: 7)])
    }
}
