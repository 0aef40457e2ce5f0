import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Owner: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Part.owner, deleteRule: .cascade) var parts: [Part]
    @ToMany(inverse: \Part.queue, isOrdered: true) var queued: [Part]
    @ToMany(inverse: \Part.tags) var tagged: [Part]
}

private final class Part: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var text = ""
    @ToOne var owner: Owner?
    @ToOne var queue: Owner?
    @ToMany var tags: [Owner]

    static let mapping = Mapping(Part.self) { Attribute("number", \.number) }
}

/// Changes of many objects, compared with inserting and saving as many in the same run.
///
/// An operation that takes a pass over all objects for each of them takes hundreds of times as long.
@Suite(.serialized) struct LinearTimeTests {
    private static let count = 20_000
    private static let limit = 30.0

    private let context: ObjectContext
    private let owner: Owner
    private let other: Owner
    private let parts: [Part]
    /// The time of inserting and saving the parts.
    private let insertion: Duration

    init() throws {
        context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Owner.self, Part.self)))
        (owner, other) = (Owner(in: context), Owner(in: context))
        (owner.number, other.number) = (1, 2)
        let clock = ContinuousClock()
        let start = clock.now
        parts = (0..<Self.count).map { [context] number in
            let part = Part(in: context)
            part.number = number
            return part
        }
        try context.save()
        insertion = clock.now - start
    }

    /// Expects that a function takes a small multiple of the time of inserting the parts.
    private func expectLinear(_ body: () throws -> Void) rethrows {
        let time = try ContinuousClock().measure(body)
        #expect(time / insertion < Self.limit, "\(time / insertion)")
    }

    @Test func `objects of a list in memory are deleted one by one`() throws {
        owner.parts = parts
        try context.save()
        try expectLinear {
            for part in owner.parts { context.delete(part) }
            #expect(owner.parts.isEmpty)
            try context.save()
        }
        #expect(try context.count(Part.all) == 0)
    }

    @Test func `new objects are deleted one by one`() {
        let new = (0..<Self.count).map { _ in Part(in: context) }
        owner.parts = new
        expectLinear { for part in new { context.delete(part) } }
        #expect(owner.parts.isEmpty && context.insertedObjects.isEmpty)
    }

    @Test func `an object is deleted with the objects of its list`() throws {
        owner.parts = parts
        try context.save()
        try expectLinear {
            context.delete(owner)
            try context.save()
        }
        #expect(try context.count(Part.all) == 0)
    }

    @Test func `objects move between lists in memory, by both sides`() throws {
        owner.parts = parts
        try context.save()
        #expect(other.parts.isEmpty)
        try expectLinear {
            for part in parts.dropFirst(10) { part.owner = other }
            #expect(owner.parts.count == 10 && other.parts.count == Self.count - 10)
            owner.parts.append(contentsOf: other.parts)
            #expect(owner.parts.count == Self.count && other.parts.isEmpty)
            other.parts = owner.parts
            #expect(owner.parts.isEmpty && other.parts == parts)
            try context.save()
        }
    }

    @Test func `new objects are added to a list in memory by their own side`() throws {
        owner.parts = parts
        try context.save()
        #expect(owner.parts.count == Self.count)
        expectLinear {
            for _ in parts { Part(in: context).owner = owner }
            #expect(owner.parts.count == 2 * Self.count)
        }
    }

    @Test func `objects move between ordered lists, by both sides`() throws {
        owner.queued = parts
        try context.save()
        #expect(other.queued.isEmpty)
        try expectLinear {
            for part in parts.dropFirst(10) { part.queue = other }
            #expect(owner.queued.count == 10 && other.queued.count == Self.count - 10)
            owner.queued.append(contentsOf: other.queued)
            other.queued = owner.queued
            #expect(owner.queued.isEmpty && other.queued == parts)
            try context.save()
        }
    }

    @Test func `objects are added to an ordered list that is not in memory`() throws {
        let context = ObjectContext(context.store)
        let parts = try context.fetch(Part.all)
        let owner = try #require(try context.find(Owner.self, 1))
        try expectLinear {
            for part in parts { part.queue = owner }
            try context.save()
        }
        #expect(owner.queued.map(\.number) == Array(0..<Self.count))
    }

    @Test func `objects are linked and unlinked many to many, by both sides`() throws {
        #expect(owner.tagged.isEmpty)
        try expectLinear {
            for part in parts { part.tags.append(owner) }
            #expect(owner.tagged.count == Self.count)
            try context.save()
            for part in parts { part.tags = [other] }
            #expect(owner.tagged.isEmpty && other.tagged.count == Self.count)
            owner.tagged = other.tagged
            #expect(parts[7].tags == [owner, other] || parts[7].tags == [other, owner])
            try context.save()
        }
    }

    @Test func `new objects are found or created in one context`() throws {
        try expectLinear {
            for number in 0..<Self.count { _ = try context.findOrCreate(Part.self, number + Self.count) }
            for number in 0..<Self.count { _ = try context.findOrCreate(Part.self, number + Self.count) }
        }
        #expect(context.insertedObjects.count == Self.count)
    }

    @Test func `objects are searched before they are inserted`() throws {
        try expectLinear {
            for number in Self.count..<Self.count * 2 where try context.find(Part.self, number) == nil {
                let part = Part(in: context)
                part.number = number
            }
        }
        for number in Self.count..<Self.count * 2 {
            #expect(try context.find(Part.self, number)?.managed.state == .inserted)
        }
    }

    @Test func `payloads are mapped one by one into a context with changes`() throws {
        try expectLinear {
            for number in 0..<Self.count / 4 {
                _ = try context.map(#"{"number": \#(number + Self.count)}"#, with: Part.mapping)
            }
        }
        #expect(context.insertedObjects.count == Self.count / 4)
    }

    @Test func `changed objects are refreshed one by one`() throws {
        for part in parts { part.text = "changed" }
        expectLinear { for part in parts { context.refresh(part) } }
        #expect(!context.hasChanges && parts[9].text == "")
    }
}

