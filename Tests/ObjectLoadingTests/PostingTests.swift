import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("Posting objects")
struct PostingTests {
    @Test(arguments: [
        (#"{"id": 7, "name": "Boil water"}"#, "7 Boil water"), (#"[{"id": 7, "name": "Boil water"}]"#, "7 Boil water"),
        (#"{"name": "Boil water"}"#, "0 Boil water"), (#"{"id": 7}"#, "7 Boil"), ("{}", "0 Boil"), ("", "0 Boil"),
        (" \n", "0 Boil"),
    ])
    func `A new object is saved with the response, and remains the same object`(_ reply: String, _ name: String)
        async throws
    {
        let sent = Mutex<[String]>([])
        let service = try Service.answering { request in
            sent.withLock { $0.append(request) }
            return .json(reply, 201)
        }
        let desk = try Desk(service)
        await desk.run { $0.task.project = $0.project }
        let before = await desk.run { $0.task.managed.id }
        let result = try await desk.post()
        #expect(await desk.shown == "\(name) of Pier: unchanged, no changes")
        #expect(try await service.tasks() == "\(name) of Pier")
        #expect(sent.withLock { $0 } == [#"POST /tasks {"name":"Boil"}"#])
        #expect(result.outcome == (name.hasPrefix("0 ") ? .savedWithoutIdentity : .saved))
        let ids = await desk.run { desk in [desk.task.managed.id] }
        #expect(!ids[0].isTemporary && (result.objectIDs.isEmpty || result.objectIDs == ids))
        // The ID that was temporary finds the object.
        let found = try await desk.run { desk in try desk.context.object(with: before) === desk.task }
        #expect(found)
        try await desk.run { desk in
            desk.task.name = "Later"
            try await desk.context.save()
        }
        #expect(try await service.tasks().hasSuffix(" Later of Pier"))
    }

    @Test func `Other objects of the context are not saved`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 7}"#, 201) }
        let desk = try Desk(service)
        await desk.run { desk in
            desk.project.name = "Renamed"
            desk.context.insert(ProjectTask.self).name = "Other"
        }
        try await desk.post()
        #expect(try await service.tasks() == "7 Boil of none")
        #expect(try await service.projectNames() == ["Pier"])
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "7 Boil of none, 0 Other of none")
    }

    @Test func `A relationship to a new object is kept, and saved with that object`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 7}"#, 201) }
        let desk = try Desk(service)
        await desk.run { desk in
            desk.project = desk.context.insert(Project.self)
            desk.project.name = "New"
            desk.task.project = desk.project
        }
        try await desk.post()
        #expect(await desk.shown == "7 Boil of New: updated, changes")
        #expect(await desk.run { $0.project.tasks.map(\.name) } == ["Boil"])
        #expect(try await service.tasks() == "7 Boil of none")
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "7 Boil of New")
    }

    @Test func `New objects that refer to the object keep it, and are saved later`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 9, "name": "Pier 9"}"#, 201) }
        service.manager.router.add(Project.self, .post, "/projects")
        service.manager.bodies.add(Mapping(Project.self) { Attribute("name", \.name) })
        service.manager.responses.add(Project.mapping, path: "/projects")
        let desk = try Desk(service)
        try await desk.run { desk in
            let project = desk.context.insert(Project.self)
            project.tasks = [desk.task]
            try await desk.manager.post(project)
            #expect(project.managed.state == .unchanged && project.tasks.count == 1 && project.projectID == 9)
            #expect(desk.task.project === project && desk.task.managed.state == .inserted)
        }
        #expect(try await service.tasks() == "")
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "0 Boil of Pier 9")
    }

    @Test func `An object that requires a new one is not sent`() async throws {
        let service = try Service.answering { _ in .json("", 201) }
        let desk = try Desk(service)
        let error = await #expect(throws: LoadError.self) {
            try await desk.run { desk in
                desk.context.insert(desk.note)
                desk.note.project = desk.context.insert(NotedProject.self)
                try await desk.manager.post(desk.note)
            }
        }
        #expect(error?.kind == .invalidObject)
        #expect(
            error?.description.hasPrefix("Note.project of Note/new") == true
                && error?.description.hasSuffix("found a new one; save or post it first") == true)
        #expect(service.server.requests.isEmpty)
    }

    @Test func `An object of an ordered list is saved at its end`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 3, "text": "Sent"}"#, 201) }
        let desk = try Desk(service)
        try await desk.run { desk in
            let project = desk.context.insert(NotedProject.self)
            let first = desk.context.insert(Note.self)
            first.project = project
            try await desk.context.save()
            desk.context.insert(desk.note)
            project.notes.insert(desk.note, at: 0)
            #expect(project.notes.map(\.noteID) == [0, 0])
            try await desk.manager.post(desk.note)
            #expect(project.notes.map(\.text) == ["Sent", ""])
            #expect(desk.note.managed.state == .unchanged)
            // The position is a change of the list.
            #expect(project.managed.state == .updated)
            try await desk.context.save()
        }
        let stored = try await service.store.perform { try $0.fetch(NotedProject.all)[0].notes.map(\.text) }
        #expect(stored == ["Sent", ""])
    }

    @Test func `Lists of a new object remain changes, and are saved later`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 3, "text": "Sent"}"#, 201) }
        let desk = try Desk(service)
        try await desk.run { desk in
            let project = desk.context.insert(NotedProject.self)
            let tag = desk.context.insert(Tag.self)
            tag.name = "blue"
            try await desk.context.save()
            desk.context.insert(desk.note)
            (desk.note.project, desk.note.tags) = (project, [tag])
            try await desk.manager.post(desk.note)
            #expect(desk.note.managed.state == .updated && desk.note.tags == [tag] && tag.notes == [desk.note])
            try await desk.context.save()
            #expect(!desk.context.hasChanges)
        }
        let stored = try await service.store.perform { try $0.fetch(Note.all).flatMap(\.tags).map(\.name) }
        #expect(stored == ["blue"])
    }

    @Test(arguments: [422, 500]) func `After a failure, the object is unchanged and nothing is saved`(_ status: Int)
        async throws
    {
        let service = try Service.answering { _ in .json(#"{"id": 7, "name": "No"}"#, status) }
        let desk = try Desk(service)
        await #expect(throws: MappedRequestError.self) { try await desk.post() }
        #expect(await desk.shown == "0 Boil of none: inserted, changes")
        #expect(try await service.tasks() == "")
    }

    @Test(arguments: [#"{"id": "x"}"#, #"{"error": "locked"}"#, #"{"id": 7, "na"#, "<html>"])
    func `A response that cannot be mapped is an error, and nothing is saved`(_ reply: String) async throws {
        let service = try Service.answering { _ in .json(reply, 201) }
        let desk = try Desk(service)
        await #expect(throws: MappedRequestError.self) { try await desk.post() }
        #expect(await desk.shown == "0 Boil of none: inserted, changes")
        #expect(try await service.tasks() == "")
        try await desk.run { try $0.context.save() }
        #expect(try await service.tasks() == "0 Boil of none")
    }

    @Test func `A saved object is sent, and receives its identity from the response`() async throws {
        let service = try Service.answering { _ in .json(#"{"id": 7, "name": "Boil!"}"#, 201) }
        let desk = try Desk(service)
        try await desk.run { desk in
            try await desk.context.save()
            desk.task.name = "Unsaved"
            desk.task.project = desk.project
        }
        try await desk.post()
        #expect(await desk.shown == "7 Boil! of Pier: unchanged, no changes")
        #expect(try await service.tasks() == "7 Boil! of Pier")
    }

    @Test func `A form is sent for an object, and the response is saved with it`() async throws {
        let sent = Mutex("")
        let service = try Service.answering { request in
            sent.withLock { $0 = request }
            return .json(#"{"id": 7, "name": "Pictured"}"#, 201)
        }
        let desk = try Desk(service)
        try await desk.run { desk in
            let params = Params(["task[name]": desk.task.name])
            params.set(data: Data("PNG".utf8), fileName: "boat.png", for: "task[picture]")
            try await desk.manager.post(desk.task, params: params)
        }
        let body = sent.withLock { $0 }
        #expect(body.contains(#"name="task[name]""#) && body.contains("boat.png") && body.contains("PNG"))
        #expect(await desk.shown == "7 Pictured of none: unchanged, no changes")
    }

    @Test func `Other objects in the response are saved with the object`() async throws {
        let service = try Service.answering { _ in
            .json(
                #"{"task": {"id": 7, "name": "Boil", "project_id": 5}, "projects": [{"id": 5, "name": "Side"}]}"#, 201)
        }
        let responses = service.manager.responses
        responses.add(ProjectTask.mapping, at: "task", path: "/side")
        responses.add(Project.mapping, at: "projects", path: "/side")
        let desk = try Desk(service)
        let result = try await desk.run { desk in try await desk.manager.post(desk.task, to: "/side") }
        #expect(result.objectIDs.count == 2)
        #expect(await desk.shown == "7 Boil of Side: unchanged, no changes")
        #expect(try await service.tasks() == "7 Boil of Side")
    }

    @Test func `An object without a context is not sent`() async throws {
        let service = try Service.answering { _ in .json("", 201) }
        let error = await #expect(throws: LoadError.self) { try await service.manager.post(ProjectTask()) }
        #expect(error?.kind == .notSaved && service.server.requests.isEmpty)
    }
}
