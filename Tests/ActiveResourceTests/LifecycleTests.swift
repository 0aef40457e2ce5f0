import ActiveResource
import LoopbackServer
import Testing

@Suite("Saving, loading and deleting records")
struct LifecycleTests {
    @Test func `A new record is posted, and a persisted one is put with all attributes`() async throws {
        let answers = [
            "POST /people.json": Answer.json(
                #"{"id": 7, "name": "Bo", "age": 1, "created_at": "2026-01-02T03:04:05Z"}"#, 201),
            "PUT /people/7.json": Answer(204),
        ]
        try await serving(answers) { (service) async throws in
            var bo = Person(name: "Bo")
            #expect(bo.isNew)
            #expect(try await bo.save())
            #expect(bo.id == 7 && bo.age == 1 && bo.createdAt != nil && bo.isPersisted)
            bo.age = nil
            #expect(try await bo.save())
            #expect(try await bo.update { $0.name = "Bob" })
            #expect(
                service.requests == [
                    #"POST /people.json {"name":"Bo"}"#, #"PUT /people/7.json {"id":7,"name":"Bo","age":null}"#,
                    #"PUT /people/7.json {"id":7,"name":"Bob","age":null}"#,
                ])
            #expect(service.received.allSatisfy { $0.headers["content-type"] == "application/json" })
        }
    }

