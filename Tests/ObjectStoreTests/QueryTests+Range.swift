import ObjectMapping
import Testing

@testable import ObjectStore

private final class Gauge: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var size: UInt64 = 0
    @Stored var limit: UInt64? = nil
    @Stored var sizes: [UInt64] = []
}

private final class Journey: ManagedObject {
    @Stored(.identity) var number: Int64 = 0
    @Stored var meters: Int64? = nil
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

/// Sums where `Int` has 32 bits, as on watches before Series 9.
@Suite struct `Sums of integers of 32 bits` {
    @Test(arguments: [(0, 0), (-2_147_483_648, .min), (2_147_483_647, .max)] as [(Int64, Int32)])
    func `a sum that fits is exact`(sum: Int64, expected: Int32) throws {
        #expect(try Int32.exactSum(.integer(sum)) == expected)
    }

    @Test(arguments: [2_147_483_648, -2_147_483_649, 4_294_967_296, .max] as [Int64])
    func `a sum that does not fit is an error and not 0`(sum: Int64) {
        #expect {
            _ = try Int32.exactSum(.integer(sum))
        } throws: { error in
            (error as? StoreError)?.kind == .misuse && "\(error)".contains("Int32, which has 32 bits")
        }
    }

    @Test func `a sum without values is 0`() throws {
        #expect(try Int32.exactSum(.null) == 0)
    }
}

/// Attributes for which `Int` is too small on watches before Series 9.
@Suite struct `Sums of integers of 64 bits` {
    private let context: ObjectContext

    init() throws {
        context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Journey.self)))
        for (number, meters) in [(1, 3_000_000_000), (2, 5_000_000_000), (3, nil)] as [(Int64, Int64?)] {
            let journey = Journey(in: context)
            (journey.number, journey.meters) = (number, meters)
        }
        try context.save()
    }

    @Test func `a sum and an average use the range of the type`() throws {
        let sum: Int64 = try context.aggregate(Journey.all) { $0.meters.sum() }
        #expect(sum == 8_000_000_000)
        #expect(try context.aggregate(Journey.all) { $0.meters.average() } == 4_000_000_000)
        let none = Journey.where { $0.meters == nil }
        #expect(try context.aggregate(none) { $0.meters.sum() } == 0)
        #expect(try context.aggregate(none) { $0.meters.average() } == nil)
    }

    @Test func `a sum that overflows is an error`() throws {
        let journey = Journey(in: context)
        (journey.number, journey.meters) = (4, .max)
        try context.save()
        #expect(throws: StoreError.self) { try context.aggregate(Journey.all) { $0.meters.sum() } }
    }
}
