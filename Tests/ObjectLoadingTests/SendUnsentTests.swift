import Foundation
import LoopbackServer
import ObjectLoading
import Testing

@Suite("Sending all unsent objects")
struct SendUnsentTests {
    /// A service that assigns identities from 100, refuses the name "Refused", and records requests.
    private func service() throws -> (Service, Journal) {
        let journal = Journal()
        let service = try Service.answering { request in
            journal.add(request)
            if request.contains("Refused") { return .json(#"{"error": "refused"}"#, 422) }
            return request.hasPrefix("POST") ? .json(#"{"id": \#(100 + journal.all.count)}"#, 201) : .json("{}")
        }
        service.manager.router.add(NotedProject.self, .post, "/noted")
        service.manager.bodies.add(NotedProject.mapping)
        service.manager.responses.add(NotedProject.mapping, path: "/noted")
        return (service, journal)
    }

    private func outcomes(_ sent: [SentObject]) -> [String] {
        sent.map { sent in
            switch sent.outcome {
            case .success(let result): "\(sent.id) \(result.outcome)"
            case .failure(let error):
                "\(sent.id) \((error as? MappedRequestError)?.response.map { "\($0.status)" } ?? "\(error)")"
            }
        }
    }

    @Test func `Each object is sent once, and a failure does not stop the others`() async throws {
        let (service, journal) = try service()
        try await service.store.perform { context in
            context.marksUnsentEdits = false
            let task = ProjectTask(in: context)
            (task.taskID, task.name) = (7, "Loaded")
            try context.save()
        }
        try await service.store.perform { context in
            try context.find(ProjectTask.self, 7)?.name = "Edited"
            for name in ["Refused", "New"] { ProjectTask(in: context).name = name }
            try context.save()
        }
        let context = ObjectContext(service.store)
        let sent = try await service.manager.sendUnsent(in: context)
        #expect(outcomes(sent) == ["ProjectTask/1 saved", "ProjectTask/2 422", "ProjectTask/3 saved"])
        #expect(
            journal.all == [
                #"PATCH /tasks/7 {"name":"Edited"}"#, #"POST /tasks {"name":"Refused"}"#,
                #"POST /tasks {"name":"New"}"#,
            ])
        #expect(try context.unsentObjects(ProjectTask.self).map(\.name) == ["Refused"])
        #expect(try await context.find(ProjectTask.self, 103)?.name == "New")
        #expect(outcomes(try await service.manager.sendUnsent(in: context)) == ["ProjectTask/2 422"])
        #expect(sent[1].error != nil && sent[0].error == nil && journal.all.count == 4)
    }

    @Test func `An object whose path needs the identity of another one is sent after it`() async throws {
        let journal = Journal()
        let server = try LoopbackServer { request in
            journal.add("\(request.method) \(request.target)")
            return .json(request.target == "/noted" ? #"{"id": 7}"# : #"{"id": 9}"#, 201)
        }
        let service = try Service(server)
        let manager = service.manager
        manager.router.add(Note.self, .post, "/noted/\(\.project?.projectID)/notes")
        manager.router.add(NotedProject.self, .post, "/noted")
        manager.bodies.add(Note.mapping)
        manager.bodies.add(NotedProject.mapping)
        manager.responses.add(Note.mapping, path: "/noted/:id/notes")
        manager.responses.add(NotedProject.mapping, path: "/noted")
        let context = ObjectContext(service.store)
        let note = Note(in: context)
        (note.text, note.project) = ("Paint", NotedProject(in: context))
        try await context.save()
        let sent = try await manager.sendUnsent(in: context)
        #expect(outcomes(sent) == ["Note/1 saved", "NotedProject/1 saved"])
        #expect(journal.all == ["POST /noted", "POST /noted/7/notes"])
        #expect(try context.unsentObjects().isEmpty && note.noteID == 9)
    }

    @Test(arguments: [false, true])
    func `An object that refers to a new one is sent after it, or fails with it`(isRefused: Bool) async throws {
        let journal = Journal()
        let server = try LoopbackServer { request in
            journal.add("\(request.method) \(request.target)")
            if isRefused, request.target == "/noted" { return .json("{}", 422) }
            return .json(#"{"id": 7}"#, 201)
        }
        let service = try Service(server)
        service.manager.router.add(Note.self, .post, "/notes")
        service.manager.router.add(NotedProject.self, .post, "/noted")
        service.manager.bodies.add(Note.mapping)
        service.manager.bodies.add(NotedProject.mapping)
        service.manager.responses.add(Note.mapping, path: "/notes")
        service.manager.responses.add(NotedProject.mapping, path: "/noted")
        let context = ObjectContext(service.store)
        let note = Note(in: context)
        (note.text, note.project) = ("Paint", NotedProject(in: context))
        try await context.save()
        let sent = try await service.manager.sendUnsent(in: context)
        #expect(outcomes(sent).map { $0.hasSuffix("saved") } == [!isRefused, !isRefused])
        #expect(journal.all == (isRefused ? ["POST /noted"] : ["POST /noted", "POST /notes"]))
        #expect(note.project != nil)
        #expect(try context.unsentObjects().count == (isRefused ? 2 : 0))
    }

    @Test func `Objects without a route fail, and a context of another store is an error`() async throws {
        let (service, journal) = try service()
        let context = ObjectContext(service.store)
        Project(in: context).name = "No route"
        try await context.save()
        let sent = try await service.manager.sendUnsent(in: context)
        #expect(sent.count == 1 && sent[0].error is RouteError && journal.all.isEmpty)
        let (other, _) = try self.service()
        let error = await #expect(throws: LoadError.self) {
            try await service.manager.sendUnsent(in: ObjectContext(other.store))
        }
        #expect(error?.kind == .noStore)
    }

    @Test func `All objects fail after a cancellation, and can be sent later`() async throws {
        let (service, journal) = try service()
        try await service.store.perform { context in
            for name in ["A", "B"] { ProjectTask(in: context).name = name }
            try context.save()
        }
        let (manager, store) = (service.manager, service.store)
        let sending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await manager.sendUnsent(in: ObjectContext(store))
        }
        let cancelled = try await sending.value
        #expect(cancelled.count == 2 && cancelled.allSatisfy { ($0.error as? MappedRequestError)?.isCancelled == true })
        #expect(journal.all.isEmpty)
        #expect(try await manager.sendUnsent(in: ObjectContext(store)).allSatisfy { $0.error == nil })
    }

    // MARK: Concurrent calls

    @Test(arguments: [201, 422]) func `Concurrent posts of an object send one request`(_ status: Int) async throws {
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json(#"{"id": 7}"#, status)
        }
        let desk = try Desk(service)
        let posts = [Task { try await desk.post() }, Task { try await desk.post() }, Task { try await desk.post() }]
        await gate.arrival()
        gate.open()
        for post in posts {
            switch await post.result {
            case .success(let result): #expect(status == 201 && result.outcome == .saved)
            case .failure(let error): #expect((error as? MappedRequestError)?.response?.status == status)
            }
        }
        #expect(service.server.requests.count == 1)
        gate.open()
        _ = try? await desk.post()
        #expect(service.server.requests.count == 2)
    }

    @Test func `A post that waits for another one can be cancelled`() async throws {
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json(#"{"id": 7}"#, 201)
        }
        let desk = try Desk(service)
        async let first = desk.post()
        await gate.arrival()
        let second = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await desk.post()
        }
        let error = await #expect(throws: MappedRequestError.self) { try await second.value }
        #expect(error?.isCancelled == true)
        gate.open()
        #expect(try await first.outcome == .saved && service.server.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func `An object that the server may have created is not posted again`(_ isSaved: Bool) async throws {
        let (gate, journal) = (Gate(), Journal())
        let service = try Service.answering { request in
            journal.add(request)
            gate.wait()
            return .json(#"{"id": \#(6 + journal.all.count)}"#, 201)
        }
        let desk = try Desk(service)
        if isSaved { try await desk.run { try await $0.context.save() } }
        let first = Task { try await desk.post() }
        await gate.arrival()
        first.cancel()
        #expect(await #expect(throws: MappedRequestError.self) { try await first.value }?.isCancelled == true)
        gate.open()
        let error = await #expect(throws: LoadError.self) { try await desk.post() }
        #expect(error?.kind == .unknownOutcome && error?.description.contains("allowsSendingAgain") == true)
        // Also after a save, and in another context.
        try await desk.run { try await $0.context.save() }
        let sent = try await service.manager.sendUnsent(in: ObjectContext(service.store))
        #expect(sent.compactMap { ($0.error as? LoadError)?.kind } == [.unknownOutcome])
        #expect(journal.all.count == 1)
        await desk.run { $0.context.allowsSendingAgain($0.task) }
        gate.open()
        #expect(try await desk.post().outcome == .saved)
        #expect(try await service.tasks() == "8 Boil of none")
    }

    @Test func `A post with a key, and one that was not sent or refused, is repeated`() async throws {
        let journal = Journal()
        let service = try Service.answering { request in
            journal.add(request)
            let isBroken = journal.all.count == 2
            return journal.all.count == 1 ? .json("{}", 503) : .json(isBroken ? "[" : #"{"id": 7}"#, 201)
        }
        let desk = try Desk(service)
        for count in [1, 2] {
            await #expect(throws: MappedRequestError.self) { try await desk.post() }
            #expect(journal.all.count == count)
        }
        await #expect(throws: LoadError.self) { try await desk.post() }
        try await desk.run { _ = try await $0.manager.post($0.task, headers: ["Idempotency-Key": "boil"]) }
        #expect(journal.all.count == 3)
        #expect(try await service.tasks() == "7 Boil of none")
    }

    @Test func `A response without an identity is no reason to send the object again`() async throws {
        let service = try Service.answering { $0.hasPrefix("POST") ? .json("", 204) : .json(#"[{"id": 9}]"#) }
        let desk = try Desk(service)
        #expect(try await desk.post().outcome == .savedWithoutIdentity)
        let task = try await desk.run { desk in try desk.context.unsentObjects(ProjectTask.self).count }
        #expect(task == 0)
        _ = try await desk.run { try await $0.manager.sendUnsent(in: $0.context) }
        #expect(service.server.requests.filter { $0.target == "/tasks" }.count == 1)
    }
}
