import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Conditions, lists and paths of any size.
@Suite struct QuerySizeTests {
    typealias Condition = QueryPredicate<Sample>
    typealias Object = QueryObject<Sample, Sample>

    /// A store with three samples, and a fourth one in the context.
    private static func context() throws -> ObjectContext {
        let context = ObjectContext(try ManagedModel.store())
        for id in 1...4 {
            if id == 4 { try context.save() }
            let sample = Sample(in: context)
            (sample.sampleID, sample.integer, sample.text) = (id, id, "\(id)")
        }
        return context
    }

    /// Joins conditions by a function in a loop.
    private static func chain(
        _ count: Int, _ object: Object, _ join: (Condition, Condition, Int) -> Condition
    ) -> Condition {
        var condition = object.integer == 2
        for number in 1..<count { condition = join(condition, object.integer == number, number) }
        return condition
    }

    @Test(arguments: ["&&", "||"], [true, false])
    func `100,000 conditions of one kind select objects, on a small stack`(kind: String, isLeft: Bool) throws {
        let found = try onSmallStack {
            let context = try Self.context()
            let query = Sample.where { object in
                Self.chain(100_000, object) { chain, next, _ in
                    switch (kind, isLeft) {
                    case ("&&", true): chain && !next
                    case ("&&", false): !next && chain
                    case (_, true): chain || next
                    default: next || chain
                    }
                }
            }
            return try context.fetch(query).map(\.sampleID)
        }
        #expect(found == (kind == "&&" ? [] : [1, 2, 3, 4]))
    }

