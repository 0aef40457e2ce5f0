import Foundation
import LoopbackServer
import ObjectLoading
import Testing

@Suite("Sending models that are not managed")
struct SendingTests {
    /// A server that returns what it received as the name of an account.
    private func echo() throws -> (ObjectManager, LoopbackServer) {
        let server = try LoopbackServer { request in
            let type = request.headers["content-type"].map { " \($0)" } ?? ""
            let body = String(decoding: try request.body(), as: UTF8.self)
            let text = "\(request.method) \(request.target)\(type) \(body)".replacing("\"", with: "'")
            return .json(#"{"account": {"id": 1, "name": "\#(text)"}}"#)
        }
        let manager = ObjectManager(client: RESTClient(baseURL: server.url))
        manager.router.add(Account.self, "/accounts/\(\.id)")
        manager.router.add(Account.self, .post, "/accounts")
        manager.responses.add(Account.mapping, at: "account")
        return (manager, server)
    }

    @Test func `A model is sent by its route and its request descriptor`() async throws {
        let (manager, server) = try echo()
        manager.bodies.add(Account.mapping, root: "account")
        manager.bodies.add(Account.mapping, methods: [.put])
        let ada = Account(id: 7, name: "Ada")
        var changed = ada
        changed.name = "Bo"
        let results = [
            try await manager.post(ada), try await manager.put(ada, query: ["v": 2]), try await manager.patch(ada),
            try await manager.patch(changed, changedFrom: ada), try await manager.post(ada, to: "/other"),
            try await manager.post([ada], to: "/lists"),
        ]
        #expect(
            results.map { $0.values(of: Account.self).first?.name } == [
                "POST /accounts application/json {'account':{'id':7,'name':'Ada'}}",
                "PUT /accounts/7?v=2 application/json {'id':7,'name':'Ada'}",
                "PATCH /accounts/7 application/json {'account':{'id':7,'name':'Ada'}}",
                "PATCH /accounts/7 application/merge-patch+json {'account':{'name':'Bo'}}",
                "POST /other application/json {'account':{'id':7,'name':'Ada'}}",
                "POST /lists application/json {'account':[{'id':7,'name':'Ada'}]}",
            ])
        let deleted = try await manager.delete(ada)
        #expect(deleted.text?.contains("DELETE /accounts/7 '") == false)
        #expect(deleted.text?.contains("DELETE /accounts/7 ") == true)
        #expect(server.requests.count == 7)
    }

    @Test func `Without a request descriptor, or with two, nothing is sent`() async throws {
        let (manager, server) = try echo()
        let missing = await #expect(throws: LoadError.self) { try await manager.post(Account()) }
        #expect(missing?.kind == .noBody)
        #expect(missing?.description.hasPrefix("no request descriptor for Account with POST") == true)
        manager.bodies.add(Account.mapping)
        manager.bodies.add(Account.mapping, root: "account")
        let duplicate = await #expect(throws: LoadError.self) { try await manager.post(Account()) }
        #expect(duplicate?.description.hasPrefix("Account has two request descriptors for any method") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `A rejected model is an error with typed models`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"errors": [{"title": "Name is blank"}]}"#, 422) }
        let manager = ObjectManager(client: RESTClient(baseURL: server.url))
        manager.bodies.add(Account.mapping)
        manager.responses.add(error: Problem.mapping, at: "errors", statuses: 422..<423)
        let error = await #expect(throws: MappedRequestError.self) {
            try await manager.post(Account(), to: "/accounts")
        }
        #expect(error?.models(of: Problem.self).map(\.title) == ["Name is blank"])
        let other = await #expect(throws: MappedRequestError.self) { try await manager.delete(Account(), at: "/x") }
        #expect(other?.models(of: Problem.self).count == 1)
    }
}
