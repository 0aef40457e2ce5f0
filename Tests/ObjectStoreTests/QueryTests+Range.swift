import ObjectMapping
import Testing

@testable import ObjectStore

private final class Gauge: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var size: UInt64 = 0
    @Stored var limit: UInt64? = nil
    @Stored var sizes: [UInt64] = []
}

/// Values of conditions that no column can hold.
@Suite struct `Conditions with integers above the range of the store` {
    private let context: ObjectContext

    /// The counters 1 to 3; the third one has no limit.
    init() throws {
        context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Gauge.self)))
        for (number, size) in [(1, 0), (2, UInt64(Int64.max)), (3, 7)] as [(Int, UInt64)] {
            let counter = Gauge(in: context)
            (counter.number, counter.size, counter.sizes) = (number, size, [size])
            counter.limit = number == 3 ? nil : size
        }
    }

    private static let large = UInt64.max

    @Test(arguments: [false, true])
    func `a value above the range is greater than every stored integer`(isSaved: Bool) throws {
        if isSaved { try context.save() }
        func numbers(_ query: ObjectQuery<Gauge>) throws -> [Int] {
            try context.fetch(query.sorted(by: \.number)).map(\.number)
        }
        for large in [Self.large, UInt64(Int64.max) + 1] {
            #expect(try numbers(Gauge.where { $0.size == large }) == [])
            #expect(try numbers(Gauge.where { $0.size != large }) == [1, 2, 3])
            #expect(try numbers(Gauge.where { $0.size < large }) == [1, 2, 3])
            #expect(try numbers(Gauge.where { $0.size <= large }) == [1, 2, 3])
            #expect(try numbers(Gauge.where { $0.size > large }) == [])
            #expect(try numbers(Gauge.where { $0.size >= large }) == [])
            #expect(try numbers(Gauge.where { $0.size.isIn(7...large) }) == [2, 3])
            #expect(try numbers(Gauge.where { $0.size.isIn([large, 7]) }) == [3])
            #expect(try numbers(Gauge.where { $0.size.isIn([large]) }) == [])
            #expect(try numbers(Gauge.where { $0.limit < large }) == [1, 2])
            #expect(try numbers(Gauge.where { $0.limit != large }) == [1, 2, 3])
            #expect(try numbers(Gauge.where { $0.limit == large }) == [])
            #expect(try numbers(Gauge.where { $0.sizes.contains(large) }) == [])
        }
    }

    @Test func `a value above the range cannot be stored`() throws {
        try context.save()
        let counter = try #require(try context.find(Gauge.self, 1))
        counter.size = Self.large
        #expect(throws: StoreError.self) { try context.save() }
        #expect(throws: StoreError.self) { try context.update(Gauge.all) { $0.set(\.size, to: Self.large) } }
    }
}
