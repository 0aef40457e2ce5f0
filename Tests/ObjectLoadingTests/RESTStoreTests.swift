import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import TestSupport
import Testing

final class RemotePerson: ManagedObject, Mappable {
    @Stored(.identity) var personID = 0
    @Stored var name = ""

    static let mapping = Mapping(RemotePerson.self) {
        Attribute("id", \.personID)
        Attribute("name", \.name)
    }
}

final class RemotePost: ManagedObject, Mappable {
    @Stored(.identity) var postID = 0
    @Stored var title = ""
    @ToMany(inverse: \RemoteComment.post, deleteRule: .cascade) var comments: [RemoteComment]

    static let mapping = Mapping(RemotePost.self) {
        Attribute("id", \.postID)
        Attribute("title", \.title)
    }
}

final class RemoteComment: ManagedObject, Mappable {
    @Stored(.identity) var commentID = 0
    @Stored var text = ""
    @Stored var postID: Int? = nil
    @ToOne var post: RemotePost?

    static let mapping = Mapping(RemoteComment.self) {
        Attribute("id", \.commentID)
        Attribute("text", \.text)
        Attribute("post_id", \.postID)
        Connection(\.post, by: \.postID)
    }
}

@Suite struct `A REST store` {
    private func store(_ url: URL, _ configure: (RESTStore) -> Void = { _ in }) async throws -> ManagedObjectStore {
        let remote = RESTStore(rails: RESTClient(baseURL: url))
        remote.add(RemotePerson.self, id: \.personID, as: "person")
        remote.add(RemotePost.self, id: \.postID, as: "post")
        remote.add(RemoteComment.self, id: \.commentID, as: "comment")
        remote.rails.add(RemotePost.self, id: \.postID, relationship: \.comments, as: "post")
        configure(remote)
        return try await ManagedObjectStore.open(
            at: URL(filePath: ":memory:"), model: ObjectModel(RemotePerson.self, RemotePost.self, RemoteComment.self),
            remote: remote)
    }

    @Test(.enabled(if: RailsServer.isInstalled)) @MainActor
    func `runs the listings of incremental stores against Rails`() async throws {
        let rails = try await RailsServer()
        defer { try? rails.stop() }
        let context = try await store(rails.url).mainContext

        let people = try await context.fetch(RemotePerson.all.sorted(by: \.personID), policy: .remote)
        #expect(people.map(\.name) == ["Matz", "Roy", "Zoë"])

        let person = RemotePerson(in: context)
        person.name = "Mattt"
        try await context.save()
        #expect(person.personID == 4)

        context.delete(person)
        try await context.save()
        #expect(try context.store.count(of: "RemotePerson") == 3)

        let post = RemotePost(in: context)
        post.title = "Kettles"
        let comment = RemoteComment(in: context)
        (comment.text, comment.post) = ("Nice", post)
        try await context.save()
        #expect(comment.postID == post.postID && post.postID == 3)

        let other = ObjectContext(try await store(rails.url))
        let found = try #require(
            try await other.fetch(RemotePost.where { $0.title == "Kettles" }, policy: .remote).first)
        try await found.managed.load(\.comments)
        #expect(found.comments.map(\.text) == ["Nice"])

        comment.text = "Very nice"
        try await context.save()
        try await found.comments[0].managed.refresh()
        #expect(found.comments[0].text == "Very nice")

