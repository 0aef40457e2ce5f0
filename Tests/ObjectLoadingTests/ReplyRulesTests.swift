import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Responses to objects that change meanwhile")
struct ReplyRulesTests {
    /// The bodies of requests in the order of their arrival.
    private final class Bodies: Sendable {
        private let bodies = Mutex<[String]>([])
        var all: [String] { bodies.withLock { $0 } }
        func add(_ request: String) {
            bodies.withLock { $0.append(request.split(separator: " ", maxSplits: 2).dropFirst(2).joined()) }
        }
    }

    private let bodies = Bodies()
    private static let list = #"[{"id": 5, "name": "Listed"}]"#

    /// A service with projects, whose responses to other methods than GET are held back by a gate.
    private func service(
        _ gate: Gate? = nil, reply: String, list: String = Self.list, status: Int = 200
    ) throws -> Service {
        let bodies = bodies
        let service = try Service.answering { request in
            if request.hasPrefix("GET") { return .json(list) }
            bodies.add(request)
            gate?.wait()
            return .json(reply, status)
        }
        service.manager.router.add(Project.self, "/projects/\(\.projectID)")
        service.manager.router.add(Project.self, .post, "/projects")
        service.manager.bodies.add(Project.mapping)
        service.manager.responses.add(Project.mapping, path: "/projects")
        return service
    }

    // MARK: References

