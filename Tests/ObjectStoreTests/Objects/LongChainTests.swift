import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

private final class Link: ManagedObject {
    static let released = Atomic(0)

    @Stored(.identity) var number = 0
    @ToOne(inverse: \Link.previous, deleteRule: .cascade) var next: Link?
    @ToOne var previous: Link?
    @ToMany(inverse: \Link.parent, deleteRule: .cascade) var children: [Link]
    @ToOne var parent: Link?
    @ToMany(inverse: \Link.groups, deleteRule: .cascade) var members: [Link]
    @ToMany var groups: [Link]

    deinit { Self.released.add(1, ordering: .relaxed) }
}

/// Chains of 100,000 objects, on a thread with a small stack: nothing is recursive in the number of objects.
@Suite(.serialized) struct LongChainTests {
    /// The relationship that connects the objects.
    enum Relationship: CaseIterable { case toOne, oneToMany, manyToMany }

    private static let count = 100_000

    private static func model() throws -> ObjectModel { try ObjectModel(Link.self) }

    /// Returns objects without a context, of which each refers to the next.
    private static func chain(_ relationship: Relationship) -> [Link] {
        let links = (0..<count).map { number in
            let link = Link()
            link.number = number
            return link
        }
        // From the end, so that the objects are connected before any has a context.
        for index in (0..<count - 1).reversed() { connect(links[index], links[index + 1], relationship) }
        return links
    }

    private static func connect(_ link: Link, _ next: Link, _ relationship: Relationship) {
        switch relationship {
        case .toOne: link.next = next
        case .oneToMany: link.children = [next]
        case .manyToMany: link.members = [next]
        }
    }

    private static func next(_ link: Link, _ relationship: Relationship) -> Link? {
        switch relationship {
        case .toOne: link.next
        case .oneToMany: link.children.first
        case .manyToMany: link.members.first
        }
    }

    /// The number of objects in a chain.
    private static func length(from link: Link, _ relationship: Relationship) -> Int {
        var (link, count) = (link, 1)
        while let next = next(link, relationship) { (link, count) = (next, count + 1) }
        return count
    }

    /// The number of objects that a closure releases.
    private static func released(_ body: () throws -> Void) rethrows -> Int {
        let before = Link.released.load(ordering: .relaxed)
        try body()
        return Link.released.load(ordering: .relaxed) - before
    }

    @Test(arguments: Relationship.allCases)
    func `a chain without a context is released`(_ relationship: Relationship) throws {
        let count = try onSmallStack {
            Self.released {
                var links = Self.chain(relationship)
                let first = links[0]
                links = []
                #expect(first.managed.state == .detached)
            }
        }
        #expect(count >= Self.count)
    }

    @Test(arguments: Relationship.allCases)
    func `a chain is inserted, saved, read and deleted`(_ relationship: Relationship) throws {
        let counts = try onSmallStack {
            let store = try ManagedObjectStore(inMemory: Self.model())
            let context = ObjectContext(store)
            var links = Self.chain(relationship)
            context.insert(links[0])
            let inserted = Self.length(from: links[0], relationship)
            try context.save()
            links = []
            // The first object is read, and the others by their relationships.
            let other = ObjectContext(store)
            let first = try other.find(Link.self, 0)
            let read = first.map { Self.length(from: $0, relationship) } ?? 0
            if let first { other.delete(first) }
            let deleted = other.deletedObjects.count
            try other.save()
            return [inserted, read, deleted, try other.count(Link.all)]
        }
        #expect(counts == [Self.count, Self.count, Self.count, 0])
    }

    @Test(arguments: Relationship.allCases)
    func `a chain is rolled back, released by its context, and deleted by a query`(_ relationship: Relationship) throws
    {
        let results = try onSmallStack {
            let store = try ManagedObjectStore(inMemory: Self.model())
            var results: [Bool] = []
            let context = ObjectContext(store)
            var links = Self.chain(relationship)
            context.insert(links[0])
            context.rollback()
            results.append(context.registeredObjects.isEmpty)
            links = Self.chain(relationship)
            context.insert(links[0])
            try context.save()
            _ = Self.length(from: links[0], relationship)
            var first: Link? = links[0]
            links = []
            // The lists are in memory and retain their objects; those of both sides retain each other.
            let released = Self.released { first = nil }
            results.append(released == [.toOne: 1, .oneToMany: Self.count, .manyToMany: 0][relationship])
            context.reset()
            first = try context.find(Link.self, 0)
            _ = first.map { Self.length(from: $0, relationship) }
            if let first { context.delete(first) }
            context.rollback()
            context.reset()
            first = nil
            results.append(context.registeredObjects.isEmpty)
            results.append(try context.delete(Link.where { $0.number == 0 }) == 1)
            results.append(try context.count(Link.all) == 0)
            return results
        }
        #expect(results == [true, true, true, true, true])
    }

    @Test func `a list of 100,000 objects is inserted, moved, deleted and rolled back`() throws {
        let counts = try onSmallStack {
            let store = try ManagedObjectStore(inMemory: Self.model())
            let context = ObjectContext(store)
            let (owner, other) = (Link(), Link())
            owner.children = (1...Self.count).map { number in
                let link = Link()
                link.number = number
                return link
            }
            (owner.number, other.number) = (-1, -2)
            context.insert(owner)
            context.insert(other)
            try context.save()
            other.children = owner.children
            var counts = [owner.children.count, other.children.count]
            context.rollback()
            counts += [owner.children.count, other.children.count]
            context.delete(owner)
            counts.append(context.deletedObjects.count)
            try context.save()
            counts.append(try context.count(Link.all))
            return counts
        }
        #expect(counts == [0, Self.count, Self.count, 0, Self.count + 1, 1])
    }
}