        let invalid = RemotePerson(in: context)
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.errors) == [["name": ["can't be blank"]]])
        #expect(invalid.managed.state == .inserted)

        let journal = try JSON(try await RESTClient(baseURL: rails.url).get("/_test/journal").body)
        let requests = (journal.array ?? []).map { "\($0["method"].string ?? "") \($0["path"].string ?? "")" }
        #expect(
            requests.filter { !$0.contains("_test") } == [
                "GET /people", "POST /people", "DELETE /people/4", "POST /posts", "POST /comments", "GET /posts",
                "GET /posts/3/comments", "PATCH /comments/3", "GET /comments/3", "POST /people",
            ])
    }

    @Test @MainActor func `follows the pages of a list, and removes what a complete one does not have`() async throws {
        let last = Mutex(5)
        let server = try LoopbackServer { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
            let ids = ((page - 1) * 2 + 1...page * 2).filter { $0 <= last.withLock { $0 } }
            let people = ids.map { #"{"id":\#($0),"name":"P\#($0)"}"# }.joined(separator: ",")
            let next = Header("Link", "</people?page=\(page + 1)>; rel=\"next\"")
            let total = Header("X-Total-Count", "\(last.withLock { $0 })")
            return Answer(headers: page < 3 ? [next, total] : [total], body: "[\(people)]".utf8)
        }
        let context = try await store(server.url).mainContext
        #expect(try await context.fetch(RemotePerson.all, policy: .remote).count == 5)
        last.withLock { $0 = 3 }
        #expect(try await context.fetch(RemotePerson.all, policy: .remote.pruning(.scope)).count == 3)
    }

    @Test(arguments: [
        (409, ObjectOutcome.Kind.conflict), (412, .conflict), (404, .conflict), (403, .refused), (422, .refused),
        (500, .unknown), (503, .unknown),
    ]) @MainActor func `has the outcome of the status`(_ status: Int, _ kind: ObjectOutcome.Kind) async throws {
        let server = try LoopbackServer { _ in
            Answer(status, body: #"{"errors":{"name":["is taken"]}}"#.utf8)
        }
        let context = try await store(server.url).mainContext
        RemotePerson(in: context).name = "Roy"
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [kind])
        if kind != .unknown { #expect(error?.outcomes.first?.errors == ["name": ["is taken"]]) }
    }

    @Test @MainActor func `reports the reasons of a refusal by properties`() async throws {
        let server = try LoopbackServer { _ in
            Answer(422, body: #"{"errors":{"post_id":["must exist"],"other":["is odd"],"base":["is invalid"]}}"#.utf8)
        }
        let context = try await store(server.url).mainContext
        RemoteComment(in: context).text = "Nice"
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(
            error?.outcomes.map(\.errors) == [["postID": ["must exist"], "other": ["is odd"], "": ["is invalid"]]])
    }

    @Test(arguments: ["text/plain", "text/html", "application/json"]) @MainActor
    func `does not repeat a POST whose answer it cannot read`(_ type: String) async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            count.withLock { $0 += 1 }
            return Answer(201, headers: [Header("Content-Type", type)], body: "<p>Created".utf8)
        }
        let context = try await store(server.url).mainContext
        RemotePerson(in: context).name = "Roy"
        for kind in [ObjectOutcome.Kind.notStored, .unknown] {
            let error = await #expect(throws: StoreError.self) { try await context.save() }
            #expect(error?.outcomes.map(\.kind) == [kind])
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test @MainActor func `does not remove objects if pages do not have as many as they promise`() async throws {
        let total = Mutex(3)
        let server = try LoopbackServer { request in
            let isFirst = !request.target.contains("page")
            let next = Header("Link", "</people?page=2>; rel=\"next\"")
            let count = Header("X-Total-Count", "\(total.withLock { $0 })")
            let people =
                isFirst ? #"{"id":1,"name":"A"}"# : total.withLock { $0 } == 3 ? #"{"id":2},{"id":3}"# : #"{"id":2}"#
            return Answer(headers: isFirst ? [next, count] : [count], body: "[\(people)]".utf8)
        }
        let context = try await store(server.url).mainContext
        #expect(try await context.fetch(RemotePerson.all, policy: .remote).count == 3)
        total.withLock { $0 = 4 }
        #expect(try await context.fetch(RemotePerson.all, policy: .remote.pruning(.scope)).count == 3)
        total.withLock { $0 = 2 }
        #expect(try await context.fetch(RemotePerson.all, policy: .remote.pruning(.scope)).count == 2)
    }

    @Test(arguments: [("text/plain", true), ("text/html", true), ("application/json", false)]) @MainActor
    func `deletes an object only if the service itself says that it is gone`(_ type: String, _ isKept: Bool)
        async throws
    {
        let server = try LoopbackServer { request in
            request.target == "/people"
                ? Answer(body: #"[{"id":1,"name":"A"}]"#.utf8)
                : Answer(404, headers: [Header("Content-Type", type)], body: #"{"error":"Not Found"}"#.utf8)
        }
        let context = try await store(server.url).mainContext
        let person = try #require(try await context.fetch(RemotePerson.all, policy: .remote).first)
        try? await person.managed.refresh()
        #expect(try context.store.count(of: "RemotePerson") == (isKept ? 1 : 0))
    }

    @Test @MainActor func `reads the identity of a new object from its Location`() async throws {
        let server = try LoopbackServer { _ in Answer(201, headers: [Header("Location", "/people/42")]) }
        let context = try await store(server.url).mainContext
        let person = RemotePerson(in: context)
        person.name = "Roy"
        try await context.save()
        #expect(person.personID == 42 && person.name == "Roy" && !context.hasChanges)
    }

    @Test @MainActor func `does not remove objects after a list with null elements`() async throws {
        let body = Mutex(#"[{"id":1},{"id":2},{"id":3}]"#)
        let server = try LoopbackServer { _ in Answer(body: body.withLock { $0 }.utf8) }
        let context = try await store(server.url).mainContext
        #expect(try await context.fetch(RemotePerson.all, policy: .remote).count == 3)
        body.withLock { $0 = #"[{"id":1},null,null]"# }
        #expect(try await context.fetch(RemotePerson.all, policy: .remote.pruning(.scope)).count == 3)
        body.withLock { $0 = #"[{"id":1}]"# }
        #expect(try await context.fetch(RemotePerson.all, policy: .remote.pruning(.scope)).count == 1)
    }

    @Test @MainActor func `uses the file while the service is not reached`() async throws {
        let server = try LoopbackServer { _ in Answer(body: "[]".utf8) }
        let url = server.url
        server.stop()
        let context = try await store(url).mainContext
        #expect(try await context.fetch(RemotePerson.all, policy: .remoteElseLocal).isEmpty)
        RemotePerson(in: context).name = "Roy"
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.unavailable])
    }
}