    @Test func `A site can send only changes, and write roots`() async throws {
        let answers = [
            "GET /people/1.json": Answer.json(#"{"id": 1, "name": "Ann", "age": 3}"#),
            "PATCH /people/1.json": .json(#"{"person": {"id": 1, "name": "Bo"}}"#),
        ]
        try await serving(answers, change: { ($0.updateMethod, $0.format) = (.patch, .jsonWithRoot) }) {
            (service) async throws in
            var ann = try await Person.find(1)
            #expect(try await ann.save())
            #expect(try await ann.updateAttributes(["name": "Bo", "age": nil as Int?]))
            #expect(try await ann.save())
            #expect(
                service.requests == [
                    "GET /people/1.json", #"PATCH /people/1.json {"person":{"name":"Bo","age":null}}"#,
                ])
        }
    }

    @Test func `A new record has the identifier in Location, and is then updated`() async throws {
        let location = Header("Location", "http://h/notes/hello-1.json?x=y")
        let answers = ["POST /notes.json": Answer(201, headers: [location]), "PUT /notes/hello-1.json": Answer(204)]
        try await serving(answers) { (service) async throws in
            let note = Note()
            #expect(try await note.save())
            #expect(note.id == "hello-1" && note.isPersisted)
            #expect(try await note.save())
            #expect(service.requests.last == #"PUT /notes/hello-1.json {"slug":"hello-1","text":""}"#)
        }
    }

    @Test func `A new record with an identifier from Location is patched without it`() async throws {
        let answers = [
            "POST /people.json": Answer(201, headers: [Header("Location", "/people/42")]),
            "PATCH /people/42.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            var ann = Person(name: "Ann")
            #expect(try await ann.save())
            #expect(try await ann.save())
            #expect(service.requests.count == 1)
            #expect(try await ann.update { $0.age = 3 })
            #expect(service.requests.last == #"PATCH /people/42.json {"age":3}"#)
        }
    }

    /// Bodies that are not the record.
    @Test(arguments: [#"{"data": {"id": 7}, "meta": {}}"#, #"{"status": "ok"}"#, "[7]"])
    func `A reply to a save that is not the record is an error`(_ body: String) async throws {
        let answers = [
            "POST /people.json": Answer.json(body, 201), "PUT /people/1.json": .json(body),
            "POST /notes.json": .json(body, 201, ["Location": "/notes/a"]),
        ]
        try await serving(answers) { (_) async throws in
            var ann = Person(name: "Ann")
            var error = await #expect(throws: ResourceError.self) { try await ann.save() }
            #expect(error?.kind == .mappingFailed && ann.isNew && ann.name == "Ann")
            var bo = Person(id: 1, resource: ResourceState(isPersisted: true))
            error = await #expect(throws: ResourceError.self) { try await bo.save() }
            #expect(error?.kind == .mappingFailed)
            let note = Note()
            error = await #expect(throws: ResourceError.self) { try await note.save() }
            // The service has the record, so that saving it again is not another one.
            #expect(error?.kind == .mappingFailed && note.id == "a" && note.isPersisted)
        }
    }

    @Test func `A new record without an identifier in the response stays new`() async throws {
        try await serving(["POST /people.json": Answer(201), "POST /notes.json": Answer(204)]) { (_) async throws in
            var ann = Person(name: "Ann")
            #expect(try await ann.save())
            #expect(ann.id == nil && ann.isNew)
            let note = Note()
            note.id = "mine"
            #expect(try await note.save())
            #expect(note.isPersisted)
        }
    }

    @Test func `Parameters of the prefix are in the path and not in the body, and stay with the record`() async throws {
        let answers = [
            "POST /posts/1/comments.json": Answer.json(#"{"id": 2, "text": "Hm"}"#, 201),
            "PUT /posts/1/comments/2.json": .json(#"{"id": 2, "text": "Oh"}"#),
            "DELETE /posts/1/comments/2.json": Answer(204), "GET /posts/1/comments/new.json": .json(#"{"text": "Hi"}"#),
        ]
        try await serving(answers) { (service) async throws in
            var comment = Comment(postID: 1, text: "Hm")
            #expect(try await comment.save())
            #expect(try await comment.update { $0.text = "Oh" })
            try await comment.destroy()
            try await Comment.delete(2, prefix: ["post_id": 1])
            #expect(comment.isPersisted)
            let built = try await Comment.build(["post_id": 1, "text": "Yo"], prefix: ["post_id": 1])
            #expect(built.text == "Yo" && built.isNew)
            let created = try await Comment.create(["post_id": 1, "text": "Hm"])
            #expect(created.id == 2)
            #expect(
                service.requests == [
                    #"POST /posts/1/comments.json {"text":"Hm"}"#,
                    #"PUT /posts/1/comments/2.json {"id":2,"text":"Oh"}"#,
                    "DELETE /posts/1/comments/2.json", "DELETE /posts/1/comments/2.json",
                    "GET /posts/1/comments/new.json", #"POST /posts/1/comments.json {"text":"Hm"}"#,
                ])
        }
    }

    @Test func `Reloading keeps attributes that the response lacks, and copies are new`() async throws {
        try await serving(["GET /people/1.json": .json(#"{"id": 1, "name": "Ann"}"#)]) { (_) async throws in
            var ann = Person(id: 1, name: "?", age: 9)
            try await ann.reload()
            #expect(ann.name == "Ann" && ann.age == 9 && ann.isPersisted)
            let (clone, dup) = (try ann.clone(), try ann.dup())
            #expect(clone.id == nil && clone.name == "Ann" && clone.isNew)
            #expect(dup.id == 1 && dup.isNew && dup.isSameRecord(as: ann))
            #expect(!clone.isSameRecord(as: clone))
        }
    }

    @Test func `Objects are saved without a variable, and a copy is another object`() async throws {
        let answers = [
            "POST /notes.json": Answer.json(#"{"slug": "a", "text": "Hm"}"#, 201), "PUT /notes/a.json": Answer(200),
        ]
        try await serving(answers) { (service) async throws in
            let note = Note()
            note.text = "Hm"
            #expect(try await note.save())
            #expect(try await note.update { $0.text = "Oh" })
            let dup = try note.dup()
            #expect(dup !== note && dup.id == "a" && dup.text == "Oh" && note.isSameRecord(as: note))
            #expect(service.requests.last == #"PUT /notes/a.json {"slug":"a","text":"Oh"}"#)
        }
    }

    @Test func `Two concurrent saves of an object: the second one is an error`() async throws {
        let server = try LoopbackServer { request in
            _ = try request.body()
            try request.hold("save")
            return .json(#"{"slug": "a"}"#, 201)
        }
        try await Service.$site.withValue(ResourceSite(server.url)) {
            try await Writer().saveTwice(server)
        }
    }

    @Test func `A cancelled save is an error, and the record is unchanged`() async throws {
        let server = try LoopbackServer { request in
            try request.hold("save")
            return nil
        }
        try await Service.$site.withValue(ResourceSite(server.url)) {
            let task = Task {
                var ann = Person(name: "Ann")
                let error = await #expect(throws: ResourceError.self) { try await ann.save() }
                return (error, ann)
            }
            try await server.waitForRequests(count: 1)
            task.cancel()
            let (error, ann) = await task.value
            #expect(error?.kind == .cancelled && error?.request != nil)
            #expect(ann == Person(name: "Ann"))
        }
    }

    @Test func `Copies are saved for records that an actor holds`() async throws {
        try await serving(["POST /people.json": .json(#"{"id": 3}"#, 201)]) { (_) async throws in
            let screen = Screen()
            try await screen.save()
            #expect(await screen.person.id == 3)
        }
    }

    @Test func `Scripts block instead of awaiting`() async throws {
        let answers = [
            "GET /people/1.json": Answer.json(#"{"id": 1, "name": "Ann"}"#), "GET /people.json": .json(#"[{"id": 1}]"#),
            "PUT /people/1.json": Answer(204), "DELETE /people/1.json": Answer(204),
        ]
        try await serving(answers) { (service) async throws in
            try script()
            #expect(service.requests.count == 5)
        }
    }

    @Test func `A queue, a delegate and an observer carry the requests of a site`() async throws {
        let queue = RequestQueue()
        let (delegate, events) = (Delegate(), Events())
        let answers = ["GET /people/1.json": Answer.json(#"{"id": 1}"#)]
        try await serving(
            answers,
            change: { site in
                (site.queue, site.delegate, site.headers) = (queue, delegate, ["X-Team": "a"])
                site.onRequest = { events.add("\($0)") }
            }
        ) { (service) async throws in
            async let ann = Person.find(1)
            queue.start()
            #expect(try await ann.id == 1)
            #expect(service.received.first?.headers["x-team"] == "a")
            await #expect(throws: ResourceError.self) { try await Person.find(2) }
            var statuses = delegate.statuses.makeAsyncIterator()
            #expect(await statuses.next() == 200)
            #expect(await statuses.next() == 404)
            let lines = events.all
            #expect(lines[0].hasPrefix("GET \(service.server.url)/people/1.json\n--> 200 9 ("))
            #expect(lines[1].contains("\n--> 404 2 ("))
        }
    }
}

private func script() throws {
    var ann = try Person.findSync(1)
    ann.name = "Bo"
    #expect(try ann.saveSync())
    #expect(try Person.all().loadSync().count == 1)
    try ann.reloadSync()
    #expect(ann.name == "Ann")
    try ann.destroySync()
}

@MainActor private final class Writer {
    let note = Note()

    func saveTwice(_ server: LoopbackServer) async throws {
        let first = Task { try await note.save() }
        try await server.waitForRequests(count: 1)
        let error = await #expect(throws: ResourceError.self) { _ = try await note.save() }
        #expect(error?.kind == .saveInProgress)
        server.release("save")
        #expect(try await first.value)
        #expect(note.id == "a" && note.isPersisted)
    }
}

@MainActor private final class Screen {
    nonisolated init() {}
    var person = Person(name: "Cy")

    func save() async throws { person = try await person.saved() }
}