    @Test(arguments: [#"{"id": 5, "name": "Sent"}"#, #"{"id": 5, "name": "Sent", "tasks": []}"#])
    func `References that were saved during a POST are kept if its identity was stored meanwhile`(
        _ reply: String
    ) async throws {
        let gate = Gate()
        let service = try service(gate, reply: reply, status: 201)
        let desk = try Desk(service)
        try await desk.run { desk in
            desk.project = desk.context.insert(Project.self)
            try await desk.context.save()
            async let result = desk.postProject()
            await gate.arrival()
            desk.task.project = desk.project
            try await desk.context.save()
            try await desk.load("/projects")
            gate.open()
            #expect(try await result.outcome == .saved)
            #expect(desk.task.project === desk.project && desk.project.projectID == 5 && !desk.context.hasChanges)
        }
        #expect(try await service.tasks() == "0 Boil of Sent")
    }

    @Test func `After a replacement, a relationship that the response has as well is saved without a conflict`()
        async throws
    {
        let service = try service(reply: #"{"id": 5, "name": "Sent", "tasks": [{"id": 1, "name": "One"}]}"#)
        let desk = try Desk(service)
        try await desk.run { desk in
            try await desk.load("/projects")
            desk.task.taskID = 1
            // The server has it.
            desk.context.marksUnsentEdits = false
            try await desk.context.save()
            let stored = try #require(try await desk.context.find(Project.self, 5))
            desk.project = desk.context.insert(Project.self)
            desk.project.tasks = [desk.task]
            #expect(try await desk.postProject().outcome == .replaced(by: stored.managed.id))
            #expect(desk.task.project === stored)
            try await desk.context.save()
            #expect(desk.task.project === stored && !desk.context.hasChanges)
        }
        #expect(try await service.tasks() == "1 One of Sent")
    }

    // MARK: What was not sent

    /// The task 7, with saved edits of its name and of its project's number.
    private func edited(_ service: Service) async throws -> Desk {
        try await service.store.perform { context in
            context.marksUnsentEdits = false
            context.insert(ProjectTask.self).taskID = 7
            try context.save()
        }
        let desk = try Desk(service)
        try await desk.run { desk in
            desk.context.rollback()
            desk.task = try #require(try await desk.context.find(ProjectTask.self, 7))
            (desk.task.name, desk.task.projectID) = ("Mine", 3)
            try await desk.context.save()
        }
        return desk
    }

    private static let serverList = #"[{"id": 7, "name": "Server", "project_id": 5}]"#

    @Test func `A patch accepts only the edits that its body has`() async throws {
        let service = try service(reply: #"{"id": 7, "name": "Mine", "project_id": 5}"#, list: Self.serverList)
        service.manager.bodies.add(Mapping(ProjectTask.self) { Attribute("name", \.name) }, methods: [.patch])
        let desk = try await edited(service)
        try await desk.patch()
        #expect(await desk.run { $0.task.projectID } == 3)
        try await desk.load("/tasks")
        #expect(await desk.run { "\($0.task.name) \($0.task.projectID ?? 0)" } == "Server 3")
    }

    @Test(arguments: [true, false])
    func `A form to another path accepts no edits of a stored object`(_ isSaved: Bool) async throws {
        let service = try service(reply: "", list: Self.serverList)
        let desk = try await edited(service)
        try await desk.run { desk in
            if !isSaved { desk.task.name = "Later" }
            try await desk.manager.post(desk.task, params: Params(["star": "1"]), to: "/tasks/7/star")
        }
        try await desk.load("/tasks")
        #expect(await desk.run { "\($0.task.name) \($0.task.projectID ?? 0)" } == (isSaved ? "Mine 3" : "Later 3"))
        try await desk.patch()
        #expect(bodies.all.last == (isSaved ? #"{"name":"Mine","project_id":3}"# : #"{"name":"Later","project_id":3}"#))
    }

    @Test func `A form accepts the edits of an object that it creates`() async throws {
        let service = try service(reply: #"{"id": 7}"#, list: Self.serverList)
        let desk = try Desk(service)
        _ = try await desk.run { try await $0.manager.post($0.task, params: Params(["task[name]": "Boil"])) }
        try await desk.load("/tasks")
        #expect(await desk.shown == "7 Server of none: unchanged, no changes")
    }

    @Test func `An edit that is taken back and saved during a patch is sent by the next one`() async throws {
        let gate = Gate()
        let service = try service(gate, reply: "")
        let desk = try Desk(service)
        try await desk.run { desk in
            try await desk.saveTaskOfServer(7)
            desk.task.name = "Sent"
            async let first = desk.patch()
            await gate.arrival()
            desk.task.name = "Boil"
            try await desk.context.save()
            gate.open()
            _ = try await first
            #expect(desk.task.name == "Boil" && !desk.context.hasChanges)
            async let second = desk.patch()
            await gate.arrival()
            gate.open()
            _ = try await second
        }
        #expect(try await service.tasks() == "7 Boil of none")
        #expect(bodies.all == [#"{"name":"Sent"}"#, #"{"name":"Boil"}"#])
    }

    // MARK: Deletions

    enum Deletion: CaseIterable { case manager, context, query }

    @Test(arguments: Deletion.allCases)
    func `A row that is deleted during a load does not come back with its response`(_ way: Deletion) async throws {
        let gate = Gate()
        let isHeld = Mutex(false)
        let service = try Service.answering { request in
            if request.hasPrefix("DELETE") { return Answer(204) }
            if isHeld.withLock({ $0 }) { gate.wait() }
            return .json(#"[{"id": 1, "name": "One"}, {"id": 2, "name": "Two"}]"#)
        }
        let desk = try Desk(service)
        let result = try await desk.run { desk in
            desk.context.rollback()
            try await desk.load("/tasks")
            desk.task = try #require(try await desk.context.find(ProjectTask.self, 1))
            isHeld.withLock { $0 = true }
            async let result = desk.manager.load("/tasks")
            await gate.arrival()
            switch way {
            case .manager: try await desk.manager.delete(desk.task)
            case .context:
                desk.context.delete(desk.task)
                try await desk.context.save()
            case .query: try await desk.context.delete(ProjectTask.where { $0.taskID == 1 })
            }
            gate.open()
            return try await result
        }
        #expect(result.objectIDs.count == 1)
        #expect(try await service.tasks() == "2 Two of none")
        isHeld.withLock { $0 = false }
        try await desk.load("/tasks")
        #expect(try await service.tasks().contains("1 One"))
    }
}
