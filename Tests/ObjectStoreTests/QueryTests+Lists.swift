import ObjectMapping
import Testing

@testable import ObjectStore

/// Conditions for list attributes.
@Suite struct QueryListTests {
    final class Shelf: ManagedObject {
        enum Color: String, Codable { case red, green }
        struct Point: Codable, Hashable { var x = 0 }

        @Stored(.identity) var shelfID = 0
        @Stored var texts: [String] = []
        @Stored var optionalTexts: [String]? = nil
        @Stored var integers: [Int] = []
        @Stored var small: [UInt8]? = nil
        @Stored var doubles: [Double] = []
        @Stored var flags: [Bool] = []
        @Stored var decimals: [Decimal]? = nil
        @Stored var dates: [Date] = []
        @Stored var uuids: [UUID] = []
        @Stored var urls: [URL] = []
        @Stored var colors: [Color] = []
        @Stored var points: [Point] = []
        @Stored var set: Set<Int> = []
        @Stored var title = ""
        @ToOne var parent: Shelf?
        @ToMany(inverse: \Shelf.parent) var children: [Shelf]
    }

    static let uuid = UUID()
    static let date = Date(timeIntervalSince1970: 1.5)

    let context: ObjectContext

    init() throws {
        context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Shelf.self)))
        let full = Shelf(in: context)
        full.shelfID = 1
        full.texts = ["eco", "é", "a\0b", "\"", "new"]
        full.optionalTexts = ["eco"]
        full.integers = [1, .max, .min]
        full.small = [255]
        full.doubles = [0.1, 1e300, -0.0]
        full.flags = [true]
        full.decimals = ["1.5", "1234567890123456789012345678.901"].compactMap { Decimal(string: $0) }
        full.dates = [Self.date]
        full.uuids = [Self.uuid]
        full.urls = ["https://example.org/é", "a:b"].compactMap { URL(string: $0) }
        full.colors = [.green]
        full.points = [Shelf.Point(x: 2)]
        full.set = [3, 4]
        full.title = "full"
        let empty = Shelf(in: context)
        empty.shelfID = 2
        empty.optionalTexts = []
        empty.small = []
        empty.decimals = []
        empty.parent = full
        Shelf(in: context).shelfID = 3
    }

    /// Evaluates a condition in memory, then in SQL, for the objects 1 (full), 2 (empty) and 3 (`nil` or empty).
    private func shelves(
        _ condition: (QueryObject<Shelf, Shelf>) -> QueryPredicate<Shelf>
    ) throws -> [Int] {
        let query = Shelf.where(condition).sorted(by: \.shelfID)
        let evaluator = QueryEvaluator(context.core, try FlatCondition(query.definition.condition))
        var found: [Int] = []
        for shelf in try context.fetch(Shelf.all) where try evaluator.matches(shelf) { found.append(shelf.shelfID) }
        try context.save()
        #expect(try ObjectContext(context.store).fetch(query).map(\.shelfID) == found)
        return found
    }

    @Test func `A list contains its elements, of any type`() throws {
        #expect(try shelves { $0.texts.contains("eco") } == [1])
        #expect(try shelves { $0.optionalTexts.contains("eco") } == [1])
        #expect(try shelves { $0.integers.contains(.max) && $0.integers.contains(.min) } == [1])
        #expect(try shelves { $0.small.contains(255) } == [1])
        #expect(try shelves { $0.doubles.contains(0.1) && $0.doubles.contains(1e300) } == [1])
        #expect(try shelves { $0.flags.contains(true) } == [1])
        #expect(try shelves { $0.dates.contains(Self.date) } == [1])
        #expect(try shelves { $0.uuids.contains(Self.uuid) } == [1])
        let url = try #require(URL(string: "a:b"))
        #expect(try shelves { $0.urls.contains(url) } == [1])
        #expect(try shelves { $0.colors.contains(.green) } == [1])
        #expect(try shelves { $0.points.contains(Shelf.Point(x: 2)) } == [1])
        #expect(try shelves { $0.set.contains(4) } == [1])
    }

    @Test func `A list does not contain other values of its type`() throws {
        #expect(try shelves { $0.texts.contains("ec") || $0.texts.contains("eco\",\"é") } == [])
        #expect(try shelves { $0.integers.contains(2) || $0.small.contains(25) } == [])
        #expect(try shelves { $0.doubles.contains(0.2) || $0.flags.contains(false) } == [])
        #expect(try shelves { $0.uuids.contains(UUID()) || $0.colors.contains(.red) } == [])
        #expect(try shelves { !$0.points.contains(Shelf.Point(x: 1)) } == [1, 2, 3])
    }

    @Test func `Elements are compared like values: texts by bytes, decimals as numbers`() throws {
        #expect(try shelves { $0.texts.contains("a\0b") && $0.texts.contains("\"") && $0.texts.contains("é") } == [1])
        #expect(try shelves { $0.texts.contains("e\u{301}") || $0.texts.contains("a\0") } == [])
        let decimal = try #require(Decimal(string: "1234567890123456789012345678.901"))
        #expect(try shelves { $0.decimals.contains(decimal) && $0.decimals.contains(Decimal(3) / 2) } == [1])
        try context.write(sql: #"UPDATE "Shelf" SET "decimals" = '["1.50"]' WHERE "shelfID" = 2"#)
        #expect(try shelves { $0.decimals.contains(Decimal(3) / 2) } == [1, 2])
    }

    @Test func `Lists are empty and have a number of elements, and nil has neither`() throws {
        #expect(try shelves { $0.texts.isEmpty } == [2, 3])
        #expect(try shelves { $0.optionalTexts.isEmpty } == [2])
        #expect(try shelves { $0.optionalTexts == nil } == [3])
        #expect(try shelves { !$0.optionalTexts.isEmpty } == [1, 3])
        #expect(try shelves { $0.texts.count == 5 && 2...3 ~= $0.integers.count } == [1])
        #expect(try shelves { $0.small.count < 1 } == [2])
        #expect(try shelves { $0.decimals.count != 2 } == [2, 3])
        #expect(try shelves { $0.set.count.isIn([1, 2]) } == [1])
        #expect(try shelves { $0.integers.count > $0.doubles.count } == [])
    }

    @Test func `Conditions for lists follow relationships, sort and aggregate`() throws {
        #expect(try shelves { $0.parent.texts.contains("new") } == [2])
        #expect(try shelves { $0.parent.texts.isEmpty } == [])
        #expect(try shelves { $0.children.any { $0.texts.isEmpty } } == [1])
        #expect(try shelves { $0.title.isEmpty } == [2, 3])
        let sorted = Shelf.all.sorted { [$0.texts.count.descending, $0.optionalTexts.count.descending] }
        #expect(try context.fetch(sorted).map(\.shelfID) == [1, 2, 3])
        let (longest, total) = try context.aggregate(Shelf.all) { ($0.texts.count.max(), $0.optionalTexts.count.sum()) }
        #expect(longest == 5 && total == 1)
        #expect(try context.aggregate(Shelf.all) { $0.optionalTexts.count() } == 2)
    }

    @Test func `A list that others have written as another value contains nothing`() throws {
        try context.save()
        try context.write(sql: #"UPDATE "Shelf" SET "texts" = '{"eco": 1}'"#)
        #expect(try context.count(Shelf.where { $0.texts.contains("eco") }) == 0)
        try context.write(sql: #"UPDATE "Shelf" SET "texts" = 'eco'"#)
        #expect(try context.count(Shelf.where { $0.texts.contains("eco") || $0.texts.isEmpty }) == 0)
    }

    @Test func `A number that cannot be in a list is an error`() throws {
        #expect(throws: StoreError.self) { try context.fetch(Shelf.where { $0.doubles.contains(.nan) }) }
    }
}
