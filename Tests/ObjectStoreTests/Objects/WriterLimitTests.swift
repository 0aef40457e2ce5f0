import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class Holder: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Ticketed.holder, isOrdered: true) var queue: [Ticketed]

    static let mapping = Mapping(Holder.self) { Attribute("number", \.number) }
}

private final class Ticketed: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var isOpen = true
    @Stored var holderID: Int? = nil
    @ToOne var holder: Holder?

    static let mapping = Mapping(Ticketed.self) {
        Attribute("number", \.number)
        Attribute("open", \.isOpen)
        Attribute("holder", \.holderID)
        Connection(\.holder, by: \.holderID).when(\.isOpen, equals: true)
    }
}

/// Corners of the writers of rows.
@Suite struct WriterLimitTests {
    private let store: ManagedObjectStore
    private let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Holder.self, Ticketed.self))
        context = ObjectContext(store)
    }

    private func holder(_ number: Int, in context: ObjectContext? = nil) -> Holder {
        let holder = Holder(in: context ?? self.context)
        holder.number = number
        return holder
    }

    private func items(_ numbers: ClosedRange<Int>, in context: ObjectContext? = nil) -> [Ticketed] {
        numbers.map { number in
            let item = Ticketed(in: context ?? self.context)
            item.number = number
            return item
        }
    }

    /// The positions of lists in the file: owner, item, position.
    private func positions() throws -> [String] {
        try store.rows(
            sql: """
                SELECT h."number", t."number", "position" FROM "Holder_queue" JOIN "Holder" AS h ON h."_id" = "owner" \
                JOIN "Ticketed" AS t ON t."_id" = "target" ORDER BY 1, 3, 2
                """
        ).map { $0.values.map(\.description).joined(separator: " ") }
    }

    /// The numbers of the holders, in the order of their rows.
    private func numbers() throws -> [Int64?] {
        try store.rows(sql: #"SELECT "number" FROM "Holder" ORDER BY "_id""#).map { $0["number"]?.integer }
    }

    // MARK: New objects that take over a row

    @Test func `the list of a new object that takes over a row replaces the list of the row`() throws {
        holder(1).queue = items(1...2)
        try context.save()
        let other = ObjectContext(store)
        let new = holder(1, in: other)
        new.queue = items(3...4, in: other)
        try other.save()
        #expect(try positions() == ["1 3 0", "1 4 1"])
        #expect(new.queue.map(\.number) == [3, 4])
        #expect(try context.fetch(Ticketed.where { $0.holder == nil }).map(\.number) == [1, 2])
    }

    @Test func `an object that is added to an object that takes over a row is the last of its list`() throws {
        holder(1).queue = items(1...2)
        try context.save()
        let other = ObjectContext(store)
        let new = holder(1, in: other)
        items(3...3, in: other)[0].holder = new
        try other.save()
        #expect(try positions() == ["1 1 0", "1 2 1", "1 3 2"])
        #expect(new.queue.map(\.number) == [1, 2, 3])
    }

    @Test func `an item that takes over a row leaves its earlier list`() throws {
        holder(1).queue = items(1...2)
        holder(2).queue = items(3...3)
        try context.save()
        let other = ObjectContext(store)
        let item = items(1...1, in: other)[0]
        item.holder = try other.find(Holder.self, 2)
        try other.save()
        #expect(try positions() == ["1 2 1", "2 3 0", "2 1 1"])
        #expect(try other.find(Holder.self, 1)?.queue.map(\.number) == [2])
    }

    // MARK: Identities

    @Test func `two objects exchange their identities in one save`() throws {
        let (one, two) = (holder(1), holder(2))
        try context.save()
        (one.number, two.number) = (2, 1)
        try context.save()
        #expect(try numbers() == [2, 1])
        #expect(try context.find(Holder.self, 1) === two)
    }

    @Test func `a new object takes the identity that another one loses in the same save`() throws {
        let one = holder(1)
        try context.save()
        one.number = 2
        _ = holder(1)
        try context.save()
        #expect(try numbers() == [2, 1])
    }

    @Test(arguments: [false, true])
    func `identities move on in a chain, in any order`(isReversed: Bool) throws {
        let holders = (1...3).map { holder($0) }
        try context.save()
        for holder in isReversed ? holders.reversed() : holders { holder.number += 1 }
        try context.save()
        #expect(try numbers() == [2, 3, 4])
    }

    @Test func `an identity that others changed is a conflict although another object takes it`() throws {
        let (one, two) = (holder(1), holder(2))
        try context.save()
        try store.write(sql: #"UPDATE "Holder" SET "number" = 5 WHERE "number" = 1"#)
        (one.number, two.number) = (2, 1)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .conflict)
        #expect(error?.conflicts.map(\.property) == ["number"] && error?.conflicts.first?.theirs == 5)
        #expect(try numbers() == [5, 2])
        context.mergePolicy = .storeWins
        try context.save()
        #expect(try numbers() == [5, 1])
    }

    // MARK: Ordered lists

    @Test func `a list that is changed by both sides has the same order in memory and in the file`() throws {
        let (one, two) = (holder(1), holder(2))
        let items = items(1...2)
        one.queue = [items[0]]
        two.queue = [items[1]]
        try context.save()
        two.queue.insert(items[0], at: 0)
        items[1].holder = one
        one.queue.insert(items[0], at: 1)
        let inMemory = one.queue.map(\.number)
        #expect(inMemory == [2, 1])
        try context.save()
        context.refresh()
        #expect(one.queue.map(\.number) == inMemory)
    }

    // MARK: Conditions

    /// A payload whose condition is not met.
    private static let closed = #"{"number": 1, "open": false, "holder": 9}"#

    @Test(arguments: [false, true])
    func `a connection whose condition is not met is cleared, by objects and by rows`(isImported: Bool) async throws {
        let item = items(1...1)[0]
        item.holder = holder(7)
        try save()
        if isImported {
            _ = try await store.importJSON(Data(Self.closed.utf8), with: Ticketed.mapping)
        } else {
            try map(Self.closed, in: ObjectContext(store))
        }
        #expect(try positions() == [])
    }

    @Test func `an import clears a connection when its condition is no longer met`() async throws {
        _ = try await store.importJSON(Data(#"{"number": 1, "open": true, "holder": 7}"#.utf8), with: Ticketed.mapping)
        _ = try await store.importJSON(Data(#"{"number": 7}"#.utf8), with: Holder.mapping)
        #expect(try positions() == ["7 1 0"])
        _ = try await store.importJSON(Data(#"{"number": 1, "open": false}"#.utf8), with: Ticketed.mapping)
        #expect(try positions() == [])
    }

    private func save() throws { try context.save() }

    private func map(_ text: String, in context: ObjectContext) throws {
        _ = try context.map(text, with: Ticketed.mapping)
        try context.save()
    }
}
