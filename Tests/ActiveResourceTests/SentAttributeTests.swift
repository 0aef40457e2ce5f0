import ActiveResource
import LoopbackServer
import Testing

@Suite("Attributes that records send")
struct SentAttributeTests {
    struct Home: Mappable, Equatable {
        var city: String?
        var zip: String? = "?"
        static let mapping = Mapping(Home.init) {
            Attribute("city", \.city)
            Attribute("zip", \.zip)
        }
    }

    struct Member: Resource {
        static var site: ResourceSite { Service.site }
        static let collectionName = "members"
        var id: Int?
        var name = ""
        var email: String?
        var phone: String? = "none"
        var tags: [String] = []
        var home: Home?
        var children: [Home] = []
        var resource = ResourceState()

        static let mapping = Mapping(Member.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Attribute("email", \.email)
            Attribute(.first("contact.phone", "telephone"), \.phone)
            Attribute("tags", \.tags)
            Relationship("home", \.home)
            Relationship("children", \.children)
        }
    }

    /// What a service sent, a change, and the bodies of PUT and PATCH.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let received: String
        let change: @Sendable (inout Member) -> Void
        let put: String
        let patch: String

        init(
            _ name: String, _ received: String, put: String, patch: String,
            _ change: @escaping @Sendable (inout Member) -> Void
        ) { (testDescription, self.received, self.put, self.patch, self.change) = (name, received, put, patch, change) }
    }

    static let changes = [
        Change(
            "an attribute of a summary", #"{"id":2,"name":"Roy"}"#, put: #"{"id":2,"name":"Roi"}"#,
            patch: #"{"name":"Roi"}"#
        ) { $0.name = "Roi" },
        Change(
            "values that the record does not hold exactly",
            #"{"id":2,"name":"Roy","email":null,"contact":{"phone":7.0},"tags":["b","a","b"]}"#,
            put: #"{"id":2,"name":"Roi","email":null,"contact":{"phone":7.0},"tags":["b","a","b"]}"#,
            patch: #"{"name":"Roi"}"#
        ) { $0.name = "Roi" },
        Change(
            "an object of which no attribute is mapped", #"{"id":2,"name":"Roy","home":{"x":1},"contact":{"x":1}}"#,
            put: #"{"id":2,"name":"Roi"}"#, patch: #"{"name":"Roi"}"#
        ) { $0.name = "Roi" },
        Change(
            "an attribute that was not received", #"{"id":2,"name":"Roy"}"#,
            put: #"{"id":2,"name":"Roy","email":"r@x"}"#, patch: #"{"email":"r@x"}"#
        ) { $0.email = "r@x" },
        Change(
            "an attribute that was received as null", #"{"id":2,"email":null}"#,
            put: #"{"id":2,"name":"R","email":null}"#,
            patch: #"{"name":"R"}"#
        ) { $0.name = "R" },
        Change("nil", #"{"id":2,"email":"r@x"}"#, put: #"{"id":2,"email":null}"#, patch: #"{"email":null}"#) {
            $0.email = nil
        },
        Change(
            "nil for an initial value that was not received", #"{"id":2}"#, put: #"{"id":2,"contact":{"phone":null}}"#,
            patch: #"{"contact":{"phone":null}}"#
        ) { $0.phone = nil },
        Change(
            "an attribute of another source", #"{"id":2,"telephone":"1"}"#,
            put: #"{"id":2,"name":"R","contact":{"phone":"1"}}"#, patch: #"{"name":"R"}"#
        ) { $0.name = "R" },
        Change(
            "an attribute of a nested object", #"{"id":2,"home":{"city":"Ulm"}}"#,
            put: #"{"id":2,"home":{"city":"Bonn"}}"#, patch: #"{"home":{"city":"Bonn"}}"#
        ) { $0.home?.city = "Bonn" },
        Change(
            "a new nested object", #"{"id":2}"#, put: #"{"id":2,"home":{"city":"Ulm"}}"#,
            patch: #"{"home":{"city":"Ulm"}}"#
        ) { $0.home = Home(city: "Ulm", zip: nil) },
        Change(
            "a list of objects", #"{"id":2,"children":[{"city":"A"},{"zip":"9"}]}"#,
            put: #"{"id":2,"children":[{"zip":"9"},{"city":"A"},{"city":"C","zip":"?"}]}"#,
            patch: #"{"children":[{"zip":"9"},{"city":"A"},{"city":"C","zip":"?"}]}"#
        ) { $0.children = [$0.children[1], $0.children[0], Home(city: "C")] },
        Change(
            "an element of a list", #"{"id":2,"children":[{"city":"A"},{"zip":"9"}]}"#,
            put: #"{"id":2,"children":[{"city":"B"},{"zip":"9"}]}"#, patch: #"{"children":[{"city":"B"},{"zip":"9"}]}"#
        ) { $0.children[0].city = "B" },
        Change("a list of texts", #"{"id":2,"tags":["a"]}"#, put: #"{"id":2,"tags":[]}"#, patch: #"{"tags":[]}"#) {
            $0.tags = []
        },
    ]

    @Test(arguments: changes, ["one", "list", "rooted list"])
    func `Only received and changed attributes are sent`(_ change: Change, _ shape: String) async throws {
        let list = shape == "one" ? change.received : #"[{"id":1,"name":"Ann"}, \#(change.received)]"#
        let answers = [
            "GET /members/2.json": Answer.json(list), "PUT /members/2.json": Answer(204),
            "GET /members.json": .json(shape == "list" ? list : #"{"members": \#(list)}"#),
            "PATCH /members/2.json": Answer(204),
        ]
        for (method, body) in [(ResourceSite.UpdateMethod.put, change.put), (.patch, change.patch)] {
            try await serving(answers, change: { $0.updateMethod = method }) { (service) async throws in
                var member = try await shape == "one" ? Member.find(2) : Member.all().records[1]
                #expect(try await member.update(change.change))
                #expect(service.received.last?.body == body)
                // What was sent is the original of the next change.
                #expect(try await member.save())
                if method == .patch { #expect(service.requests.count == 2) }
            }
        }
    }

    struct Order: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var state: String?
        var command: String?
        var resource = ResourceState()
        static let mapping = Mapping(Order.init) {
            Attribute("id", \.id).readOnly
            Attribute("state", \.state)
            Attribute("command", \.command).writeOnly
        }
    }

    struct Invoice: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var total = 0
        var payer = Home()
        var resource = ResourceState()
        static let mapping = Mapping(Invoice.init) {
            Attribute("id", \.id)
            Attribute("total", \.total)
            Relationship("payer", \.payer)
        }.omitting("total", "payer.zip")
    }

    @Test(arguments: [ResourceSite.UpdateMethod.put, .patch])
    func `Members that the mapping omits are read, and never sent`(_ method: ResourceSite.UpdateMethod) async throws {
        let answers = [
            "GET /invoices/1.json": Answer.json(#"{"id":1,"total":9,"payer":{"city":"Ulm","zip":"1"}}"#),
            "PUT /invoices/1.json": Answer(204), "PATCH /invoices/1.json": Answer(204),
            "POST /invoices.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = method }) { (service) async throws in
            var invoice = try await Invoice.find(1)
            #expect(invoice.total == 9 && invoice.payer.zip == "1")
            #expect(try await invoice.update { ($0.total, $0.payer.zip, $0.payer.city) = (8, "2", "Bonn") })
            let id = method == .put ? #""id":1,"# : ""
            #expect(service.received.last?.body == #"{\#(id)"payer":{"city":"Bonn"}}"#)
            _ = try await Invoice.create(Invoice(total: 7))
            #expect(service.received.last?.body == #"{"payer":{}}"#)
        }
    }

    @Test func `An attribute that is only written is sent as long as it is set`() async throws {
        let answers = [
            "GET /orders/1.json": Answer.json(#"{"id":1,"state":"open"}"#), "PUT /orders/1.json": Answer(204),
            "PATCH /orders/1.json": Answer(204),
        ]
        for method in [ResourceSite.UpdateMethod.put, .patch] {
            try await serving(answers, change: { $0.updateMethod = method }) { (service) async throws in
                var order = try await Order.find(1)
                for _ in 0..<2 {
                    #expect(try await order.update { $0.command = "ship" })
                    let state = method == .put ? #""state":"open","# : ""
                    #expect(service.received.last?.body == #"{\#(state)"command":"ship"}"#)
                }
                #expect(try await order.update { ($0.command, $0.state) = (nil, "sent") })
                #expect(service.received.last?.body == #"{"state":"sent"}"#)
            }
        }
    }

    /// Texts of the same record.
    @Test(arguments: [
        "\u{FEFF}{\"id\":1,\"name\":\"a\"}", "\n [ {\"id\":1,\"name\":\"a\"} ] ", #"{"person":{"id":1,"name":"a"}}"#,
        #"{"name":"?","id":1,"name":"a","\u00e9😀":[{}]}"#,
    ])
    func `The attributes of a response are known in any layout`(_ body: String) async throws {
        let answers = ["GET /people/1.json": Answer.json(body), "PUT /people/1.json": Answer(204)]
        try await serving(answers) { (service) async throws in
            var ann = try await Person.find(1)
            #expect(try await ann.save())
            #expect(service.requests.last == #"PUT /people/1.json {"id":1,"name":"a"}"#)
        }
    }

    @Test func `A change that is reverted after a response without a body is sent`() async throws {
        let answers = [
            "GET /people/1.json": Answer.json(#"{"id":1,"name":"a"}"#), "PATCH /people/1.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            var ann = try await Person.find(1)
            #expect(try await ann.update { $0.name = "b" })
            #expect(try await ann.update { $0.name = "a" })
            #expect(
                service.requests.suffix(2) == [
                    #"PATCH /people/1.json {"name":"b"}"#, #"PATCH /people/1.json {"name":"a"}"#,
                ])
        }
    }

    @Test(arguments: [Answer.json(""), .json("{}"), .json(#"{"id":1}"#)])
    func `A reply without the changed attribute does not undo that it was sent`(_ reply: Answer) async throws {
        let answers = ["GET /people/1.json": Answer.json(#"{"id":1,"name":"a"}"#), "PATCH /people/1.json": reply]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            var ann = try await Person.find(1)
            #expect(try await ann.update { $0.name = "b" })
            #expect(try await ann.save())
            #expect(service.requests.count == 2)
            #expect(try await ann.update { $0.name = "a" })
            #expect(service.requests.last == #"PATCH /people/1.json {"name":"a"}"#)
        }
    }

    @Test func `A refused change is sent again`() async throws {
        let replies = Replies([.json(#"{"id":1,"name":"a"}"#), .json("{}", 500), Answer(204)])
        let service = try Service { _ in replies.next() }
        let site = ResourceSite(service.server.url).with { $0.updateMethod = .patch }
        try await Service.$site.withValue(site) { () async throws in
            var ann = try await Person.find(1)
            ann.name = "b"
            await #expect(throws: ResourceError.self) { try await ann.save() }
            #expect(try await ann.save())
            #expect(service.requests.suffix(2) == Array(repeating: #"PATCH /people/1.json {"name":"b"}"#, count: 2))
        }
    }

    @Test func `Reloading a part keeps changes of other attributes`() async throws {
        let replies = Replies([
            .json(#"{"id":1,"name":"a","age":3}"#), .json(#"{"id":1,"name":"c"}"#), Answer(204), Answer(204),
        ])
        let service = try Service { _ in replies.next() }
        let site = ResourceSite(service.server.url).with { $0.updateMethod = .patch }
        try await Service.$site.withValue(site) { () async throws in
            var ann = try await Person.find(1)
            (ann.name, ann.age) = ("b", 4)
            try await ann.reload()
            #expect(ann.name == "c" && ann.age == 4)
            #expect(try await ann.save())
            #expect(service.requests.last == #"PATCH /people/1.json {"age":4}"#)
        }
    }

    @Test func `A new record that is reloaded sends what was set before`() async throws {
        let answers = [
            "GET /members/2.json": Answer.json(#"{"id":2,"name":"Roy"}"#), "PUT /members/2.json": Answer(204),
        ]
        try await serving(answers) { (service) async throws in
            var roy = Member(id: 2, email: "r@x")
            try await roy.reload()
            #expect(try await roy.save())
            #expect(service.requests.last == #"PUT /members/2.json {"id":2,"name":"Roy","email":"r@x"}"#)
        }
    }

    @Test func `Attributes assigned by name are sent, with any value`() async throws {
        let answers = [
            "GET /members/2.json": Answer.json(#"{"id":2,"name":"Roy"}"#), "PUT /members/2.json": Answer(204),
            "PATCH /members/2.json": Answer(204), "POST /members.json": Answer(204),
        ]
        for method in [ResourceSite.UpdateMethod.put, .patch] {
            try await serving(answers, change: { $0.updateMethod = method }) { (service) async throws in
                var roy = try await Member.find(2)
                #expect(
                    try await roy.updateAttributes(["email": nil as String?, "name": "Roy", "tags": [] as [String]]))
                let known = method == .put ? #""id":2,"name":"Roy","# : ""
                #expect(service.received.last?.body == #"{\#(known)"email":null,"tags":[]}"#)
                _ = try await Member.create(["email": nil as String?, "name": "Ann"])
                #expect(
                    service.received.last?.body
                        == #"{"name":"Ann","contact":{"phone":"none"},"tags":[],"children":[],"email":null}"#)
            }
        }
    }

    @Test func `Lists and values that were assigned by name are sent as they are when they are saved`() async throws {
        let replies = Replies([
            .json(#"{"id":2,"name":"Roy","children":[{"city":"A"},{"zip":"9"}]}"#), Answer(204), .json("{}", 500),
            Answer(204),
        ])
        let service = try Service { _ in replies.next() }
        try await Service.$site.withValue(ResourceSite(service.server.url)) { () async throws in
            var roy = try await Member.find(2)
            let children: JSON = [["zip": .string("9")], ["city": .string("A")]]
            #expect(try await roy.updateAttributes(["children": children]))
            #expect(
                service.received.last?.body == #"{"id":2,"name":"Roy","children":[{"zip":"9"},{"city":"A"}]}"#)
            // A refused value that is replaced by the one before.
            await #expect(throws: ResourceError.self) { try await roy.updateAttributes(["name": "Bo"]) }
            roy.name = "Roy"
            #expect(try await roy.save())
            #expect(
                service.received.last?.body == #"{"id":2,"name":"Roy","children":[{"zip":"9"},{"city":"A"}]}"#)
        }
    }

    @Test func `A copy sends what the record received, and what was set`() async throws {
        let answers = [
            "GET /members/2.json": Answer.json(#"{"id":2,"name":"Roy","email":null}"#),
            "POST /members.json": Answer(204),
            "GET /notes/a.json": .json(#"{"slug":"a"}"#), "POST /notes.json": Answer(204),
        ]
        try await serving(answers) { (service) async throws in
            let roy = try await Member.find(2)
            var clone = try roy.clone()
            clone.tags = ["a"]
            #expect(try await clone.save())
            var dup = try roy.dup()
            #expect(try await dup.save())
            let note = try await Note.find("a")
            #expect(try await note.clone().save())
            #expect(try await note.dup().save())
            let bodies = service.received.map(\.body).filter { !$0.isEmpty }
            #expect(
                bodies == [
                    #"{"name":"Roy","tags":["a"]}"#, #"{"id":2,"name":"Roy"}"#, "{}", #"{"slug":"a"}"#,
                ])
        }
    }

    @Test func `A record that was not received sends everything`() async throws {
        let answers = ["PUT /people/1.json": Answer(204), "PATCH /people/1.json": Answer(204)]
        for method in [ResourceSite.UpdateMethod.put, .patch] {
            try await serving(answers, change: { $0.updateMethod = method }) { (service) async throws in
                var ann = Person(id: 1, name: "Ann", resource: ResourceState(isPersisted: true))
                #expect(try await ann.save())
                #expect(service.received.last?.body == #"{"id":1,"name":"Ann","age":null}"#)
            }
        }
    }

    @Test func `A prefix option is read from an attribute that did not change`() async throws {
        let answers = [
            "GET /comments.json": Answer.json(#"[{"id":3,"post_id":7,"text":"Hm"}]"#),
            "PATCH /posts/7/comments/3.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            var comment = try await Comment.all(from: .path("/comments.json")).records[0]
            #expect(try await comment.update { $0.text = "Oh" })
            #expect(service.requests.last == #"PATCH /posts/7/comments/3.json {"text":"Oh"}"#)
        }
    }
}
