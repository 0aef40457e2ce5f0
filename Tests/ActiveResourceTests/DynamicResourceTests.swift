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
            let all = try await people.all(["n": 2])
            #expect(all.map(\.id) == ["1", "2"])
            #expect(try await people.all(from: .named("recent")).isEmpty)
            let created = try await people.create(["name": "Bo".json])
            #expect(created.id == "9" && created.isNew)
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
            var copy = comments.new(["id": 5])
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
            var ann = people.new(["name": "Ann".json])
            let error = await #expect(throws: ResourceError.self) { try await ann.save() }
            return (error, ann)
        }
        try await server.waitForRequests(count: 1)
        task.cancel()
        let (error, ann) = await task.value
        #expect(error?.kind == .cancelled && error?.request?.method == .post)
        #expect(ann == people.new(["name": "Ann".json]))
    }
}
