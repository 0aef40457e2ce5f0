import ActiveResource
import LoopbackServer
import Testing

@Suite("Resources without a type")
struct DynamicResourceTests {
    private static let ann = #"""
        {"person": {"id": 1, "name": "Ann", "created_at": "2026-01-02", "save": 3, "self": true,
                    "home": {"city": "Matsue"}, "comments": [{"id": 5, "text": "Hm"}], "tags": ["a"]}}
        """#

    @Test func `Attributes are read and written by name, in camel case or with underscores`() async throws {
        let answers = ["GET /people/1.json": Answer.json(Self.ann), "PUT /people/1.json": Answer(204)]
        try await serving(answers) { (service) async throws in
            var people = DynamicResourceType(Service.site, "person")
            people.schema = ["email": .string]
            var ann = try await people.find(1)
            #expect(ann.name.string == "Ann" && ann.createdAt.string == "2026-01-02" && ann["save"].int == 3)
            #expect(ann.id == "1" && !ann.isNew)
            #expect(ann.respondsTo("created_at") && ann.respondsTo("email") && !ann.respondsTo("fax"))
            #expect(!ann.fax.exists)
            let error = #expect(throws: ResourceError.self) { try ann.attribute("fax") }
            #expect(error?.description.contains("no attribute 'fax'; it has comments, created_at, email, home") == true)
            #expect(try ann.attribute("email").isNull == false)
            #expect(ann.record("home")?.city.string == "Matsue")
            #expect(ann.record("tags") == nil && ann.records("tags").isEmpty)
            let comment = try #require(ann.records("comments").first)
            #expect(comment.type.endpoint.elementName == "comment" && !comment.isNew && comment.text.string == "Hm")
            ann.createdAt = "now".json
            ann["home"] = .null
            ann.lastSeen = 7
            #expect(try await ann.save())
            let sent = try JSON(#require(service.received.last?.body))
            #expect(sent["created_at"].string == "now" && sent["last_seen"].int == 7 && sent["id"].int == 1)
        }
    }

    @Test func `Records are listed, created, refused, patched and deleted`() async throws {
        let answers = [
            "GET /people.json?n=2": Answer.json(#"[{"person": {"id": 1}}, {"person": {"id": 2}}]"#),
            "GET /people/recent.json": .json("{}", 404),
            "POST /people.json": Answer(201, headers: [Header("Location", "/people/9")]),
            "PATCH /people/1.json": .json(#"{"errors": {"age": ["is odd"]}}"#, 422),
            "DELETE /people/1.json": Answer(204),
            "HEAD /people/1.json": Answer(200), "GET /people/1/friends.json": .json("[7]"),
            "PUT /people/1/promote.json?by=2": Answer(204), "GET /people/1.json": .json("[]"),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            let people = DynamicResourceType(Service.site, "person")
            let all = try await people.where(["n": 2]).records
            #expect(all.map(\.id) == ["1", "2"])
            #expect(try await people.all(from: .named("recent")).records.isEmpty)
            let created = try await people.create(["name": "Bo".json])
            #expect(created.id == "9" && created.isPersisted)
            var first = all[0]
            #expect(try await !first.updateAttributes(["age": 3]))
            #expect(first.errors["age"] == ["is odd"])
            #expect(try await first.get("friends") == [7])
            try await first.call(.put, "promote", ["by": 2])
            try await first.destroy()
            try await people.delete(1)
            #expect(try await people.exists(1))
            #expect(try await !people.exists(3))
            let error = await #expect(throws: ResourceError.self) { try await people.find(1) }
            #expect(error?.kind == .mappingFailed)
            #expect(service.requests.contains(#"POST /people.json {"name":"Bo"}"#))
            #expect(service.requests.contains(#"PATCH /people/1.json {"age":3}"#))
        }
    }

    @Test func `Resources nest by name`() async throws {
        let answers = [
            "GET /posts/1/comments.json": Answer.json(#"[{"id": 5, "post_id": 1}]"#),
            "PUT /posts/1/comments/5.json": Answer(200),
        ]
        try await serving(answers) { (service) async throws in
            let comments = DynamicResourceType(Service.site, "post").nested("comments")
            #expect(comments.endpoint.prefix == "/posts/:post_id/")
            var comment = try #require(try await comments.all(prefix: ["post_id": 1]).first)
            #expect(try await comment.save())
            #expect(service.requests.last == #"PUT /posts/1/comments/5.json {"id":5}"#)
            var copy = try comments.new(["id": 5])
            copy.load(["post_id": 1, "text": "Hm".json])
            #expect(copy.resource.prefixOptions == ["post_id": "1"] && copy.text.string == "Hm" && !copy.post_id.exists)
            #expect(copy.isSameRecord(as: comment) && copy != comment)
        }
    }

    @Test func `A cancelled save is an error, and the record is unchanged`() async throws {
        let server = try LoopbackServer { request in
            try request.hold("save")
            return nil
        }
        let people = DynamicResourceType(ResourceSite(server.url), "person")
        let task = Task {
            var ann = try people.new(["name": "Ann".json])
            let error = await #expect(throws: ResourceError.self) { try await ann.save() }
            return (error, ann)
        }
        try await server.waitForRequests(count: 1)
        task.cancel()
        let (error, ann) = try await task.value
        #expect(error?.kind == .cancelled && error?.request?.method == .post)
        #expect(try ann == people.new(["name": "Ann".json]))
    }

    @Test func `Records by name have the calls of typed records`() async throws {
        let link = ["Link": "</people.json?page=2>; rel=next"]
        let answers = [
            "GET /people.json": Answer.json(#"[{"id": 1}, {"id": 2}]"#, 200, link),
            "GET /people.json?page=2": .json(#"[{"id": 3}]"#), "GET /people.json?age=3": .json("[]"),
            "GET /people/new.json": .json(#"{"id": null, "name": "?"}"#),
            "POST /people.json": .json(#"{"id": 4}"#, 201),
            "GET /people/leader.json": .json(#"{"id": 3}"#), "GET /people/3/friends.json": .json(#"[{"id": 1}]"#),
            "PUT /people/sort.json": Answer(204), "POST /people/new/register.json": Answer(201),
            "PATCH /people/3/touch.json": Answer(204), "DELETE /people/old.json": Answer(204),
            "HEAD /people/3.json": Answer(200), "PUT /people/3.json": Answer(204), "DELETE /people/3.json": Answer(204),
        ]
        try await serving(answers) { (service) async throws in
            let people = DynamicResourceType(Service.site, "person")
            #expect(try await people.first()?.id == "1")
            #expect(try await people.last()?.id == "2")
            #expect(try await people.all().count == 2)
            #expect(try await people.all().exists)
            #expect(try await !people.where(["age": 3]).exists)
            let pages = try await people.all().pages().reduce(into: []) { $0.append($1.map(\.id)) }
            #expect(pages == [["1", "2"], ["3"]])
            let new = try await people.where(["age": 3]).firstOrInitialize(["name": "Ann"])
            #expect(new.age.int == nil && new.age.string == "3" && new.name.string == "Ann" && new.isNew)
            let created = try await people.where(["age": 3]).firstOrCreate(["name": "Ann"])
            #expect(created.id == "4" && created.isPersisted)
            let built = try await people.build(["name": "Bo"])
            #expect(built.isNew && built.name.string == "Bo")
            var leader = try await people.one(from: .named("leader"))
            let typed: Person = try await people.get("leader")
            #expect(typed.id == 3 && typed.isPersisted)
            let friends: [Person] = try await leader.get("friends")
            #expect(friends.map(\.id) == [1])
            try await people.put("sort")
            try await people.delete(named: "old")
            try await leader.patch("touch", body: ["a": 1])
            try await new.post("register")
            #expect(service.requests.last == #"POST /people/new/register.json {"age":"3","name":"Ann"}"#)
            #expect(try await leader.exists())
            #expect(try await !new.exists())
            try await leader.saveOrThrow()
            #expect(try await leader.saved().id == "3")
            #expect(try await leader.update { $0.name = "Lea".json })
            #expect(service.requests.last == #"PUT /people/3.json {"id":3,"name":"Lea"}"#)
            try await leader.destroy()
            let encoded = try leader.encoded()
            #expect(String(decoding: encoded, as: UTF8.self) == #"{"id":3,"name":"Lea"}"#)
        }
    }

    @Test func `A record by name is saved like one of a type`() async throws {
        let answers = [
            "POST /posts/1/comments.json": Answer.json(#"[{"id": 5, "text": "Hm"}]"#, 201),
            "PUT /posts/1/comments/5.json": .json("{}", 422),
            "PUT /posts/1/comments/6.json": .json(#"{"errors": {"text": ["is odd"]}}"#, 422),
        ]
        try await serving(answers) { (service) async throws in
            let comments = DynamicResourceType(Service.site, "comment", prefix: "/posts/:post_id/")
            var comment = try comments.new(["text": "Hm"])
            // A prefix parameter that is assigned as an attribute is in the path, and not in the body.
            comment["post_id"] = 1
            #expect(try await comment.save())
            #expect(service.requests.last == #"POST /posts/1/comments.json {"text":"Hm"}"#)
            #expect(comment.id == "5" && comment.resource.prefixOptions == ["post_id": "1"])
            // A response without problems is an error, not a record without errors that was not saved.
            let error = await #expect(throws: ResourceError.self) { try await comment.save() }
            #expect(error?.kind == .invalid && comment.errors.isEmpty)
            comment["id"] = 6
            #expect(try await !comment.save())
            #expect(comment.errors["text"] == ["is odd"])
        }
    }

    @Test func `With PATCH, a record by name sends its changes`() async throws {
        let answers = [
            "GET /people/1.json": Answer.json(
                #"{"id": 1, "name": "Ann", "home": {"city": "Ulm", "zip": "1"}, "age": 3}"#),
            "PATCH /people/1.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            var ann = try await DynamicResourceType(Service.site, "person").find(1)
            #expect(try await ann.save())
            #expect(service.requests.count == 1)
            ann.home = ["city": .string("Bonn"), "zip": .string("1")]
            ann.age = .null
            ann.tags = ["a".json]
            #expect(try await ann.save())
            #expect(service.requests.last == #"PATCH /people/1.json {"home":{"city":"Bonn"},"age":null,"tags":["a"]}"#)
            ann.home = ["city": .string("Ulm"), "zip": .string("1")]
            #expect(try await ann.updateAttributes(["tags": ["a"] as [String]]))
            #expect(service.requests.last == #"PATCH /people/1.json {"home":{"city":"Ulm"}}"#)
            #expect(try await ann.save())
            #expect(service.requests.count == 3)
        }
    }

    @Test func `Copies and nested records by name are as those of types`() async throws {
        let answers = [
            "GET /people/1.json": Answer.json(#"{"id": 1, "name": "Ann", "notes": [{"id": 5, "text": "a"}]}"#),
            "PATCH /notes/5.json": Answer(204),
            "POST /people.json": Answer(201, headers: [Header("Location", "/people/8")]),
            "PATCH /people/8.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            let ann = try await DynamicResourceType(Service.site, "person").find(1)
            var note = try #require(ann.records("notes").first)
            #expect(try await note.update { $0.text = "b".json })
            #expect(service.requests.last == #"PATCH /notes/5.json {"text":"b"}"#)
            var clone = ann.clone()
            clone["notes"] = JSON.null["absent"]
            #expect(try await clone.save())
            #expect(clone.isPersisted && clone.id == "8")
            #expect(service.requests.last == #"POST /people.json {"name":"Ann"}"#)
            #expect(try await clone.save())
            #expect(service.requests.count == 3)
            #expect(ann.dup().id == "1" && ann.dup().isNew)
        }
    }

    @Test(arguments: ["[7]", #"["a"]"#, "7"])
    func `A list by name that contains other values is an error`(_ body: String) async throws {
        try await serving(["GET /people.json": .json(body)]) { (_) async throws in
            let people = DynamicResourceType(Service.site, "person")
            let error = await #expect(throws: ResourceError.self) { try await people.all().records }
            #expect(error?.kind == .mappingFailed)
        }
    }
}
