import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Owners and values that others change while a context changes them.
@Suite struct ChangedOwnerTests {
    let store: ManagedObjectStore
    let (context, other): (ObjectContext, ObjectContext)
    let boxes: [Box]
    let items: [Item]

    init() throws {
        store = try Boxes.store()
        (context, other) = (ObjectContext(store), ObjectContext(store))
        boxes = (1...3).map { [context] in Box($0, in: context) }
        items = (1...3).map { [context] in Item($0, in: context) }
        items[0].box = boxes[0]
        items[0].n = 10
        try context.save()
    }

    private func others(_ id: Int = 1, _ change: (Item) throws -> Void) throws {
        try change(try #require(try other.find(Item.self, id)))
        try other.save()
    }

    /// Saves the context, and returns the kind of the error.
    private func save() -> StoreError.Kind? {
        do throws(StoreError) { try context.save() } catch { return error.kind }
        return nil
    }

    private func number(_ sql: String) throws -> Int64? { try store.rows(sql: sql).first?.values.first?.integer }

    // MARK: Values

    @Test(arguments: Boxes.policies)
    func `an earlier value that is assigned after others changed it is decided by the policy`(
        _ policy: MergePolicy
    ) throws {
        context.mergePolicy = policy
        let item = items[0]
        item.n = 20
        try others { $0.n = 30 }
        _ = try context.count(Box.all)
        item.n = 10
        item.m = 1
        // A second merge does not forget it.
        try others(2) { $0.n = 1 }
        _ = try context.count(Box.all)
        #expect(save() == (policy == .throwConflict ? .conflict : nil))
        #expect(try number(#"SELECT "n" FROM "Item" WHERE "id" = 1"#) == (policy == .objectWins ? 10 : 30))
        if policy != .throwConflict { #expect(item.n == (policy == .objectWins ? 10 : 30) && item.m == 1) }
    }

    @Test func `an earlier value that others have restored is no conflict`() throws {
        items[0].n = 20
        try others { $0.n = 30 }
        _ = try context.count(Box.all)
        try others { $0.n = 10 }
        items[0].n = 10
        try context.save()
        #expect(items[0].n == 10 && !context.hasChanges)
    }

    // MARK: Lists with positions

    @Test(arguments: Boxes.policies, [nil, 3])
    func `an object that returns to its owner after others moved it has one owner in the file`(
        _ policy: MergePolicy, _ moved: Int?
    ) throws {
        context.mergePolicy = policy
        let item = items[0]
        item.box = boxes[1]
        try others { item in item.box = try moved.map { try #require(try other.find(Box.self, $0)) } }
        _ = try context.fetch(Box.all)
        boxes[0].items.insert(item, at: 0)
        #expect(save() == (policy == .throwConflict ? .conflict : nil))
        #expect(try Boxes.contradictions(in: store) == [])
        if policy == .throwConflict { context.rollback() }
        let owner = policy == .objectWins ? 1 : moved
        #expect(item.box?.id == owner && boxes.filter { $0.items == [item] }.map(\.id) == (owner.map { [$0] } ?? []))
    }

    @Test(arguments: Boxes.policies)
    func `an object that both sides add and another process moves on is in the list of its owner`(
        _ policy: MergePolicy
    ) throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("boxes.sqlite")
        let stores = try (0..<2).map { _ in try ManagedObjectStore(at: url, model: Boxes.model()) }
        let (context, other) = (ObjectContext(stores[0]), ObjectContext(stores[1]))
        context.mergePolicy = policy
        let (first, third) = (Box(1, in: context), Box(3, in: context))
        let (item, added) = (Item(1, in: context), Item(2, in: context))
        try context.save()
        #expect(first.items == [] && item.box == nil)
        let theirs = try #require(try other.find(Item.self, 1))
        first.items.append(added)
        theirs.box = try other.find(Box.self, 1)
        try other.save()
        _ = try context.fetch(Box.all)
        first.items.append(item)
        #expect(item.box === first)
        theirs.box = try other.find(Box.self, 3)
        try other.save()
        try context.save()
        #expect(try Boxes.contradictions(in: stores[0]) == [])
        #expect(item.box === third)
        #expect(first.items.map(\.id) == [2] && third.items == [item])
    }

    // MARK: One-to-one

    struct Key: Sendable, CustomTestStringConvertible {
        let policy: MergePolicy
        let isFirst, isCleared, hasBase, isMerged, hasProcess: Bool

        var testDescription: String { "\(policy) \(isFirst) \(isCleared) \(hasBase) \(isMerged) \(hasProcess)" }

        static let all = Boxes.policies.flatMap { policy in
            (0..<32).map { bits in
                Key(
                    policy: policy, isFirst: bits & 1 != 0, isCleared: bits & 2 != 0, hasBase: bits & 4 != 0,
                    isMerged: bits & 8 != 0, hasProcess: bits & 16 != 0)
            }
        }
    }

    @Test(arguments: Key.all)
    func `both sides of a one-to-one relationship agree in the file after each save`(_ test: Key) throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("keys.sqlite")
        let store = try ManagedObjectStore(at: url, model: Boxes.model())
        let second = test.hasProcess ? try ManagedObjectStore(at: url, model: Boxes.model()) : store
        let (context, other) = (ObjectContext(store), ObjectContext(second))
        context.mergePolicy = test.policy
        let (first, third) = (Box(1, in: context), Box(3, in: context))
        let (item, base) = (Item(7, in: context), Item(8, in: context))
        if test.hasBase { first.key = base }
        try context.save()
        #expect(third.key == nil && item.keyOf == nil && base.keyOf === (test.hasBase ? first : nil))
        if test.isFirst { third.key = item }
        try #require(try other.find(Box.self, 1)).key = try other.find(Item.self, 7)
        try other.save()
        if test.isMerged { _ = try context.fetch(Box.all) }
        if !test.isFirst { third.key = item }
        if test.isCleared { first.key = nil }
        do throws(StoreError) { try context.save() } catch {
            #expect(error.kind == .conflict)
            context.rollback()
        }
        #expect(try Boxes.contradictions(in: store) == [])
        for box in [first, third] { #expect(box.key == nil || box.key?.keyOf === box) }
    }

    // MARK: Between merge points

    @Test func `a list that is read between merge points agrees with the objects in memory`() throws {
        let (old, new, item) = (boxes[0], boxes[1], items[0])
        item.shelf = old
        try context.save()
        _ = try context.fetch(Box.all)
        _ = try context.fetch(Item.all)
        try others { item in
            item.box = try other.find(Box.self, 2)
            item.shelf = try other.find(Box.self, 2)
        }
        #expect(item.box === old && old.items == [item] && new.items == [])
        #expect(item.shelf === old && old.bag == [item] && new.bag == [])
        new.bag = []
        _ = try context.count(Box.all)
        #expect(item.box === new && old.items == [] && new.items == [item])
        #expect(item.shelf === new && old.bag == [] && new.bag == [item])
        new.bag = []
        try context.save()
        #expect(try number(#"SELECT count(*) FROM "Item" WHERE "shelf" IS NOT NULL"#) == 0)
    }

    @Test func `an object that is added to a sorted list does not bring those of others`() throws {
        let box = boxes[0]
        for item in items[..<2] { item.row = box }
        items[1].n = 5
        try context.save()
        #expect(box.sorted == [items[1], items[0]])
        try others(3) { $0.row = try other.find(Box.self, 1) }
        let new = Item(9, in: context)
        new.row = box
        new.n = 7
        #expect(box.sorted == [items[1], new, items[0]] && items[2].row == nil)
        try context.save()
        #expect(box.sorted.map(\.id) == [3, 2, 9, 1])
    }

    // MARK: Other writers

    @Test(arguments: [false, true])
    func `an assigned list loses what others moved, also if its objects are faults`(_ isSQL: Bool) throws {
        let (box, second) = (boxes[0], boxes[1])
        for item in items { item.box = box }
        try context.save()
        box.items.swapAt(0, 1)
        try others(3) { $0.box = try other.find(Box.self, 2) }
        if isSQL { try store.write(sql: #"UPDATE "Item" SET "n" = 5"#) }
        _ = try context.count(Box.all)
        #expect(box.items.map(\.id) == [2, 1] && second.items == [items[2]] && items[2].box === second)
        context.delete(items[2])
        #expect(box.items.map(\.id) == [2, 1] && second.items == [])
        try context.save()
        #expect(try Boxes.contradictions(in: store) == [])
    }

    @Test func `an assigned list loses what others moved while a call reads on another thread`() async throws {
        let (box, second) = (boxes[0], boxes[1])
        for item in items { item.box = box }
        try await context.save()
        box.items.swapAt(0, 1)
        try others(3) { $0.box = try other.find(Box.self, 2) }
        try store.write(sql: #"UPDATE "Item" SET "n" = 5"#)
        _ = try await context.count(Box.all)
        #expect(box.items.map(\.id) == [2, 1] && second.items == [items[2]])
    }

    // MARK: Deletions

    @Test(arguments: Boxes.policies, [false, true])
    func `an object that left its owner before its deletion is saved without a conflict`(
        _ policy: MergePolicy, _ isOther: Bool
    ) throws {
        context.mergePolicy = policy
        items[0].box = boxes[1]
        if isOther {
            context.delete(boxes[0])
            other.delete(try #require(try other.find(Box.self, 1)))
            try other.save()
        } else {
            try context.delete(Box.where { $0.id == 1 })
        }
        try context.save()
        #expect(items[0].box === boxes[1] && boxes[1].items == [items[0]])
        #expect(try Boxes.contradictions(in: store) == [])
    }

    // MARK: Triggers

    @Test func `an update that a trigger of another program ignores is an error`() throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("trigger.sqlite")
        let store = try ManagedObjectStore(at: url, model: Boxes.model())
        let context = ObjectContext(store)
        let item = Item(1, in: context)
        try context.save()
        let database = try SQLiteDatabase(path: url.path, mode: .readWrite, busyTimeout: 1000)
        try database.execute(
            #"CREATE TRIGGER "locked" BEFORE UPDATE ON "Item" BEGIN SELECT RAISE(IGNORE); END"#)
        database.close()
        item.n = 1
        do throws(StoreError) {
            try context.save()
            Issue.record("nothing was written")
        } catch {
            #expect(error.kind == .constraint && error.message.contains("a trigger of the table ignores the update"))
        }
        #expect(item.n == 1 && context.hasChanges)
    }
}
