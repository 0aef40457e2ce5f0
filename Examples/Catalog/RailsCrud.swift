import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading

let railsCrud = Example(
    "rails-crud", group: "Loading",
    "Posts of a Rails application are created with their comments, read, changed, refused and deleted"
) { story in
    let rails = RailsApplication()
    defer { rails?.stop() }
    let server = rails == nil ? try LoopbackServer(handler: answer) : nil
    guard let url = rails?.url ?? server?.url else { return }
    story.say(
        "The service is \(rails == nil ? "a local server with the same responses" : "a Ruby on Rails application").")

    story.say("Two structs. The names of Rails follow from those of the types, or are given:")
    story.showCode("model")
    story.say("One call describes a resource: its paths, its bodies, and its responses:")
    story.showCode("manager")
    let manager = postManager(RESTClient(baseURL: url))

    story.say("A post is created with its comments in one request, as `comments_attributes`:")
    story.showCode("create")
    let post = try await createPost(by: manager)
    story.show("post \(post.id ?? 0): \(post.title), \(post.comments?.count ?? 0) comments")

    story.say("Posts are read with their comments, because the query asks for them:")
    story.show(try await posts(by: manager))

    story.say("Only changed attributes are sent. Comments with an `id` are updated:")
    story.showCode("change")
    story.show(try await change(post, by: manager))

    story.say("The error of a rejected change contains the problems by attribute:")
    story.showCode("refuse")
    story.show(await problems(of: post, by: manager))

    story.say("A deletion has no body, and the post is gone:")
    story.showCode("delete")
    story.show(try await delete(post, by: manager))
}

// snippet.model
struct RailsPost: Mappable {
    var id: Int?
    var title = ""
    var comments: [RailsComment]?

    static let mapping = Mapping(RailsPost.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Relationship("comments", \.comments)
    }
}

struct RailsComment: Mappable {
    var id: Int?
    var text = ""
    static let mapping = Mapping(RailsComment.init) {
        Attribute("id", \.id); Attribute("text", \.text)
    }
}

struct RefusedPost: Mappable {
    var errors: [String: [String]] = [:]
    static let mapping = Mapping(RefusedPost.init) { Attribute("errors", \.errors) }
}
// snippet.end

// snippet.manager
private func postManager(_ client: RESTClient) -> ObjectManager {
    let manager = ObjectManager(client: client)
    let rails = RailsRouter(manager)
    rails.add(RailsPost.self, id: \.id, as: "post", nested: ["comments"])  // /posts, /posts/7
    manager.responses.add(error: RefusedPost.mapping, statuses: 422..<423)
    return manager
}
// snippet.end

// snippet.create
private func createPost(by manager: ObjectManager) async throws -> RailsPost {
    let draft = RailsPost(title: "Kettles", comments: [RailsComment(text: "Blue ones"), RailsComment(text: "Lids")])
    // POST /posts {"post":{"title":"Kettles","comments_attributes":[{"text":"Blue ones"},{"text":"Lids"}]}}
    let result = try await manager.post(draft, query: ["include": "comments"])
    return result.values(of: RailsPost.self).first ?? draft
}
// snippet.end

private func posts(by manager: ObjectManager) async throws -> String {
    let posts = try await manager.load("/posts", query: ["include": "comments"]).values(of: RailsPost.self)
    return posts.map { "\($0.title): \($0.comments?.count ?? 0) comments" }.joined(separator: "\n")
}

// snippet.change
private func change(_ post: RailsPost, by manager: ObjectManager) async throws -> String {
    var edited = post
    edited.title = "Blue kettles"
    edited.comments?[1].text = "Lids of glass"
    let result = try await manager.patch(edited, changedFrom: post, query: ["include": "comments"])
    let changed = result.values(of: RailsPost.self).first
    return "\(changed?.title ?? ""): \(changed?.comments?.map(\.text).joined(separator: ", ") ?? "")"
}
// snippet.end

// snippet.refuse
private func problems(of post: RailsPost, by manager: ObjectManager) async -> String {
    var edited = post
    edited.title = String(repeating: "Kettles ", count: 20)
    do {
        return "saved: \(try await manager.patch(edited, changedFrom: post).response.status)"
    } catch let error as MappedRequestError {
        let refused = error.models(of: RefusedPost.self).first
        return "title: \(refused?.errors["title"]?.joined(separator: ", ") ?? "\(error.kind)")"
    } catch { return "\(error)" }
}
// snippet.end

// snippet.delete
private func delete(_ post: RailsPost, by manager: ObjectManager) async throws -> String {
    let deleted = try await manager.delete(post)  // DELETE /posts/3
    do {
        _ = try await manager.load(manager.router.path(for: post))
        return "\(deleted.status), and still there"
    } catch let error as MappedRequestError { return "\(deleted.status), then \(error.response?.status ?? 0)" }
}
// snippet.end

/// The responses of Rails to the requests of this example.
@Sendable private func answer(_ request: Request) throws -> Answer? {
    let sent = String(decoding: try request.body(), as: UTF8.self)
    func post(_ title: String, _ second: String) -> Answer {
        let comments = #"[{"id": 3, "text": "Blue ones"}, {"id": 4, "text": "\#(second)"}]"#
        return Answer(body: #"{"id": 3, "title": "\#(title)", "comments": \#(comments)}"#.utf8)
    }
    switch "\(request.method) \(request.target)" {
    case "GET /posts?include=comments":
        let first = #"{"id": 1, "title": "De finibus", "comments": [{"id": 1, "text": ""}, {"id": 2, "text": ""}]}"#
        let last = #"{"id": 3, "title": "Kettles", "comments": [{"id": 3, "text": ""}, {"id": 4, "text": ""}]}"#
        return Answer(body: "[\(first), {\"id\": 2, \"title\": \"Second\", \"comments\": []}, \(last)]".utf8)
    case "POST /posts?include=comments" where sent.contains(#""comments_attributes":[{"text":"#):
        return post("Kettles", "Lids")
    case "PATCH /posts/3?include=comments" where sent.contains(#"{"id":4,"text":"Lids of glass"}"#):
        return post("Blue kettles", "Lids of glass")
    case "PATCH /posts/3":
        return Answer(422, body: #"{"errors": {"title": ["is too long (maximum is 80 characters)"]}}"#.utf8)
    case "DELETE /posts/3": return Answer(204)
    default: return Answer(404, body: "{}".utf8)
    }
}
