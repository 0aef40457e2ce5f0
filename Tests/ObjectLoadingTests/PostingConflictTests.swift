import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Changes while an object is posted")
struct PostingConflictTests {
    private static let reply = #"{"id": 7, "name": "By the server"}"#

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Posts the task, which the service answers with a reply after a closure has returned.
    private func posting(
        answeredBy reply: String = reply,
        meanwhile: @Sendable (isolated Desk) async throws -> Void
    ) async throws -> (Service, Desk, LoadResult) {
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json(reply, 201)
        }
        let desk = try Desk(service)
        async let result = desk.post()
        await gate.arrival()
        try await desk.run(meanwhile)
        gate.open()
        return (service, desk, try await result)
    }

    @Test(arguments: [reply, ""])
    func `Attributes that are changed during the request are kept, and can be saved`(_ reply: String) async throws {
        let (service, desk, result) = try await posting(answeredBy: reply) { $0.task.name = "Second" }
        let number = reply.isEmpty ? 0 : 7
        #expect(result.outcome == (reply.isEmpty ? .savedWithoutIdentity : .saved))
        #expect(await desk.shown == "\(number) Second of none: updated, changes")
        #expect(try await service.tasks() == (reply.isEmpty ? "0 Boil of none" : "7 By the server of none"))
        #expect(await desk.run { $0.task.managed.changes.map(\.property) } == ["name"])
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "\(number) Second of none")
    }

    @Test func `A relationship that is changed during the request is kept, and can be saved`() async throws {
        let (service, desk, _) = try await posting { $0.task.project = $0.project }
        #expect(await desk.shown == "7 By the server of Pier: updated, changes")
        #expect(try await service.tasks() == "7 By the server of none")
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "7 By the server of Pier")
        #expect(await desk.run { $0.project.tasks.count } == 1)
    }

    @Test(arguments: [true, false])
    func `An object that is deleted or rolled back during the request stays so`(_ isDeleted: Bool) async throws {
        let (service, desk, result) = try await posting { desk in
            if isDeleted { desk.context.delete(desk.task) } else { desk.context.rollback() }
        }
        #expect(result.outcome == .deleted && result.response.status == 201 && result.objectIDs.isEmpty)
        #expect(await desk.shown == "0 Boil of none: \(isDeleted ? "deleted" : "detached"), no changes")
        #expect(try await service.tasks() == "")
    }

    @Test func `An object that is saved and deleted during the request stays deleted`() async throws {
        let (service, _, result) = try await posting { desk in
            try await desk.context.save()
            try await desk.manager.store?.perform { context in
                for task in try context.fetch(ProjectTask.all) { context.delete(task) }
                try context.save()
            }
        }
        #expect(result.outcome == .deleted)
        #expect(try await service.tasks() == "")
    }

    @Test func `An object that is saved during the request is one row with the response`() async throws {
        let (service, desk, result) = try await posting { desk in
            try await desk.context.save()
            desk.task.project = desk.project
        }
        #expect(result.outcome == .saved)
        #expect(await desk.shown == "7 By the server of Pier: updated, changes")
        #expect(try await service.tasks() == "7 By the server of none")
    }

    @Test func `Attributes that are saved during the request are not overwritten by its response`() async throws {
        let (service, desk, _) = try await posting { desk in
            desk.task.name = "Second"
            try await desk.context.save()
        }
        #expect(await desk.shown == "7 Second of none: unchanged, no changes")
        #expect(try await service.tasks() == "7 Second of none")
    }

    // MARK: Identities

    /// Inserts the task with the identity of the reply, as another load does.
    private static func insertStored(_ store: ManagedObjectStore?) async throws {
        try await store?.perform { context in
            let task = context.insert(ProjectTask.self)
            (task.taskID, task.name, task.revision) = (7, "Loaded", "r1")
            try context.save()
        }
    }

    @Test func `An object whose identity is already stored takes over that row`() async throws {
        let (service, desk, result) = try await posting(answeredBy: #"{"id": 7}"#) { desk in
            try await Self.insertStored(desk.manager.store)
        }
        #expect(result.outcome == .saved)
        #expect(await desk.shown == "7 Boil of none: unchanged, no changes")
        #expect(await desk.run { $0.task.revision } == "r1")
        #expect(try await service.tasks() == "7 Boil of none")
    }

    @Test func `If the context has both objects, the sent one is replaced`() async throws {
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json(#"{"id": 7}"#, 201)
        }
        let desk = try Desk(service)
        try await desk.run { desk in
            let other = desk.context.insert(Project.self)
            other.tasks = [desk.task]
            async let result = desk.post()
            await gate.arrival()
            try await Self.insertStored(service.store)
            let stored = try await desk.context.fetch(ProjectTask.where { $0.taskID == 7 })[0]
            desk.task.name = "Second"
            gate.open()
            #expect(try await result.outcome == .replaced(by: stored.managed.id))
            #expect(desk.task.managed.state == .detached && desk.task.name == "Second")
            #expect(stored.name == "Second" && stored.revision == "r1" && stored.project === other)
            #expect(other.tasks == [stored])
            try await desk.context.save()
        }
        #expect(try await service.tasks() == "7 Second of ")
    }

    @Test(arguments: [false, true])
    func `A saved object whose identity is already stored is merged with its references`(_ hasBoth: Bool) async throws {
        let service = try Service.answering { _ in .json(#"{"id": 3, "text": "Sent"}"#, 201) }
        let desk = try Desk(service)
        try await desk.run { desk in
            let project = desk.context.insert(NotedProject.self)
            let tag = desk.context.insert(Tag.self)
            desk.context.insert(desk.note)
            (desk.note.project, desk.note.draft, desk.note.tags) = (project, "mine", [tag])
            try await desk.context.save()
            try await service.store.perform { context in
                let note = context.insert(Note.self)
                (note.noteID, note.text) = (3, "Loaded")
                note.project = try context.fetch(NotedProject.all)[0]
                try context.save()
            }
            let stored = hasBoth ? try await desk.context.fetch(Note.where { $0.noteID == 3 })[0] : nil
            let result = try await desk.manager.post(desk.note)
            if let stored {
                #expect(result.outcome == .replaced(by: stored.managed.id))
                #expect(desk.note.managed.state == .detached)
            } else {
                #expect(result.outcome == .saved)
            }
            let note = stored ?? desk.note
            #expect(note.text == "Sent" && note.draft == "mine" && note.tags == [tag] && tag.notes == [note])
            #expect(note.project === project && project.notes == [note] && !desk.context.hasChanges)
        }
        let stored = try await service.store.perform { context in
            try context.fetch(Note.all).map {
                "\($0.noteID) \($0.text) \($0.tags.count) \($0.project?.notes.count ?? 0)"
            }
        }
        #expect(stored == ["3 Sent 1 1"])
    }

    @Test(arguments: [true, false])
    func `A response with another identity than that of the object is an error`(_ isSaved: Bool) async throws {
        let service = try Service.answering { _ in .json(#"{"id": 8, "name": "Other"}"#, 201) }
        let desk = try Desk(service)
        try await Self.insertStored(service.store)
        try await desk.run { desk in
            desk.task.taskID = 6
            if isSaved { try await desk.context.save() }
        }
        let error = await #expect(throws: LoadError.self) { try await desk.post() }
        #expect(error?.kind == .otherObject && error?.response?.status == 201)
        #expect(await desk.shown.hasPrefix("6 Boil of none: \(isSaved ? "unchanged" : "inserted")"))
        #expect(try await service.tasks() == "7 Loaded of none" + (isSaved ? ", 6 Boil of none" : ""))
    }

    @Test func `A response with the identity of another object is an error if the object has one`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 7, "name": "Other"}"#, 201) }
        let desk = try Desk(service)
        try await Self.insertStored(service.store)
        await desk.run { $0.task.taskID = 6 }
        let error = await #expect(throws: LoadError.self) { try await desk.post() }
        #expect(error?.kind == .otherObject)
        #expect(await desk.shown == "6 Boil of none: inserted, changes")
        #expect(try await service.tasks() == "7 Loaded of none")
    }

    @Test func `An object is saved while its context saves others`() async throws {
        let gate = Gate()
        let service = try Service.answering { _ in
            gate.wait()
            return .json(#"{"id": 7}"#, 201)
        }
        let desk = try Desk(service)
        async let result = desk.post()
        await gate.arrival()
        gate.open()
        for number in 0..<50 {
            try await desk.run { desk in
                desk.project.name = "\(number)"
                try await desk.context.save()
                desk.context.insert(Project.self).projectID = 100 + number
            }
        }
        #expect(try await result.outcome == .saved)
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "7 Boil of none")
    }

    @Test func `Objects that are posted during loads and saves have their identities afterwards`() async throws {
        let last = Counter()
        let service = try Service.answering { request in
            if request.hasPrefix("POST") {
                return .json(#"{"id": \#(last.next())}"#, 201)
            }
            let ids = (0...last.value).dropFirst()
            return .json("[\(ids.map { #"{"id": \#($0)}"# }.joined(separator: ","))]")
        }
        let desks = try (4..<7).map { try Desk(service, number: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for desk in desks {
                group.addTask {
                    for _ in 0..<15 {
                        try await desk.load("/tasks")
                        try await desk.run { desk in
                            desk.task = desk.context.insert(ProjectTask.self)
                            async let result = desk.post()
                            try await desk.context.save()
                            #expect(try await result.outcome == .saved)
                            #expect(desk.task.taskID > 0)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let ids = try await service.store.perform { try $0.fetch(ProjectTask.all).map(\.taskID).filter { $0 > 0 } }
        #expect(ids.sorted() == Array(1...45))
    }
}
