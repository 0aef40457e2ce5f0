import Foundation
import MappingTestSupport
import ObjectLoading
import TestSupport
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
    /// Not in any body.
    @Stored var color: String? = nil
    @ToOne var issue: Issue?

    static let mapping = Mapping(Remark.self) {
        Attribute("id", \.remarkID).readOnly
        Attribute("text", \.text)
        Attribute("color", \.color).readOnly
    }
}

@Suite("Children that are sent with a stored owner")
struct NestedEditsTests {
    private let directory: TemporaryDirectory
    private let stub = StubTransport()

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> (ManagedObjectStore, ObjectManager, ObjectContext) {
        let store = try ManagedObjectStore(
            at: directory.file("store.sqlite"), model: ObjectModel(Issue.self, Remark.self))
        let url = try #require(URL(string: "http://example.com"))
        let manager = ObjectManager(client: RESTClient(baseURL: url, transport: stub), store: store)
        RailsRouter(manager).add(Issue.self, id: \.issueID, nested: ["remarks"])
        return (store, manager, ObjectContext(store))
    }

    /// Posts an issue with the remark 11.
    nonisolated(nonsending) private func post(_ manager: ObjectManager, _ context: ObjectContext) async throws -> (
        Issue, Remark
    ) {
        stub.on(
            .post, "/issues",
            StubResponse(status: 201, json: #"{"id": 1, "title": "Boat", "remarks": [{"id": 11, "text": "Leaky"}]}"#))
        let (issue, remark) = (context.insert(Issue.self), context.insert(Remark.self))
        (issue.title, remark.text, remark.issue) = ("Boat", "Leaky", issue)
        try await manager.post(issue)
        #expect(remark.remarkID == 11 && !context.hasChanges)
        return (issue, remark)
    }

    private func unsent(_ context: ObjectContext) throws -> [String] {
        try context.unsentObjects().map { object in
            let name = (object as? Issue)?.title ?? (object as? Remark)?.text ?? ""
            return "\(name): \(try context.unsentProperties(of: object).joined(separator: " "))"
        }
    }

    @Test(arguments: [false, true])
    func `A saved child that a patch of its owner does not have remains unsent`(_ isByUnsent: Bool) async throws {
        let (store, manager, context) = try open()
        defer { store.close() }
        let (issue, _) = try await post(manager, context)
        let remark = context.insert(Remark.self)
        (remark.text, remark.issue) = ("Old", issue)
        try await context.save()
        stub.on(.patch, "/issues/1", StubResponse(status: 204))
        issue.title = "Ship"
        if isByUnsent {
            try await context.save()
            try await manager.sendUnsent(in: context)
        } else {
            try await manager.patch(issue)
        }
        #expect(stub.requests.last?.text == #"{"issue":{"title":"Ship"}}"#)
        #expect(try context.unsentObjects() == [remark])
    }

    @Test(
        arguments: [
            #"{"id": 1}"#,
            #"{"id": 1, "remarks": [{"id": 11, "text": "Leaky"}, {"id": 12, "text": "x"}, {"id": 13, "text": "y"}]}"#,
        ], [false, true])
    func `Children without an identity in the response are not sent again after a save and a restart`(
        _ reply: String, _ isSaved: Bool
    ) async throws {
        var (store, manager, context) = try open()
        defer { store.close() }
        let (issue, _) = try await post(manager, context)
        let remark = context.insert(Remark.self)
        (remark.text, remark.issue) = ("Old", issue)
        if isSaved { try await context.save() }
        stub.on(.put, "/issues/1", StubResponse(json: reply))
        stub.on(.patch, "/issues/1", StubResponse(status: 204))
        try await manager.put(issue)
        #expect(stub.requests.last?.text.contains("Old") == true)
        try await manager.put(issue)
        #expect(stub.requests.last?.text.contains("Old") == false)
        try await context.save()
        #expect(try unsent(context).isEmpty)
        try await manager.put(issue)
        #expect(stub.requests.last?.text.contains("Old") == false)
        store.close()
        (store, manager, context) = try open()
        let reopened = try #require(try await context.fetch(Issue.all).first)
        try await manager.put(reopened)
        #expect(stub.requests.last?.text.contains("Old") == false && stub.requests.last?.text.contains("Leaky") == true)
        #expect(try await context.fetch(Remark.all).contains { $0.text == "Old" })
        #expect(try await manager.patch(reopened).outcome == .unchanged)
        reopened.title = "Ship"
        try await manager.patch(reopened)
        #expect(stub.requests.last?.text == #"{"issue":{"title":"Ship"}}"#)
        #expect(try await manager.sendUnsent(in: context).isEmpty)
    }

    @Test(arguments: [false, true])
    func `Edits of a child are saved and accepted with the owner that sends them`(_ isSaved: Bool) async throws {
        let (store, manager, context) = try open()
        defer { store.close() }
        let (issue, remark) = try await post(manager, context)
        (remark.text, remark.color) = ("Dry", "blue")
        if isSaved { try await context.save() }
        stub.on(
            .put, "/issues/1",
            StubResponse(json: #"{"id": 1, "title": "Boat", "remarks": [{"id": 11, "text": "Dry"}]}"#))
        try await manager.put(issue)
        #expect(stub.requests.last?.text.contains("Dry") == true)
        // The body does not have the color.
        #expect(context.hasChanges == !isSaved)
        try await context.save()
        #expect(try unsent(context) == ["Dry: color"])
        #expect(
            try await store.perform { try $0.fetch(Remark.all).map { "\($0.text) \($0.color ?? "-")" } } == ["Dry blue"]
        )
        // A later value of the server is not overwritten.
        stub.on(
            .get, "/issues/1",
            StubResponse(json: #"{"id": 1, "title": "Boat", "remarks": [{"id": 11, "text": "Wet", "color": "red"}]}"#))
        try await manager.get(issue)
        #expect(remark.text == "Wet" && remark.color == "blue")
        remark.text = "Dry again"
        try await context.save()
        #expect(try unsent(context) == ["Dry again: color text"])
    }

    @MainActor @Test(arguments: [true, false])
    func `An edit of a child during the request of its owner remains`(_ isReverted: Bool) async throws {
        let (store, manager, _) = try open()
        defer { store.close() }
        let context = store.mainContext
        let (issue, remark) = try await post(manager, context)
        remark.text = "Dry"
        let gate = StubGate()
        stub.on(.put, "/issues/1", StubResponse(status: 204).held(by: gate))
        let put = Task { try await manager.put(issue) }
        await gate.arrivals(1)
        remark.text = isReverted ? "Leaky" : "Dry again"
        if isReverted { try await context.save() }
        gate.open()
        _ = try await put.value
        #expect(remark.text == (isReverted ? "Leaky" : "Dry again"))
        try await context.save()
        #expect(try unsent(context) == ["\(remark.text): text"])
    }

    @Test(arguments: [false, true])
    func `An edit of a child that its owner sends replaces a value that was loaded before`(
        _ hasBody: Bool
    ) async throws {
        let (store, manager, context) = try open()
        defer { store.close() }
        let (issue, remark) = try await post(manager, context)
        func body(_ text: String) -> String {
            #"{"id": 1, "title": "Boat", "remarks": [{"id": 11, "text": "\#(text)"}]}"#
        }
        stub.on(.get, "/issues/1", StubResponse(json: body("Loaded")))
        stub.on(.put, "/issues/1", hasBody ? StubResponse(json: body("Dry")) : StubResponse(status: 204))
        remark.text = "Dry"
        try await manager.get(Issue.self, 1)
        try await manager.put(issue)
        #expect(stub.requests.last?.text.contains("Dry") == true)
        #expect(remark.text == "Dry" && !context.hasChanges)
        #expect(try unsent(context).isEmpty)
        #expect(try await store.perform { try $0.fetch(Remark.all).map(\.text) } == ["Dry"])
    }

    @MainActor @Test(arguments: [false, true])
    func `An edit of a child that another context saves during the request of its owner remains unsent`(
        _ isSaved: Bool
    ) async throws {
        let (store, manager, _) = try open()
        defer { store.close() }
        let context = store.mainContext
        let (issue, remark) = try await post(manager, context)
        remark.text = "Dry"
        if isSaved { try await context.save() }
        let gate = StubGate()
        stub.on(.put, "/issues/1", StubResponse(status: 204).held(by: gate))
        let put = Task { try await manager.put(issue) }
        await gate.arrivals(1)
        try await store.perform { context in
            for remark in try context.fetch(Remark.all) { remark.text = "Wet" }
            try context.save()
        }
        gate.open()
        _ = try await put.value
        #expect(remark.text == "Wet" && !context.hasChanges)
        #expect(try unsent(context) == ["Wet: text"])
    }

    @Test func `Many edits of children are told apart`() async throws {
        let (store, manager, context) = try open()
        defer { store.close() }
        let all = 1...40
        func body(_ text: (Int) -> String) -> String {
            let remarks = all.map { #"{"id": \#($0), "text": "\#(text($0))"}"# }
            return #"{"id": 1, "title": "Boat", "remarks": [\#(remarks.joined(separator: ","))]}"#
        }
        stub.on(.get, "/issues/1", StubResponse(json: body { "r\($0)" }))
        stub.on(.put, "/issues/1", StubResponse(status: 204))
        try await manager.get(Issue.self, 1)
        let issue = try #require(try await context.fetch(Issue.all).first)
        let remarks = try await context.fetch(Remark.all.sorted(by: \.remarkID))
        for remark in remarks where remark.remarkID % 3 != 0 { remark.text = "edited" }
        for remark in remarks where remark.remarkID % 2 == 0 { remark.color = "blue" }
        // No longer in the body.
        issue.remarks.removeAll { $0.remarkID > 30 }
        try await manager.put(issue)
        #expect(remarks.filter { $0.managed.state == .updated }.map(\.remarkID).contains(1) == false)
        try await context.save()
        let unsent = try context.unsentObjects(Remark.self).reduce(into: [:]) {
            $0[$1.remarkID] = try context.unsentProperties(of: $1)
        }
        for number in all {
            let color = number % 2 == 0 ? ["color"] : []
            let others = number > 30 ? ["issue"] + (number % 3 != 0 ? ["text"] : []) : []
            #expect(unsent[number] ?? [] == color + others)
        }
    }

    @Test func `Edits of a child that a patch of its owner does not have remain unsent`() async throws {
        let (store, manager, context) = try open()
        defer { store.close() }
        let (issue, remark) = try await post(manager, context)
        remark.text = "Dry"
        try await context.save()
        stub.on(.patch, "/issues/1", StubResponse(status: 204))
        issue.title = "Ship"
        try await manager.patch(issue)
        #expect(stub.requests.last?.text == #"{"issue":{"title":"Ship"}}"#)
        #expect(try unsent(context) == ["Dry: text"])
        context.insert(Remark.self).issue = issue
        try await manager.patch(issue)
        #expect(stub.requests.last?.text.contains("Dry") == true)
        #expect(try unsent(context).isEmpty)
    }
}
