import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import TestSupport
import Testing

@Suite("Resources of Rails")
struct RailsRouterTests {
    /// The requests that a server without content received.
    private func requests(
        _ format: RailsRouter.BodyFormat = .json, _ send: (ObjectManager) async throws -> Void
    ) async throws -> [String] {
        let requests = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            let body = String(decoding: try request.body(), as: UTF8.self)
            let type = request.headers["content-type"].map { " " + $0 } ?? ""
            requests.withLock {
                $0.append("\(request.method) \(request.target)\(type)\(body.isEmpty ? "" : " " + body)")
            }
            return Answer(204)
        }
        try await send(try railsManager(server.url, format: format))
        return requests.withLock { $0 }
    }

    @Test func `Paths are plural names with underscores, and irregular plurals those of Rails`() throws {
        let manager = try railsManager(try #require(URL(string: "http://127.0.0.1:1/api")))
        let person = BlogPerson(id: 7)
        #expect(try manager.router.path(for: person) == "/people/7")
        #expect(try manager.router.path(for: person, method: .post) == "/people")
        #expect(try manager.router.path(for: BlogDraft(id: 3), method: .delete) == "/blog_drafts/3")
        let post = BlogPost()
        post.postID = 1
        #expect(try manager.router.path(for: post, relationship: \.comments) == "/posts/1/comments")
        #expect(try manager.url(for: post, relationship: \.comments)?.path() == "/api/posts/1/comments")
        let missing = #expect(throws: RouteError.self) { try manager.router.path(for: BlogPerson()) }
        #expect(missing?.kind == .missingValue(parameter: "id"))
        let unknown = #expect(throws: RouteError.self) { try manager.router.path(for: Account()) }
        #expect(unknown?.kind == .unknownRoute)
    }

    @Test func `Bodies have a root and nested attributes, without the ids of new children`() async throws {
        let draft = BlogDraft(
            id: 3, subTitle: "Kettles",
            remarks: [.init(text: "new"), .init(id: 0, text: "zero"), .init(id: 5, text: "old")])
        var other = draft
        (other.subTitle, other.remarks) = (nil, nil)
        let sent = try await requests { [draft, other] manager in
            try await manager.post(draft)
            try await manager.put(other)
            try await manager.patch(draft, changedFrom: other)
            try await manager.delete(draft)
            _ = try await manager.load("/people/7")
        }
        let remarks = #"[{"text":"new"},{"text":"zero"},{"id":5,"text":"old"}]"#
        let body = #"{"blog_draft":{"sub_title":"Kettles","remarks_attributes":\#(remarks)}}"#
        #expect(
            sent == [
                "POST /blog_drafts application/json \(body)",
                #"PUT /blog_drafts/3 application/json {"blog_draft":{}}"#,
                "PATCH /blog_drafts/3 application/json \(body)",
                "DELETE /blog_drafts/3", "GET /people/7",
            ])
    }

    @Test func `Forms have the name of the model before each attribute, and indexes of children`() async throws {
        let sent = try await requests(.form) { manager in
            try await manager.post(BlogPerson(id: nil, name: "A b", tags: ["x", "y"]))
            try await manager.put(
                BlogDraft(id: 3, subTitle: "é", remarks: [.init(text: "new"), .init(id: 5, text: "old")]))
        }
        let type = "application/x-www-form-urlencoded"
        #expect(
            sent == [
                "POST /people \(type) person[name]=A%20b&person[tags][]=x&person[tags][]=y",
                "PUT /blog_drafts/3 \(type) blog_draft[sub_title]=%C3%A9&blog_draft[remarks_attributes][0][text]=new"
                    + "&blog_draft[remarks_attributes][1][id]=5&blog_draft[remarks_attributes][1][text]=old",
            ])
    }

    // MARK: The application

    @Test(.enabled(if: RailsServer.isInstalled), arguments: [RailsRouter.BodyFormat.json, .form])
    func `Rails creates, changes, refuses and deletes records`(_ format: RailsRouter.BodyFormat) async throws {
        let rails = try await RailsServer()
        defer { try? rails.stop() }
        let manager = try railsManager(rails.url, format: format)
        let people = try await manager.load("/people").values(of: BlogPerson.self)
        #expect(people.map(\.name) == ["Matz", "Roy", "Zoë"])
        let created = try await manager.post(BlogPerson(id: nil, name: "Ann", tags: ["new", "shy"]))
        #expect(created.response.status == 201)
        var ann = try #require(created.values(of: BlogPerson.self).first)
        #expect(ann.id == 4 && ann.tags == ["new", "shy"])
        let old = ann
        ann.name = "Ånn"
        let changed = try await manager.patch(ann, changedFrom: old).values(of: BlogPerson.self)
        #expect(changed == [ann])
        let unnamed = BlogPerson(id: ann.id)
        let refused = await #expect(throws: MappedRequestError.self) { try await manager.put(unnamed) }
        #expect(refused?.models(of: InvalidRecord.self).first?.errors == ["name": ["can't be blank"]])
        #expect(try await manager.delete(ann).status == 204)
        let gone = await #expect(throws: MappedRequestError.self) { try await manager.load("/people/4") }
        #expect(gone?.response?.status == 404)
    }

    /// Holds posts in its own isolation.
    private actor Editor {
        let manager: ObjectManager
        let context: ObjectContext

        init(_ manager: ObjectManager) throws {
            self.manager = manager
            context = ObjectContext(try #require(manager.store))
        }

        /// Changes the first post and its first comment, adds a comment, and sends the post.
        func edit() async throws -> [String] {
            let posts = try await manager.load("/posts").objects(of: BlogPost.self, in: context)
            let post = posts[0]
            let comments = try await manager.load(post, \.comments).objects(of: BlogComment.self, in: context)
            let new = context.insert(BlogComment.self)
            (post.title, comments[0].text, new.text) = ("Edited", "First", "A new one")
            post.comments.append(new)
            try await manager.put(post, query: ["include": "comments"])
            #expect(post.comments.contains(new) && new.commentID > 0)
            let edited = post.title
            post.title = "Patched"
            try await manager.patch(post)
            try await manager.get(post)
            return [edited, post.title] + (try await context.fetch(BlogComment.all.sorted(by: \.commentID)).map(\.text))
        }

        func delete() async throws -> Int {
            let post = try #require(try await context.fetch(BlogPost.all.sorted(by: \.postID)).first)
            try await manager.delete(post)
            return try await context.count(BlogPost.all)
        }
    }

    @Test(.enabled(if: RailsServer.isInstalled), arguments: [RailsRouter.BodyFormat.json, .form])
    func `Rails changes and creates comments with their post`(_ format: RailsRouter.BodyFormat) async throws {
        let rails = try await RailsServer()
        defer { try? rails.stop() }
        let manager = try railsManager(rails.url, format: format)
        let editor = try Editor(manager)
        #expect(try await editor.edit() == ["Edited", "Patched", "First", "Sed ut perspiciatis", "A new one"])
        #expect(try await editor.delete() == 1)
    }
}
