import Foundation
import MappingTestSupport
import ObjectLoading
import Testing

private final class Issue: ManagedObject, Mappable {
    @Stored(.identity) var issueID = 0
    @Stored var title = ""
    @ToMany(inverse: \Remark.issue) var remarks: [Remark]

    static let mapping = Mapping(Issue.self) {
        Attribute("id", \.issueID).readOnly
        Attribute("title", \.title)
        Relationship("remarks", \.remarks)
    }
}

private final class Remark: ManagedObject, Mappable {
    @Stored(.identity) var remarkID = 0
    @Stored var text = ""
    @Stored var color: String? = nil
    @ToOne var issue: Issue?

    static let mapping = Mapping(Remark.self) {
        Attribute("id", \.remarkID).readOnly
        Attribute("text", \.text)
        Attribute("color", \.color)
    }
}

@Suite("New children that are sent with their owner")
struct NestedChildrenTests {
    private let stub = StubTransport()
    private let store: ManagedObjectStore
    private let manager: ObjectManager
    private let context: ObjectContext
    private let issue: Issue

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Issue.self, Remark.self))
        let url = try #require(URL(string: "http://example.com"))
        manager = ObjectManager(client: RESTClient(baseURL: url, transport: stub), store: store)
        RailsRouter(manager).add(Issue.self, id: \.issueID, nested: ["remarks"])
        context = ObjectContext(store)
        issue = context.insert(Issue.self)
        issue.title = "Boat"
        for text in ["Leaky", "Old"] {
            let remark = context.insert(Remark.self)
            (remark.text, remark.color) = (text, "red")
            issue.remarks.append(remark)
        }
    }

    private func rows() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Remark.all).map {
                "\($0.remarkID) \($0.text) \($0.color ?? "-") of \($0.issue?.issueID ?? 0)"
            }
        }
    }

    @Test func `New children receive the identities in the response in their order`() async throws {
        stub.on(
            .post, "/issues",
            StubResponse(
                status: 201,
                json: #"{"id": 1, "remarks": [{"id": 11, "text": "Leaky"}, {"id": 12, "text": "Older"}]}"#))
        stub.on(.patch, "/issues/1", StubResponse(status: 204))
        let sent = issue.remarks
        try await manager.post(issue)
        #expect(issue.remarks.map(\.remarkID) == [11, 12] && issue.remarks == sent)
        #expect(sent.map(\.text) == ["Leaky", "Older"] && !context.hasChanges)
        #expect(try await rows() == ["11 Leaky red of 1", "12 Older red of 1"])
        issue.title = "Ship"
        try await manager.patch(issue)
        #expect(stub.requests.last?.text == #"{"issue":{"title":"Ship"}}"#)
        context.insert(Remark.self).issue = issue
        try await manager.patch(issue)
        let body = try #require(stub.requests.last?.text)
        #expect(body.contains(#""id":11"#) && body.contains(#""id":12"#))
    }

    @Test func `A new child that is sent with a stored owner receives its identity, too`() async throws {
        stub.on(.post, "/issues", StubResponse(status: 201, json: #"{"id": 1}"#))
        stub.on(.patch, "/issues/1", StubResponse(json: #"{"id": 1, "remarks": [{"id": 11}]}"#))
        for remark in issue.remarks { context.delete(remark) }
        try await manager.post(issue)
        let remark = context.insert(Remark.self)
        (remark.text, remark.issue) = ("Leaky", issue)
        try await manager.patch(issue)
        #expect(issue.remarks == [remark] && remark.remarkID == 11 && !context.hasChanges)
        #expect(try await rows() == ["11 Leaky - of 1"])
    }

    @Test(arguments: [#"{"id": 1}"#, #"{"id": 1, "remarks": [{"id": 11, "text": "Leaky"}]}"#])
    func `Children without an identity in the response stay new, and are not sent again`(_ reply: String) async throws {
        stub.on(.post, "/issues", StubResponse(status: 201, json: reply))
        stub.on(.patch, "/issues/1", StubResponse(status: 204))
        let sent = issue.remarks
        try await manager.post(issue)
        #expect(sent.allSatisfy { $0.managed.state == .inserted && $0.issue === issue })
        issue.title = "Ship"
        try await manager.patch(issue)
        #expect(stub.requests.last?.text == #"{"issue":{"title":"Ship"}}"#)
        for remark in sent { context.delete(remark) }
        #expect(issue.remarks.map(\.remarkID) == (reply.contains("11") ? [11] : []))
    }

    @Test func `Saved children are sent once, with their owner, and receive its identities`() async throws {
        stub.on(
            .post, "/issues",
            StubResponse(
                status: 201,
                json: #"{"id": 1, "remarks": [{"id": 11, "text": "Leaky"}, {"id": 12, "text": "Older"}]}"#))
        stub.on(.post, "/remarks", StubResponse(status: 201, json: #"{"id": 13}"#))
        RailsRouter(manager).add(Remark.self, id: \.remarkID)
        let sent = issue.remarks
        sent[1].color = "blue"
        try await context.save()
        sent[0].color = "green"
        let outcomes = try await manager.sendUnsent(in: context)
        #expect(outcomes.count == 3 && outcomes.allSatisfy { $0.error == nil })
        #expect(stub.requests.map(\.url.path) == ["/issues"])
        #expect(issue.remarks == sent && sent.map(\.remarkID) == [11, 12])
        #expect(try context.unsentObjects().isEmpty && !context.hasChanges)
        #expect(try await rows() == ["11 Leaky green of 1", "12 Older blue of 1"])
        #expect(try await manager.sendUnsent(in: context).isEmpty)
    }

    @Test(arguments: [#"{"id": 1}"#, #"{"id": 1, "remarks": [{"id": 11, "text": "Leaky"}]}"#])
    func `Saved children without an identity in the response count as sent`(_ reply: String) async throws {
        stub.on(.post, "/issues", StubResponse(status: 201, json: reply))
        let sent = issue.remarks
        try await context.save()
        try await manager.sendUnsent(in: context)
        #expect(stub.requests.count == 1)
        #expect(try context.unsentObjects().isEmpty)
        #expect(sent.allSatisfy { $0.issue === issue && $0.managed.state == .unchanged })
        #expect(try await rows().count == (reply.contains("11") ? 3 : 2))
    }

    @Test func `A saved child is sent with a stored owner, too`() async throws {
        stub.on(.post, "/issues", StubResponse(status: 201, json: #"{"id": 1}"#))
        stub.on(.put, "/issues/1", StubResponse(json: #"{"id": 1, "remarks": [{"id": 11}]}"#))
        for remark in issue.remarks { context.delete(remark) }
        try await manager.post(issue)
        let remark = context.insert(Remark.self)
        (remark.text, remark.issue) = ("Leaky", issue)
        try await context.save()
        try await manager.put(issue)
        #expect(issue.remarks == [remark] && remark.remarkID == 11)
        #expect(try context.unsentObjects().isEmpty)
        #expect(try await rows() == ["11 Leaky - of 1"])
    }
}
