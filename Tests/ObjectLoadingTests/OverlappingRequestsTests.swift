import LoopbackServer
import ObjectLoading
import Testing

@Suite("Requests of an object while another one is running")
struct OverlappingRequestsTests {
    /// A desk whose task 7 was edited, and whose service returns what it receives when the gate is opened.
    private func edited(_ gate: Gate, _ journal: Journal) async throws -> (Service, Desk) {
        let service = try Service.answering { request in
            journal.add(request)
            gate.wait()
            return .json(#"{"id": 7, "name": "\#(request.contains("Second") ? "Second" : "First")"}"#)
        }
        let desk = try Desk(service)
        try await desk.run { desk in
            try await desk.saveTaskOfServer(7)
            desk.task.name = "First"
        }
        return (service, desk)
    }

    @Test(arguments: [HTTPMethod.put, .patch])
    func `The value that is sent last remains`(_ method: HTTPMethod) async throws {
        let (gate, begun, journal) = (Gate(), Gate(), Journal())
        let (service, desk) = try await edited(gate, journal)
        begun.open()
        try await desk.run { desk in
            async let first = method == .put ? desk.put() : desk.patch()
            await gate.arrival()
            async let second: Void = desk.run { desk in
                desk.task.name = "Second"
                begun.wait()
                _ = try await method == .put ? desk.put() : desk.patch()
            }
            await begun.arrival()
            gate.open()
            gate.open()
            _ = try await first
            try await second
            #expect(try desk.context.unsentProperties(of: desk.task).isEmpty)
        }
        #expect(await desk.shown == "7 Second of none: unchanged, no changes")
        #expect(try await service.tasks() == "7 Second of none")
        #expect(journal.all.map { $0.contains("Second") } == [false, true])
    }

    @Test func `A call that is cancelled while it waits sends no request, and keeps the edit`() async throws {
        let (gate, begun, journal) = (Gate(), Gate(), Journal())
        let (service, desk) = try await edited(gate, journal)
        begun.open()
        try await desk.run { desk in
            async let first = desk.put()
            await gate.arrival()
            desk.task.name = "Second"
            let second = Task { [desk] in
                try await desk.run { desk in
                    begun.wait()
                    try await desk.put()
                }
            }
            await begun.arrival()
            second.cancel()
            let error = await #expect(throws: MappedRequestError.self) { try await second.value }
            #expect(error?.isCancelled == true)
            gate.open()
            _ = try await first
        }
        #expect(await desk.shown == "7 Second of none: updated, changes")
        #expect(try await service.tasks() == "7 First of none")
        #expect(journal.all.count == 1)
    }

    @Test func `A new object that is saved while it is posted is not posted again from another context`() async throws {
        let (gate, begun, journal) = (Gate(), Gate(), Journal())
        let service = try Service.answering { request in
            journal.add(request)
            gate.wait()
            return .json(#"{"id": \#(6 + journal.all.count)}"#, 201)
        }
        let desk = try Desk(service)
        begun.open()
        try await desk.run { desk in
            async let first = desk.post()
            await gate.arrival()
            try await desk.context.save()
            async let second: Void = desk.run { desk in
                let context = ObjectContext(service.store)
                let task = try #require(try await context.fetch(ProjectTask.all).first)
                begun.wait()
                #expect(try await desk.manager.post(task).outcome == .saved && task.taskID == 7)
            }
            await begun.arrival()
            gate.open()
            gate.open()
            #expect(try await first.outcome == .saved)
            try await second
        }
        #expect(journal.all.count == 1)
        #expect(try await service.tasks() == "7 Boil of none")
    }

    @Test(arguments: [HTTPMethod.put, .patch])
    func `A save after the response was stored does not conflict with it`(_ method: HTTPMethod) async throws {
        let gate = Gate()
        let (service, desk) = try await edited(gate, Journal())
        let store = service.store
        @Sendable func stored() throws -> String? { try ObjectContext(store).fetch(ProjectTask.all).first?.name }
        try await desk.run { desk in
            async let sent = method == .put ? desk.put() : desk.patch()
            await gate.arrival()
            desk.task.name = "Second"
            gate.open()
            while try stored() != "First" { await Task.yield() }
            try desk.save()
            _ = try await sent
            #expect(try desk.context.unsentProperties(of: desk.task) == ["name"])
        }
        #expect(await desk.shown == "7 Second of none: unchanged, no changes")
        #expect(try await service.tasks() == "7 Second of none")
    }

    @Test(arguments: [HTTPMethod.put, .patch, .post], [true, false])
    func `A value that is sent replaces one that was loaded before`(
        _ method: HTTPMethod, _ hasBody: Bool
    ) async throws {
        let service = try Service.answering { request in
            if request.hasPrefix("GET") { return .json(#"[{"id": 7, "name": "Loaded"}]"#) }
            return hasBody ? .json(#"{"id": 7, "name": "Mine"}"#) : .json("", 204)
        }
        let desk = try Desk(service)
        try await desk.run { desk in
            try await desk.saveTaskOfServer(7)
            desk.task.name = "Mine"
            _ = try await desk.manager.load("/tasks")
            switch method {
            case .put: try await desk.put()
            case .patch: try await desk.patch()
            default: try await desk.post()
            }
            #expect(try desk.context.unsentProperties(of: desk.task).isEmpty)
        }
        #expect(await desk.shown == "7 Mine of none: unchanged, no changes")
        #expect(try await service.tasks() == "7 Mine of none")
    }

    @Test func `An edit that another context has saved remains to be sent after another value was sent`() async throws {
        let (gate, journal) = (Gate(), Journal())
        let (service, desk) = try await edited(gate, journal)
        let store = service.store
        for _ in 0..<2 { gate.open() }
        try await desk.run { desk in
            try await store.perform { context in
                for task in try context.fetch(ProjectTask.all) { task.name = "Second" }
                try context.save()
            }
            try await desk.put()
            #expect(desk.task.name == "Second")
            #expect(try desk.context.unsentProperties(of: desk.task) == ["name"])
            try await desk.patch()
            #expect(try desk.context.unsentProperties(of: desk.task).isEmpty)
        }
        #expect(journal.all.map { $0.contains("Second") } == [false, true])
        #expect(try await service.tasks() == "7 Second of none")
    }

    @Test func `An edit that is saved during a post moves to the row that a load has created`() async throws {
        let gate = Gate()
        let service = try Service.answering { request in
            if request.hasPrefix("GET") { return .json(#"[{"id": 7, "name": "Boil"}]"#) }
            gate.wait()
            return .json(#"{"id": 7}"#, 201)
        }
        let desk = try Desk(service)
        try await desk.run { desk in
            try await desk.context.save()
            async let sent = desk.post()
            await gate.arrival()
            let store = service.store
            try await store.perform { context in
                for task in try context.fetch(ProjectTask.all) { task.name = "Second" }
                try context.save()
            }
            _ = try await desk.manager.load("/tasks")
            gate.open()
            #expect(try await sent.outcome == .saved)
            #expect(try desk.context.unsentProperties(of: desk.task) == ["name"])
        }
        #expect(await desk.shown == "7 Second of none: unchanged, no changes")
        #expect(try await service.tasks() == "7 Second of none")
    }

    @Test func `A value that is saved while the response is mapped is not overwritten by it`() async throws {
        let (service, desk) = try await edited(Gate(), Journal())
        let store = service.store
        let (id, changes) = await desk.run { ($0.task.managed.id, $0.task.unsavedChanges) }
        let mark = store.commitMark()
        try await store.perform { context in
            context.savesReply()
            let task = try context.object(with: id, as: ProjectTask.self)
            try context.update(task, changes, since: mark) {
                let other = ObjectContext(store)
                try other.object(with: id, as: ProjectTask.self).revision = "Mine"
                try other.save()
                _ = try context.fetch(Project.all)
                task.revision = "By the server"
            }
            context.accept(task, changes)
            try context.saveWaiting()
        }
        try await store.perform { context in
            let task = try context.object(with: id, as: ProjectTask.self)
            #expect(task.name == "First" && task.revision == "Mine")
            #expect(try context.unsentProperties(of: task) == ["revision"])
        }
    }
}
