import ActiveResource
import LoopbackServer
import Testing

@Suite("Associations, singletons and custom methods")
struct AssociationTests {
    fileprivate struct Owner: Resource {
        static var site: ResourceSite { Service.site }
        static let elementName = "post"
        var id: Int?
        var authorID: Int?
        var embeddedNotes: [Note]?
        var resource = ResourceState()
        static let mapping = Mapping(Owner.init) {
            Attribute("id", \.id)
            Attribute("author_id", \.authorID)
            Relationship("notes", \.embeddedNotes)
        }

        var comments: HasMany<Comment> { hasMany() }
        var people: HasMany<Person> { hasMany() }
        var notes: HasMany<Note> { hasMany(embedded: embeddedNotes) }
        var author: BelongsTo<Person> { belongsTo(authorID) }
        var cover: HasOne<Cover> { hasOne() }
        var editor: HasOne<Person> { hasOne(named: "editor") }
    }

    struct Cover: SingletonResource {
        static var site: ResourceSite { Service.site }
        static let prefix = "/posts/:post_id/"
        var text = ""
        var resource = ResourceState()
        static let mapping = Mapping(Cover.init) { Attribute("text", \.text) }
    }

    private static let post = #"{"id": 1, "author_id": 2, "notes": [{"slug": "a", "text": "A"}]}"#

    @Test func `Associated records are loaded by the path, the query or the attributes`() async throws {
        let answers = [
            "GET /posts/1.json": Answer.json(Self.post), "GET /posts/1/comments.json": .json(#"[{"id": 3}]"#),
            "GET /people.json?post_id=1": .json(#"[{"id": 4}]"#), "GET /people/2.json": .json(#"{"id": 2}"#),
            "GET /posts/1/cover.json": .json(#"{"text": "Blue"}"#), "GET /posts/1/editor.json": .json(#"{"id": 5}"#),
            "POST /posts/1/comments.json": .json(#"{"id": 6, "text": "Hm"}"#, 201),
            "GET /people.json?age=3&post_id=1": .json("[]"),
        ]
        try await serving(answers) { (service) async throws in
            let post = try await Owner.find(1)
            #expect(try await post.comments.records.map(\.id) == [3])
            #expect(try await post.people.first?.id == 4)
            #expect(try await post.people.where(["age": 3]).records.isEmpty)
            #expect(try await post.author.record?.id == 2)
            #expect(try await post.cover.record?.text == "Blue")
            #expect(try await post.editor.record?.id == 5)
            let note = try await post.notes.first
            #expect(note?.text == "A" && note?.isPersisted == true)
            #expect(try await post.comments.create(["text": "Hm"]).id == 6)
            #expect(service.requests.last == #"POST /posts/1/comments.json {"text":"Hm"}"#)
            #expect(service.requests.count == 8)
        }
    }

    @Test func `A new record has no associated records, and a record without a key has no owner`() async throws {
        try await serving([:]) { (service) async throws in
            let post = Owner()
            #expect(try await post.comments.records.isEmpty)
            #expect(try await post.author.record == nil)
            #expect(try await post.cover.record == nil)
            #expect(service.requests.isEmpty)
            let missing = Owner(authorID: 9)
            let error = await #expect(throws: ResourceError.self) { try await missing.author.record }
            #expect(error?.kind == .notFound)
        }
    }

    @Test func `A singleton has one path for all calls`() async throws {
        let answers = [
            "GET /posts/1/cover.json": Answer.json(#"{"cover": {"text": "Blue"}}"#),
            "PUT /posts/1/cover.json": Answer(204),
            "DELETE /posts/1/cover.json": Answer(204), "POST /posts/2/cover.json": .json(#"{"text": "Red"}"#, 201),
        ]
        try await serving(answers) { (service) async throws in
            var cover = try await Cover.find(prefix: ["post_id": 1])
            #expect(try await cover.update { $0.text = "Green" })
            try await cover.reload()
            #expect(cover.text == "Blue")
            try await cover.destroy()
            let other = try await Cover.create(["text": "Red"], prefix: ["post_id": 2])
            #expect(other.isPersisted)
            #expect(
                service.requests == [
                    "GET /posts/1/cover.json", #"PUT /posts/1/cover.json {"text":"Green"}"#, "GET /posts/1/cover.json",
                    "DELETE /posts/1/cover.json", #"POST /posts/2/cover.json {"text":"Red"}"#,
                ])
        }
    }

    @Test func `Methods of collections and records are called by name`() async throws {
        let list = #"{"people": [{"id": 1, "name": "Ann"}]}"#
        let answers = [
            "GET /people/active.json?n=2": Answer.json(list), "GET /people/leader.json": .json(#"{"id": 3}"#),
            "POST /people/import.json?dry=true": Answer(202), "PUT /people/sort.json": Answer(204),
            "PATCH /people/touch.json": Answer(204), "DELETE /people/expunge.json": Answer(204),
            "GET /people/a%2Fb/edit.json": .json(#"{"id": 3}"#), "PUT /people/3/promote.json?rank=2": Answer(204),
            "PATCH /people/3/touch.json": Answer(204), "DELETE /people/3/deactivate.json": Answer(204),
            "POST /people/3/copy.json": Answer(201), "POST /people/new/register.json": Answer(201),
            "GET /street_addresses/a%2Fb/near.json": .json("[1]"), "GET /people/3/friends.json": .json(list),
        ]
        try await serving(answers) { (service) async throws in
            let active: [Person] = try await Person.get("active", ["n": 2])
            #expect(active.map(\.id) == [1] && active[0].isPersisted)
            let value = try await Person.get("active", ["n": 2])
            #expect(value == [["id": 1, "name": .string("Ann")]])
            let leader: Person = try await Person.get("leader")
            try await Person.post("import", ["dry": true], body: ["a": 1])
            try await Person.put("sort")
            try await Person.patch("touch")
            try await Person.delete(named: "expunge")
            try await leader.put("promote", ["rank": 2])
            try await leader.patch("touch", body: ["b": 2])
            try await leader.delete("deactivate")
            try await leader.post("copy")
            try await Person(name: "Bo").post("register")
            let friends: [Person] = try await leader.get("friends")
            #expect(friends.count == 1)
            #expect(try await StreetAddress(id: "a/b").get("near") == [1])
            let bodies = service.received.filter { !$0.body.isEmpty }.map(\.description)
            #expect(
                bodies == [
                    #"POST /people/import.json?dry=true {"a":1}"#, #"PATCH /people/3/touch.json {"b":2}"#,
                    #"POST /people/3/copy.json {"id":3}"#,
                    #"POST /people/new/register.json {"name":"Bo"}"#,
                ])
        }
    }
}
