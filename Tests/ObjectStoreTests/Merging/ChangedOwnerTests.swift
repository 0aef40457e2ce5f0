import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Owners and values that others change while a context changes them.
@Suite struct ChangedOwnerTests {
    let store: ManagedObjectStore
    let (context, other): (ObjectContext, ObjectContext)
    let cartons: [Carton]
    let sundries: [Sundry]

    init() throws {
        store = try Cartons.store()
        (context, other) = (ObjectContext(store), ObjectContext(store))
        cartons = (1...3).map { [context] in Carton($0, in: context) }
        sundries = (1...3).map { [context] in Sundry($0, in: context) }
        sundries[0].carton = cartons[0]
        sundries[0].n = 10
        try context.save()
    }

    private func others(_ id: Int = 1, _ change: (Sundry) throws -> Void) throws {
        try change(try #require(try other.find(Sundry.self, id)))
        try other.save()
    }

    /// Saves the context, and returns the kind of the error.
    private func save() -> StoreError.Kind? {
        do throws(StoreError) { try context.save() } catch { return error.kind }
        return nil
    }

    private func number(_ sql: String) throws -> Int64? { try store.rows(sql: sql).first?.values.first?.integer }

    // MARK: Values

    @Test(arguments: Cartons.policies)
    func `an earlier value that is assigned after others changed it is decided by the policy`(
        _ policy: MergePolicy
    ) throws {
        context.mergePolicy = policy
        let sundry = sundries[0]
        sundry.n = 20
        try others { $0.n = 30 }
        _ = try context.count(Carton.all)
        sundry.n = 10
        sundry.m = 1
        // A second merge does not forget it.
        try others(2) { $0.n = 1 }
        _ = try context.count(Carton.all)
        #expect(save() == (policy == .throwConflict ? .conflict : nil))
        #expect(try number(#"SELECT "n" FROM "Sundry" WHERE "id" = 1"#) == (policy == .objectWins ? 10 : 30))
        if policy != .throwConflict { #expect(sundry.n == (policy == .objectWins ? 10 : 30) && sundry.m == 1) }
    }

    @Test func `an earlier value that others have restored is no conflict`() throws {
        sundries[0].n = 20
        try others { $0.n = 30 }
        _ = try context.count(Carton.all)
        try others { $0.n = 10 }
        sundries[0].n = 10
        try context.save()
        #expect(sundries[0].n == 10 && !context.hasChanges)
    }

    // MARK: Lists with positions

    @Test(arguments: Cartons.policies, [nil, 3])
    func `an object that returns to its owner after others moved it has one owner in the file`(
        _ policy: MergePolicy, _ moved: Int?
    ) throws {
        context.mergePolicy = policy
        let sundry = sundries[0]
        sundry.carton = cartons[1]
        try others { sundry in sundry.carton = try moved.map { try #require(try other.find(Carton.self, $0)) } }
        _ = try context.fetch(Carton.all)
        cartons[0].sundries.insert(sundry, at: 0)
        #expect(save() == (policy == .throwConflict ? .conflict : nil))
        #expect(try Cartons.contradictions(in: store) == [])
        if policy == .throwConflict { context.rollback() }
        let owner = policy == .objectWins ? 1 : moved
        #expect(
            sundry.carton?.id == owner
                && cartons.filter { $0.sundries == [sundry] }.map(\.id) == (owner.map { [$0] } ?? []))
    }

    @Test(arguments: Cartons.policies)
    func `an object that both sides add and another process moves on is in the list of its owner`(
        _ policy: MergePolicy
    ) throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("cartons.sqlite")
        let stores = try (0..<2).map { _ in try ManagedObjectStore(at: url, model: Cartons.model()) }
        let (context, other) = (ObjectContext(stores[0]), ObjectContext(stores[1]))
        context.mergePolicy = policy
        let (first, third) = (Carton(1, in: context), Carton(3, in: context))
        let (sundry, added) = (Sundry(1, in: context), Sundry(2, in: context))
        try context.save()
        #expect(first.sundries == [] && sundry.carton == nil)
        let theirs = try #require(try other.find(Sundry.self, 1))
        first.sundries.append(added)
        theirs.carton = try other.find(Carton.self, 1)
        try other.save()
        _ = try context.fetch(Carton.all)
        first.sundries.append(sundry)
        #expect(sundry.carton === first)
        theirs.carton = try other.find(Carton.self, 3)
        try other.save()
        try context.save()
        #expect(try Cartons.contradictions(in: stores[0]) == [])
        #expect(sundry.carton === third)
        #expect(first.sundries.map(\.id) == [2] && third.sundries == [sundry])
    }

    // MARK: One-to-one

    struct Key: Sendable, CustomTestStringConvertible {
        let policy: MergePolicy
        let isFirst, isCleared, hasBase, isMerged, hasProcess: Bool

        var testDescription: String { "\(policy) \(isFirst) \(isCleared) \(hasBase) \(isMerged) \(hasProcess)" }

        static let all = Cartons.policies.flatMap { policy in
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
        let store = try ManagedObjectStore(at: url, model: Cartons.model())
        let second = test.hasProcess ? try ManagedObjectStore(at: url, model: Cartons.model()) : store
        let (context, other) = (ObjectContext(store), ObjectContext(second))
        context.mergePolicy = test.policy
        let (first, third) = (Carton(1, in: context), Carton(3, in: context))
        let (sundry, base) = (Sundry(7, in: context), Sundry(8, in: context))
        if test.hasBase { first.key = base }
        try context.save()
        #expect(third.key == nil && sundry.keyOf == nil && base.keyOf === (test.hasBase ? first : nil))
        if test.isFirst { third.key = sundry }
        try #require(try other.find(Carton.self, 1)).key = try other.find(Sundry.self, 7)
        try other.save()
        if test.isMerged { _ = try context.fetch(Carton.all) }
        if !test.isFirst { third.key = sundry }
        if test.isCleared { first.key = nil }
        do throws(StoreError) { try context.save() } catch {
            #expect(error.kind == .conflict)
            context.rollback()
        }
        #expect(try Cartons.contradictions(in: store) == [])
        for carton in [first, third] { #expect(carton.key == nil || carton.key?.keyOf === carton) }
    }

    // MARK: Between merge points

    @Test func `a list that is read between merge points agrees with the objects in memory`() throws {
        let (old, new, sundry) = (cartons[0], cartons[1], sundries[0])
        sundry.shelf = old
        try context.save()
        _ = try context.fetch(Carton.all)
        _ = try context.fetch(Sundry.all)
        try others { sundry in
            sundry.carton = try other.find(Carton.self, 2)
            sundry.shelf = try other.find(Carton.self, 2)
        }
        #expect(sundry.carton === old && old.sundries == [sundry] && new.sundries == [])
        #expect(sundry.shelf === old && old.bag == [sundry] && new.bag == [])
        new.bag = []
        _ = try context.count(Carton.all)
        #expect(sundry.carton === new && old.sundries == [] && new.sundries == [sundry])
        #expect(sundry.shelf === new && old.bag == [] && new.bag == [sundry])
        new.bag = []
        try context.save()
        #expect(try number(#"SELECT count(*) FROM "Sundry" WHERE "shelf" IS NOT NULL"#) == 0)
    }

    @Test func `an object that is added to a sorted list does not bring those of others`() throws {
        let carton = cartons[0]
        for sundry in sundries[..<2] { sundry.row = carton }
        sundries[1].n = 5
        try context.save()
        #expect(carton.sorted == [sundries[1], sundries[0]])
        try others(3) { $0.row = try other.find(Carton.self, 1) }
        let new = Sundry(9, in: context)
        new.row = carton
        new.n = 7
        #expect(carton.sorted == [sundries[1], new, sundries[0]] && sundries[2].row == nil)
        try context.save()
        #expect(carton.sorted.map(\.id) == [3, 2, 9, 1])
    }

    // MARK: Other writers

    @Test(arguments: [false, true])
    func `an assigned list loses what others moved, also if its objects are faults`(_ isSQL: Bool) throws {
        let (carton, second) = (cartons[0], cartons[1])
        for sundry in sundries { sundry.carton = carton }
        try context.save()
        carton.sundries.swapAt(0, 1)
        try others(3) { $0.carton = try other.find(Carton.self, 2) }
        if isSQL { try store.write(sql: #"UPDATE "Sundry" SET "n" = 5"#) }
        _ = try context.count(Carton.all)
        #expect(
            carton.sundries.map(\.id) == [2, 1] && second.sundries == [sundries[2]] && sundries[2].carton === second)
        context.delete(sundries[2])
        #expect(carton.sundries.map(\.id) == [2, 1] && second.sundries == [])
        try context.save()
        #expect(try Cartons.contradictions(in: store) == [])
    }

    @Test func `an assigned list loses what others moved while a call reads on another thread`() async throws {
        let (carton, second) = (cartons[0], cartons[1])
        for sundry in sundries { sundry.carton = carton }
        try await context.save()
        carton.sundries.swapAt(0, 1)
        try others(3) { $0.carton = try other.find(Carton.self, 2) }
        try store.write(sql: #"UPDATE "Sundry" SET "n" = 5"#)
        _ = try await context.count(Carton.all)
        #expect(carton.sundries.map(\.id) == [2, 1] && second.sundries == [sundries[2]])
    }

    // MARK: Deletions

    @Test(arguments: Cartons.policies, [false, true])
    func `an object that left its owner before its deletion is saved without a conflict`(
        _ policy: MergePolicy, _ isOther: Bool
    ) throws {
        context.mergePolicy = policy
        sundries[0].carton = cartons[1]
        if isOther {
            context.delete(cartons[0])
            other.delete(try #require(try other.find(Carton.self, 1)))
            try other.save()
        } else {
            try context.delete(Carton.where { $0.id == 1 })
        }
        try context.save()
        #expect(sundries[0].carton === cartons[1] && cartons[1].sundries == [sundries[0]])
        #expect(try Cartons.contradictions(in: store) == [])
    }

    // MARK: Triggers

    @Test func `an update that a trigger of another program ignores is an error`() throws {
        let folder = try TemporaryDirectory()
        let url = folder.file("trigger.sqlite")
        let store = try ManagedObjectStore(at: url, model: Cartons.model())
        let context = ObjectContext(store)
        let sundry = Sundry(1, in: context)
        try context.save()
        let database = try SQLiteDatabase(path: url.path, mode: .readWrite, busyTimeout: 1000)
        try database.execute(
            #"CREATE TRIGGER "locked" BEFORE UPDATE ON "Sundry" BEGIN SELECT RAISE(IGNORE); END"#)
        database.close()
        sundry.n = 1
        do throws(StoreError) {
            try context.save()
            Testing.Issue.record("nothing was written")
        } catch {
            #expect(error.kind == .constraint && error.message.contains("a trigger of the table ignores the update"))
        }
        #expect(sundry.n == 1 && context.hasChanges)
    }
}
