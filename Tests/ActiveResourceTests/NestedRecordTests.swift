import ActiveResource
import LoopbackServer
import Testing

@Suite("Records in the attributes of others")
struct NestedRecordTests {
    struct Article: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var title = ""
        var author: Person?
        var comments: [Comment] = []
        var notes: [String: Note] = [:]
        var resource = ResourceState()

        static let mapping = Mapping(Article.init) {
            Attribute("id", \.id)
            Attribute("title", \.title)
            Relationship("author", \.author)
            Relationship("comments", \.comments)
            Relationship("notes", \.notes)
        }
    }

    private static let article = #"""
        {"id": 1, "author": {"id": 2, "name": "Ann"}, "comments": [{"id": 5, "post_id": 9, "text": "Hm"}],
         "notes": {"first": {"slug": "a"}}}
        """#

    @Test(arguments: [article, #"{"article": \#(article)}"#])
    func `Nested records of a reply are persisted, and send what they received`(_ body: String) async throws {
        let answers = [
            "GET /articles/1.json": Answer.json(body), "PUT /people/2.json": Answer(204),
            "PUT /posts/9/comments/5.json": Answer(204), "PUT /notes/a.json": Answer(204),
        ]
        try await serving(answers) { (service) async throws in
            var article = try await Article.find(1)
            #expect(article.author?.isPersisted == true && article.comments.allSatisfy(\.isPersisted))
            #expect(try await article.author?.update { $0.name = "An" } == true)
            #expect(service.requests.last == #"PUT /people/2.json {"id":2,"name":"An"}"#)
            #expect(try await article.comments[0].update { $0.text = "Oh" })
            #expect(service.requests.last == #"PUT /posts/9/comments/5.json {"id":5,"text":"Oh"}"#)
            #expect(try await article.notes["first"]?.update { $0.text = "B" } == true)
            #expect(service.requests.last == #"PUT /notes/a.json {"slug":"a","text":"B"}"#)
        }
    }

    @Test func `Nested records of lists and of replies to saves are persisted`() async throws {
        let answers = [
            "GET /articles.json": Answer.json("[\(Self.article)]"), "POST /articles.json": .json(Self.article, 201),
            "GET /articles/1.json": .json(Self.article), "GET /people/top.json": .json(Self.article),
        ]
        try await serving(answers) { (_) async throws in
            var articles = try await Article.all().records
            var new = Article(title: "T", author: Person(name: "Bo"))
            #expect(try await new.save())
            articles.append(new)
            var reloaded = Article(id: 1)
            try await reloaded.reload()
            articles.append(reloaded)
            articles.append(try await Person.get("top"))
            #expect(articles.count == 4)
            for article in articles {
                #expect(article.author?.isPersisted == true && article.notes["first"]?.isPersisted == true)
                #expect(article.comments.map(\.isPersisted) == [true])
            }
        }
    }

    @Test func `Nested records of attributes are new`() async throws {
        let article = try Service.$site.withValue(ResourceSite(URL(filePath: "/"))) {
            try Article.new(["author": ["id": 2, "name": .string("Ann")] as JSON])
        }
        #expect(article.author?.name == "Ann" && article.author?.isNew == true && article.isNew)
        #expect(try Person.mapping.map(#"{"id": 1}"#).isNew)
    }

    @Test func `Records of custom methods keep the prefix, and what they received`() async throws {
        let list = #"[{"id": 5, "text": "Hm"}]"#
        let answers = [
            "GET /posts/1/comments/recent.json": Answer.json(list), "GET /posts/1/comments/5/replies.json": .json(list),
            "GET /posts/1/comments/last.json": .json(#"{"id": 5, "text": "Hm"}"#),
            "PATCH /posts/1/comments/5.json": Answer(204),
        ]
        try await serving(answers, change: { $0.updateMethod = .patch }) { (service) async throws in
            let recent: [Comment] = try await Comment.get("recent", ["post_id": 1])
            let last: Comment = try await Comment.get("last", ["post_id": 1])
            let replies: [Comment] = try await last.get("replies")
            for var comment in recent + replies + [last] {
                #expect(comment.resource.prefixOptions == ["post_id": "1"])
                #expect(try await comment.update { $0.text = "Oh" })
                #expect(service.requests.last == #"PATCH /posts/1/comments/5.json {"text":"Oh"}"#)
            }
        }
    }
}
