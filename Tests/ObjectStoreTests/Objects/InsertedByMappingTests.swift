import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// A class without an identity, with objects of every depth.
private final class Remark: ManagedObject, Mappable {
    @Stored var text = ""
    @ToOne var author: Critic?
    @ToMany(inverse: \Remark.parent) var replies: [Remark]
    @ToOne var parent: Remark?

    static let mapping = Mapping(Remark.self) {
        Attribute("text", \.text)
        Relationship("author", \.author)
        Relationship("replies", \.replies)
    }
}

private final class Critic: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    @Stored var votes = 0
    @ToMany(inverse: \Remark.author) var remarks: [Remark]

    // Declared like a plain class.
    static let mapping = Mapping(Critic.init) {
        Attribute("name", \.name)
        Attribute("votes", \.votes)
        Relationship("remarks", \.remarks)
    }
}

/// A class outside of the model.
private final class Stranger: ManagedObject, Mappable {
    @Stored var text = ""
    static let mapping = Mapping(Stranger.self) { Attribute("text", \.text) }
}

@Suite struct `Objects that a mapping creates in a context` {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Remark.self, Critic.self))
        context = ObjectContext(store)
    }

    private func counts() throws -> [Int] {
        try context.save()
        let other = ObjectContext(store)
        return [try other.count(Remark.all), try other.count(Critic.all)]
    }

    @Test func `objects of a class without an identity are new objects of the context`() throws {
        let remarks = try context.map(#"[{"text":"a"},{"text":"a"}]"#, with: Remark.mapping)
        #expect(remarks.map(\.managed.state) == [.inserted, .inserted] && remarks[0] !== remarks[1])
        #expect(try counts() == [2, 0])
        #expect(try context.fetch(Remark.all).map(\.text) == ["a", "a"])
    }

    @Test func `nested objects without an identity are inserted at any depth`() throws {
        let text = #"{"text":"1","replies":[{"text":"2","replies":[{"text":"3","author":{"name":"Ann"}}]},{}]}"#
        let remark = try context.map(text, with: Remark.mapping)[0]
        #expect(try counts() == [4, 1])
        let context = ObjectContext(store)
        let other = try context.fetch(Remark.where { $0.text == "3" })[0]
        #expect(other.author?.name == "Ann" && other.parent?.parent?.text == "1")
        #expect(remark.replies.count == 2)
    }

    @Test func `objects without an identity below identified ones and in plain models are inserted`() throws {
        struct Page {
            var total = 0
            var remarks: [Remark] = []
            var byKey: [String: Remark] = [:]
            var best: Remark?
        }
        let mapping = Mapping(Page.init) {
            Attribute("total", \.total)
            Relationship("remarks", \.remarks)
            Relationship("byKey", \.byKey)
            Relationship("best", \.best)
        }
        let text = #"{"total":1,"remarks":[{"text":"a"}],"byKey":{"x":{"text":"b"},"y":{}},"best":{"text":"c"}}"#
        let page = try context.map(text, with: mapping)[0]
        #expect(page.byKey["x"]?.managed.state == .inserted)
        _ = try context.map(#"{"name":"Ann","remarks":[{"text":"d"}]}"#, with: Critic.mapping)
        #expect(try counts() == [5, 1])
    }

    @Test func `objects selected by content are inserted`() throws {
        let chosen = Mapping<Remark>(matching: { Match { $0["text"].exists ? Remark.mapping : nil } })
        #expect(try context.map(#"[{"text":"a"},{"text":"b"}]"#, with: chosen).count == 2)
        let matched = Mapping<Remark>(matching: { Match("kind", is: "r", Remark.mapping) })
        #expect(try context.map(#"[{"kind":"r","text":"c"}]"#, with: matched).count == 1)
        #expect(try counts() == [3, 0])
    }

    @Test func `a payload with an issue inserts none of them`() throws {
        for text in [
            #"[{"text":"a","replies":[{"text":"b"}]},{"text":[]}]"#, #"[{"text":"a","author":{"name":"Ann"}},"#,
            #"[{"text":"a","author":{"name":"Ann"},"replies":[{"text":[]}]}]"#,
        ] {
            #expect(throws: MappingError.self) { try context.map(text, with: Remark.mapping) }
            #expect(!context.hasChanges && context.insertedObjects.isEmpty, "\(text)")
        }
        #expect(try counts() == [0, 0])
    }

    @Test func `a skipped element inserts none of its objects`() throws {
        var report = MappingReport(policy: .skipElement)
        let text = #"[{"text":"a","replies":[{"text":"b"},{"text":[]}]},{"text":"c","replies":[{}]}]"#
        #expect(try context.map(text, with: Remark.mapping, report: &report).count == 1)
        #expect(try counts() == [2, 0])
    }

    @Test func `an update and a patch insert nested objects, and undo them with an issue`() throws {
        let remark = Remark(in: context)
        remark.text = "old"
        try context.save()
        try Remark.mapping.update(remark, from: #"{"text":"new","replies":[{"text":"a"}]}"#)
        #expect(try counts() == [2, 0] && remark.replies[0].parent === remark)
        #expect(throws: MappingError.self) {
            try Remark.mapping.update(remark, from: #"{"text":"newer","replies":[{"text":"b"},{"text":[]}]}"#)
        }
        #expect(remark.text == "new" && !context.hasChanges && remark.replies.map(\.text) == ["a"])
    }

    @Test func `a mapping by the initializer of the class finds objects by their identity`() throws {
        let ann = try context.map(#"[{"name":"Ann","votes":1},{"name":"Ann","votes":2}]"#, with: Critic.mapping)
        #expect(ann[0] === ann[1] && ann[0].votes == 2)
        #expect(try counts() == [0, 1])
        let other = ObjectContext(store)
        let again = try other.map(#"{"name":"Ann"}"#, with: Critic.mapping)[0]
        #expect(again.votes == 2 && again.managed.state == .unchanged)
    }

    @Test func `an identity that the class declares may be repeated in the mapping`() throws {
        let mapping = Mapping(Critic.self) { Attribute("name", \.name) }.identified(by: \.name)
        let ann = try context.map(#"[{"name":"Ann"},{"name":"Ann"}]"#, with: mapping)
        #expect(ann[0] === ann[1])
        #expect(try counts() == [0, 1])
    }

    @Test func `an object of a class outside of the model is an issue`() throws {
        let error = #expect(throws: MappingError.self) {
            try context.map(#"[{"text":"a"}]"#, with: Stranger.mapping)
        }
        #expect(error?.description.contains("the class Stranger is not part of the store's model") == true)
        #expect(!context.hasChanges)
    }

    @Test func `objects of a mapping without a context belong to none`() throws {
        let remark = try Remark.mapping.map(#"{"text":"a","replies":[{"text":"b"}]}"#)
        #expect(remark.managed.state == .detached && remark.replies.map(\.text) == ["b"])
        context.insert(remark)
        #expect(try counts() == [2, 0])
    }

    @Test func `an object created without a context is inserted by hand, or with an object of the context`() throws {
        let (alone, reply) = (Remark(), Remark())
        (alone.text, reply.text) = ("a", "b")
        #expect(alone.managed.state == .detached && !context.hasChanges)
        context.insert(alone)
        alone.replies.append(reply)
        #expect(reply.managed.state == .inserted)
        #expect(try counts() == [2, 0])
    }
}