/// Objects that are found by identities that were assigned.
@Suite struct AssignedIdentityTests {
    private let context: ObjectContext

    init() throws {
        context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Owner.self, Part.self)))
        for number in 1...3 { Part(in: context).number = number }
        try context.save()
    }

    private func find(_ number: Int) throws -> Part? { try context.find(Part.self, number) }

    @Test func `a new object is found by each identity that is assigned to it`() throws {
        #expect(try find(10) == nil)
        let part = try context.findOrCreate(Part.self, 10)
        for number in 11...13 {
            part.number = number
            #expect(try find(number) === part)
            #expect(try find(number - 1) == nil)
        }
        try context.save()
        #expect(try find(13) === part && find(12) == nil)
        #expect(try context.fetch(Part.where { $0.number == 13 }) == [part])
    }

    @Test func `a saved object is found by each identity that is assigned to it`() throws {
        let part = try #require(try find(1))
        for number in 21...23 {
            part.number = number
            #expect(try find(number) === part)
            part.text = "changed"
        }
        #expect(try find(1) == nil)
        #expect(part.managed.changes.map(\.property) == ["number", "text"])
        context.rollback()
        #expect(try find(1) === part && find(23) == nil)
    }

    @Test func `identities that two objects exchange lead to the other object`() throws {
        let (one, two) = (try #require(try find(1)), try #require(try find(2)))
        (one.number, two.number) = (2, 1)
        #expect(try find(1) === two && find(2) === one)
        (one.number, two.number) = (1, 2)
        #expect(try find(1) === one && find(2) === two)
    }

    @Test func `identities that a failed decode has assigned do not remain`() throws {
        let part = try context.findOrCreate(Part.self, 30)
        part.number = 31
        #expect(try find(31) === part)
        #expect(throws: MappingError.self) {
            try context.map(#"[{"number": 31}, {"number": 32}, {"number": "x"}]"#, with: Part.mapping)
        }
        #expect(try find(31) === part && find(32) == nil)
    }
}