    @Test func `100,000 conditions that alternate are an error that names the limit`() throws {
        let error = #expect(throws: StoreError.self) {
            try onSmallStack {
                let query = Sample.where { object in
                    Self.chain(100_000, object) { $2 % 2 == 0 ? $0 && $1 : $0 || $1 }
                }
                _ = try Self.context().fetch(query)
            }
        }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains("nested too deeply: SQLite supports about") == true)
    }

    @Test(arguments: [2, 30, 80]) func `Conditions that alternate select objects up to the limit`(depth: Int) throws {
        let context = try Self.context()
        let query = Sample.where { object in
            Self.chain(depth, object) { $2 % 2 == 0 ? $0 && $1 : $0 || $1 }
        }
        let found = try context.fetch(query).map(\.sampleID)
        try context.save()
        #expect(try context.fetch(query).map(\.sampleID) == found)
    }

    @Test func `Negations of negations do not nest`() throws {
        let found = try onSmallStack {
            let query = Sample.where { object in
                var condition = object.integer == 2
                for _ in 0..<100_001 { condition = !condition }
                return condition
            }
            return try Self.context().fetch(query).map(\.sampleID)
        }
        #expect(found == [1, 3, 4])
    }

    @Test func `Conditions of relationships nest up to the limit, also in loops`() throws {
        @Sendable func nested(_ depth: Int) -> ObjectQuery<Sample> {
            Sample.where { object in
                var condition = object.integer > 0
                for _ in 0..<depth {
                    let inner = condition
                    condition = object.children.any { _ in inner }
                }
                return condition
            }
        }
        let context = try Self.context()
        #expect(try context.fetch(nested(6)).isEmpty)
        let error = #expect(throws: StoreError.self) {
            try onSmallStack { _ = try Self.context().fetch(nested(100_000)) }
        }
        #expect(error?.message.contains("nested too deeply") == true)
    }

    @Test func `A condition that is joined with itself again and again is an error that names the limit`() throws {
        let query = Sample.where { object in
            var condition = object.integer == 2
            for _ in 0..<80 { condition = condition && condition }
            return condition
        }
        let error = #expect(throws: StoreError.self) { try Self.context().fetch(query) }
        #expect(error?.message == "the query has more than 1000000 conditions")
    }

    @Test func `A path has at most sixty relationships`() throws {
        func query(_ hops: Int) -> ObjectQuery<Sample> {
            Sample.where { object in
                var parent = object.parent
                for _ in 1..<hops { parent = parent.parent }
                return parent.text == "1"
            }
        }
        let context = try Self.context()
        try context.save()
        #expect(try context.fetch(query(59)).isEmpty)
        let error = #expect(throws: StoreError.self) { try context.fetch(query(100_000)) }
        #expect(error?.message == "a path of a query has more than 60 relationships")
    }

    @Test(arguments: [1, 9, 40]) func `Unsaved changes are found across relationships`(hops: Int) throws {
        let context = try Self.context()
        try context.save()
        let samples = (0...hops).map { number in
            let sample = Sample(in: context)
            (sample.sampleID, sample.text) = (100 + number, "-")
            return sample
        }
        for (child, parent) in zip(samples, samples.dropFirst()) { child.parent = parent }
        try context.save()
        let other = ObjectContext(context.store)
        let last = try #require(try other.find(Sample.self, 100 + hops))
        last.text = "end"
        let query = Sample.where { object in
            var parent = object.parent
            for _ in 1..<hops { parent = parent.parent }
            return parent.text == "end"
        }
        #expect(try other.fetch(query).map(\.sampleID) == [100])
        #expect(try other.fetch(query.where { $0.children.isEmpty }).map(\.sampleID) == [100])
    }

    @Test func `A list has any number of values of any type`() throws {
        let context = try Self.context()
        let samples = try context.fetch(Sample.all.sorted(by: \.sampleID))
        samples[0].text = "a\0b"
        samples[1].double = 0.1
        samples[2].optionalDecimal = Decimal(string: "12345678901234567890.5")
        samples[3].data = Data([0, 255])
        samples[3].uuid = RandomQueries.uuids[1]
        let texts = (0..<300_000).map { "text \($0)" } + ["a\0b"]
        let doubles = (0..<300_000).map { Double($0) + 0.5 } + [0.1]
        let decimals = (0..<300_000).map { Decimal($0 + 1) } + [Decimal(string: "12345678901234567890.50")]
        let blobs = (0..<10_000).map { Data("\($0)".utf8) as Data? } + [Data([0, 255])]
        let uuids = (0..<10_000).map { _ in UUID() as UUID? } + [RandomQueries.uuids[1]]
        for _ in 1...2 {
            #expect(try context.fetch(Sample.where { $0.text.isIn(texts) }).map(\.sampleID) == [1])
            #expect(try context.fetch(Sample.where { $0.double.isIn(doubles) }).map(\.sampleID) == [2])
            #expect(try context.fetch(Sample.where { $0.optionalDecimal.isIn(decimals) }).map(\.sampleID) == [3])
            #expect(try context.fetch(Sample.where { $0.data.isIn(blobs) }).map(\.sampleID) == [4])
            #expect(try context.fetch(Sample.where { $0.uuid.isIn(uuids) }).map(\.sampleID) == [4])
            #expect(
                try context.fetch(Sample.where { $0.integer.isIn(Array(2...300_000)) }).map(\.sampleID) == [2, 3, 4])
            try context.save()
        }
    }

    @Test func `Long lists combine with other conditions, nil, pages and aggregates`() throws {
        let context = try Self.context()
        try context.save()
        let texts = (2..<10_000).map { "\($0)" }
        let query = Sample.where { $0.text.isIn(texts) && $0.integer > 1 && !$0.text.isIn(texts.map { $0 + "0" }) }
        #expect(try context.count(query) == 3)
        #expect(try context.fetch(query.offset(1).limit(1)).map(\.sampleID) == [3])
        #expect(try context.aggregate(query.limit(2)) { $0.integer.sum() } == 5)
        #expect(try context.fetch(Sample.where { $0.optionalText.isIn(texts + [nil]) }).count == 4)
        #expect(try context.explain(query).contains("mappingkit_value(?1, "))
        #expect(try context.delete(query) == 3)
    }

    @Test func `A long list is looked up in an index`() throws {
        let context = try Self.context()
        try context.save()
        let plan = try context.explain(Sample.where { $0.text.isIn((0..<1000).map { "\($0)" }) })
        #expect(plan.contains("SEARCH Sample USING INDEX"))
    }

    @Test func `Packed values are read by their index, and damaged ones are null`() throws {
        let values: [StoredValue] = [1, .null, .real(-0.5), "a\0é", "", .blob([]), .blob([0, 1]), .integer(.min)]
        let packed = try #require(PackedValues.pack(values).blob)
        let store = try ManagedModel.store()
        func value(_ index: Int, _ bytes: [UInt8]) throws -> StoredValue {
            let arguments: [StoredValue] = [.blob(bytes), .integer(Int64(index))]
            return try store.rows(sql: "SELECT mappingkit_value(?, ?) AS value", arguments: arguments)[0].values[0]
        }
        for (index, expected) in values.enumerated() { #expect(try value(index, packed) == expected) }
        for index in [-1, values.count, values.count + 1, .max] { #expect(try value(index, packed) == .null) }
        for count in 0..<packed.count {
            for index in values.indices { _ = try value(index, Array(packed.prefix(count))) }
        }
        #expect(try value(0, []) == .null)
    }
}
