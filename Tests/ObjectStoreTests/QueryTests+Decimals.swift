import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Decimals in sums, lists and orders, by their values.
@Suite struct QueryDecimalTests {
    final class Box: ManagedObject {
        @Stored(.identity) var boxID = 0
        @ToMany(inverse: \Item.box, sortedBy: \Item.price) var byPrice: [Item]
        @ToMany(inverse: \Item.weighed, sortedBy: \Item.weight) var byWeight: [Item]
    }

    final class Item: ManagedObject {
        @Stored(.identity) var itemID = 0
        @Stored var price: Decimal? = nil
        @Stored var weight = 0.0
        @ToOne var box: Box?
        @ToOne var weighed: Box?
    }

    let context: ObjectContext

    init() throws { context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Box.self, Item.self))) }

    private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

    private func add(_ prices: String...) throws {
        let box = Box(in: context)
        for (index, price) in prices.enumerated() {
            let item = Item(in: context)
            item.itemID = index
            item.price = price == "nil" ? nil : try decimal(price)
            item.weight = Double(price) ?? 0
            (item.box, item.weighed) = (box, box)
        }
        try context.save()
    }

    @Test func `Lists that are sorted by a decimal are in the order of the values, as in queries`() throws {
        try add("10", "9", "-1", "100.5", "nil", "2", "-10.25")
        let other = ObjectContext(context.store)
        let box = try #require(try other.fetch(Box.all).first)
        let expected: [Decimal?] = [nil] + (try ["-10.25", "-1", "2", "9", "10", "100.5"].map { try decimal($0) })
        #expect(box.byPrice.map(\.price) == expected)
        #expect(try other.fetch(Item.all.sorted(by: \.price)).map(\.price) == expected)
        #expect(try other.fetch(Item.all.sorted(by: \.weight)) == box.byWeight)
        let item = Item(in: other)
        (item.itemID, item.price, item.box) = (9, try decimal("9.5"), box)
        try other.save()
        let third = ObjectContext(context.store)
        let again = try #require(try third.fetch(Box.all).first)
        #expect(again.byPrice.map(\.itemID) == [4, 6, 2, 5, 1, 9, 0, 3])
    }

    @Test func `Sums of decimals are exact`() throws {
        try add("31.98", "0.000000000000000000000000000000000001", "nil", "-0.000000000000000000000000000000000002")
        #expect(
            try context.aggregate(Item.all) { $0.price.sum() } == decimal("31.979999999999999999999999999999999999"))
        try context.write(sql: #"UPDATE "Item" SET "price" = '0.1'"#)
        #expect(try context.aggregate(Item.all) { $0.price.sum() } == decimal("0.4"))
        #expect(try context.aggregate(Item.all) { $0.price.average() } == decimal("0.1"))
        try context.write(sql: #"UPDATE "Item" SET "price" = '-12345678901234567890123456789012345.67'"#)
        #expect(
            try context.aggregate(Item.all) { $0.price.sum() } == decimal("-49382715604938271560493827156049382.68"))
        try context.write(sql: #"UPDATE "Item" SET "price" = NULL"#)
        let (sum, average) = try context.aggregate(Item.all) { ($0.price.sum(), $0.price.average()) }
        #expect(sum == 0 && average == nil)
    }

    @Test func `A sum that Decimal cannot hold exactly is an error`() throws {
        try add("1e30", "1e-30")
        for _ in 1...2 {
            let error = #expect(throws: StoreError.self) { try context.aggregate(Item.all) { $0.price.sum() } }
            #expect(error?.message == "the sum of 2 decimals has more digits than Decimal supports")
        }
        #expect(throws: StoreError.self) { try context.aggregate(Item.all) { $0.price.average() } }
        #expect(try context.aggregate(Item.all) { $0.price.max() } == decimal("1e30"))
    }

    @Test func `Sums agree with integers`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var (sum, expected) = (DecimalSum(), 0)
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let value = Int.random(in: -100_000...100_000, using: &random)
                sum.add("\(value)e-3")
                expected += value
            }
            #expect(sum.decimal == Decimal(expected) / 1000)
        }
    }
}
