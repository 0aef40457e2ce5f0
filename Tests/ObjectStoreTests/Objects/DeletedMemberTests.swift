import ObjectMapping
import Observation
import Synchronization
import Testing

@testable import ObjectStore

private final class Reader: ManagedObject {
    @Stored(.identity) var number = 0
    /// Relationships without an inverse.
    @ToMany(inverse: nil) var books: [Novel]
    @ToOne var favorite: Novel?
    @ToMany(inverse: \Novel.lenders, isOrdered: true) var lent: [Novel]
    @ToMany(inverse: \Novel.owner, isOrdered: true) var owned: [Novel]
}

private final class Novel: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany var lenders: [Reader]
    @ToOne var owner: Reader?
}

/// Objects in memory that refer to an object that is deleted.
@Suite struct `Relationships in memory to deleted objects` {
    private final class Calls: Sendable {
        let count = Atomic(0)
    }

    enum Kind: CaseIterable { case oneSided, manyToMany, oneToMany }

    private let store: ManagedObjectStore
    private let context: ObjectContext
    private let reader: Reader

    /// A reader with the novels 1 to 3 in every relationship.
    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Reader.self, Novel.self))
        let new = ObjectContext(store)
        let (reader, novels) = (Reader(in: new), (1...3).map { _ in Novel(in: new) })
        for (index, novel) in novels.enumerated() { novel.number = index + 1 }
        (reader.books, reader.lent, reader.owned, reader.favorite) = (novels, novels, novels, novels[0])
        try new.save()
        context = ObjectContext(store)
        self.reader = try #require(try context.find(Reader.self, 0) ?? context.fetch(Reader.all).first)
    }

    private func novel(_ number: Int) throws -> Novel { try #require(try context.find(Novel.self, number)) }

    private func new(_ number: Int) -> Novel {
        let novel = Novel(in: context)
        novel.number = number
        return novel
    }

    private static func list(_ kind: Kind) -> ReferenceWritableKeyPath<Reader, [Novel]> {
        switch kind {
        case .oneSided: \.books
        case .manyToMany: \.lent
        case .oneToMany: \.owned
        }
    }

    private func numbers(_ kind: Kind) -> [Int] { reader[keyPath: Self.list(kind)].map(\.number) }

    /// Saves, and expects the list in memory and in the file.
    private func expectSaved(_ kind: Kind, _ expected: [Int], _ location: SourceLocation = #_sourceLocation) throws {
        #expect(numbers(kind) == expected, sourceLocation: location)
        try context.save()
        #expect(numbers(kind) == expected, sourceLocation: location)
        context.refresh()
        #expect(numbers(kind) == expected, sourceLocation: location)
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty, sourceLocation: location)
    }

    @Test(arguments: Kind.allCases)
    func `a stored object leaves the lists in memory when it is deleted`(_ kind: Kind) throws {
        #expect(numbers(kind) == [1, 2, 3])
        context.delete(try novel(2))
        try expectSaved(kind, [1, 3])
    }

    @Test(arguments: Kind.allCases)
    func `a new object leaves the lists in memory when it is deleted`(_ kind: Kind) throws {
        let novel = new(4)
        reader[keyPath: Self.list(kind)].insert(novel, at: 1)
        #expect(numbers(kind) == [1, 4, 2, 3])
        context.delete(novel)
        try expectSaved(kind, [1, 2, 3])
    }

    @Test(arguments: Kind.allCases)
    func `a list can be assigned to another owner after one of its objects was deleted`(_ kind: Kind) throws {
        let other = Reader(in: context)
        other.number = 9
        reader[keyPath: Self.list(kind)].append(new(4))
        context.delete(try novel(1))
        context.delete(try #require(reader[keyPath: Self.list(kind)].last))
        other[keyPath: Self.list(kind)] = reader[keyPath: Self.list(kind)]
        try context.save()
        #expect(other[keyPath: Self.list(kind)].map(\.number) == [2, 3])
    }

    @Test(arguments: Kind.allCases)
    func `a list can be reordered after one of its objects was deleted`(_ kind: Kind) throws {
        #expect(numbers(kind) == [1, 2, 3])
        context.delete(try novel(1))
        reader[keyPath: Self.list(kind)].swapAt(0, 1)
        try expectSaved(kind, [3, 2])
    }

    @Test(arguments: Kind.allCases)
    func `an object that is inserted again before the save returns to the lists`(_ kind: Kind) throws {
        #expect(numbers(kind) == [1, 2, 3])
        let novel = try novel(2)
        context.delete(novel)
        #expect(numbers(kind) == [1, 3])
        context.insert(novel)
        #expect(Set(numbers(kind)) == [1, 2, 3])
        try context.save()
        context.refresh()
        #expect(Set(numbers(kind)) == [1, 2, 3])
        if kind == .oneSided { #expect(numbers(kind) == [1, 2, 3]) }
    }

    @Test(arguments: Kind.allCases) func `a rollback brings deleted objects back to the lists`(_ kind: Kind) throws {
        #expect(numbers(kind) == [1, 2, 3])
        context.delete(try novel(2))
        #expect(numbers(kind) == [1, 3])
        context.rollback()
        try expectSaved(kind, [1, 2, 3])
    }

    @Test func `a to-one relationship is nil when its object is deleted, stored or new`() throws {
        #expect(reader.favorite?.number == 1)
        context.delete(try novel(1))
        #expect(reader.favorite == nil)
        let novel = new(4)
        reader.favorite = novel
        context.delete(novel)
        #expect(reader.favorite == nil)
        try context.save()
        #expect(reader.favorite == nil)
        #expect(try context.value("SELECT favorite FROM Reader")?.isNull == true)
    }

    @Test(arguments: Kind.allCases)
    func `an object that is deleted while its list is changed leaves the list`(_ kind: Kind) throws {
        let context = context
        let isFirst: (Novel) -> Bool = { novel in
            if novel.number == 2 { context.delete(novel) }
            return novel.number == 1
        }
        // Not by a key path, which copies the list.
        switch kind {
        case .oneSided: reader.books.removeAll(where: isFirst)
        case .manyToMany: reader.lent.removeAll(where: isFirst)
        case .oneToMany: reader.owned.removeAll(where: isFirst)
        }
        try expectSaved(kind, [3])
    }

    @Test(arguments: [false, true])
    func `a relationship that is set to a deleted object is refused by the save, stored or new`(isNew: Bool) throws {
        let other = Reader(in: context)
        other.number = 9
        let novel = isNew ? new(4) : try novel(1)
        context.delete(novel)
        other.books = [novel]
        other.favorite = novel
        #expect(other.books.isEmpty && other.favorite == nil)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.property) == ["books", "favorite"])
        #expect(
            error?.problems.allSatisfy { $0.message == "the relationship was set to an object that is deleted" } == true
        )
        (other.books, other.favorite) = ([], nil)
        try context.save()
        #expect(novel.managed.state == .deleted && novel.managed.context == nil)
    }

    @Test func `objects without a context insert no deleted object`() throws {
        let novel = try novel(1)
        context.delete(novel)
        try context.save()
        let other = Reader()
        (other.number, other.books, other.favorite) = (9, [novel], novel)
        context.insert(other)
        #expect(novel.managed.state == .deleted)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.map(\.property) == ["books", "favorite"])
        // An explicit insertion creates a new row.
        context.insert(novel)
        (other.books, other.favorite) = ([novel], novel)
        try context.save()
        #expect(try context.count(Novel.all) == 3)
    }

    @Test func `the saved values of a list contain a deleted object until the save`() throws {
        #expect(numbers(.oneSided) == [1, 2, 3])
        context.delete(try novel(2))
        #expect(numbers(.oneSided) == [1, 3])
        var saved: [Int] = []
        context.core.withSavedValues(of: reader) { saved = reader.books.map(\.number) }
        #expect(saved == [1, 2, 3])
        #expect(numbers(.oneSided) == [1, 3])
    }

    @Test @MainActor func `observers of a list are notified when one of its objects is deleted`() throws {
        let context = store.mainContext
        let reader = try #require(try context.fetch(Reader.all).first)
        let novel = try #require(try context.find(Novel.self, 1))
        let calls = Calls()
        withObservationTracking {
            _ = reader.books
        } onChange: {
            calls.count.wrappingAdd(1, ordering: .relaxed)
        }
        context.delete(novel)
        #expect(calls.count.load(ordering: .relaxed) == 1 && reader.books.map(\.number) == [2, 3])
    }
}
