import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

@Suite struct `Values that are difficult to read` {
    let context: ObjectContext

    init() throws { context = ObjectContext(try ManagedModel.store()) }

    private func sample(_ id: Int) -> Sample {
        let sample = Sample(in: context)
        sample.sampleID = id
        return sample
    }

    static let decimals: [Decimal] = [
        Decimal(8) / 7, Decimal(1) / 3, -Decimal(2) / 3, Decimal(1) / 7 / 1_000_000_000, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .leastNonzeroMagnitude, Decimal(sign: .minus, exponent: -128, significand: 7),
        Decimal(string: "340282366920938463463374607431768211455") ?? 0,
        Decimal(string: "0.99999999999999999999999999999999999999") ?? 0,
        Decimal(string: "-12345678901234567890123456789012345678.5") ?? 0, 0, 1e30,
    ]

    @Test(arguments: decimals)
    func `every decimal that can be assigned is read back`(_ decimal: Decimal) throws {
        let sample = sample(1)
        sample.decimal = decimal
        sample.optionalDecimal = decimal
        #expect(Decimal(json: .decimal(decimal)) == decimal)
        #expect(Decimal(json: .string("\(decimal)")) == decimal)
        try context.save()
        let read = try #require(try ObjectContext(context.store).find(Sample.self, 1))
        #expect(read.decimal == decimal && read.optionalDecimal == decimal && read.managed.error == nil)
        #expect(try ObjectContext(context.store).fetch(Sample.where { $0.decimal == decimal }).count == 1)
    }

    @Test func `a number that no decimal has exactly is an issue`() {
        for text in [
            "340282366920938463463374607431768211457", "1e166", "1e-129", "0.1234567890123456789012345678901234567891",
        ] {
            #expect(Decimal(json: .string(text)) == nil, "\(text)")
        }
    }

    @Test func `a value that cannot be read fails neither the other rows nor the other properties`() throws {
        for id in 1...3 { sample(id).text = "text \(id)" }
        try context.save()
        try context.store.write(sql: "UPDATE Sample SET decimal = 'many', integer = 7 WHERE sampleID = 2")
        let other = ObjectContext(context.store)
        let samples = try other.fetch(Sample.all.sorted(by: \.sampleID))
        #expect(samples.map(\.text) == ["text 1", "text 2", "text 3"] && samples[1].decimal == 0)
        #expect(samples[1].integer == 7)
        #expect(samples.map { $0.managed.error?.kind } == [nil, .corrupt, nil])
        #expect(try other.find(Sample.self, 2) === samples[1])
        samples[0].text = "new"
        try other.save()
        samples[1].text = "new"
        let error = #expect(throws: StoreError.self) { try other.save() }
        #expect(
            error?.message == "row 2 of 'Sample': the value of the column 'decimal' cannot be read as decimal")
        #expect(try other.store.rows(sql: "SELECT text FROM Sample WHERE sampleID = 2")[0].values == ["text 2"])
    }

    @Test(arguments: [false, true]) func `values of an attribute name the row that cannot be read`(_ isDistinct: Bool)
        throws
    {
        for id in 1...3 { sample(id).integer = id }
        try context.save()
        try context.store.write(sql: "UPDATE Sample SET integer = 'many' WHERE sampleID = 2")
        let query = isDistinct ? Sample.all.distinct() : Sample.all
        let error = #expect(throws: StoreError.self) { try context.values(of: \.integer, query) }
        #expect(error?.kind == .corrupt && error?.entity == "Sample")
        #expect(error?.message == "row 2 of 'Sample': the value of the column 'integer' cannot be read as integer")
    }

    @Test func `an object can be saved again when its value can be read`() throws {
        let sample = sample(1)
        try context.save()
        try context.write(sql: "UPDATE Sample SET uuid = 'x'")
        #expect(sample.uuid == nil && sample.managed.error?.kind == .corrupt)
        try context.write(sql: "UPDATE Sample SET uuid = NULL")
        #expect(try context.fetch(Sample.all) == [sample])
        #expect(sample.managed.error == nil)
        sample.text = "a"
        try context.save()
    }

    @Test func `an object with unsaved changes that cannot be read any more is not saved`() throws {
        let sample = sample(1)
        try context.save()
        sample.text = "mine"
        try context.store.write(sql: "UPDATE Sample SET url = x'00'")
        #expect(try context.fetch(Sample.all) == [sample])
        #expect(sample.text == "mine" && sample.managed.error?.kind == .corrupt)
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        try context.write(sql: "UPDATE Sample SET url = NULL")
        #expect(sample.text == "" && sample.managed.error == nil)
    }

    @Test func `relationships lead to objects with values that cannot be read`() throws {
        let (parent, child) = (sample(1), sample(2))
        child.parent = parent
        try context.save()
        try context.store.write(sql: "UPDATE Sample SET json = '{' WHERE sampleID = 1")
        let other = ObjectContext(context.store)
        let read = try #require(try other.find(Sample.self, 2))
        #expect(read.parent?.sampleID == 1 && read.parent?.managed.error?.kind == .corrupt)
        #expect(read.parent?.children == [read])
    }

    @Test func `NaN is refused by name`() {
        let sample = sample(1)
        (sample.decimal, sample.double, sample.optionalDouble) = (.nan, .nan, .nan)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.problems.map { "\($0.property ?? ""): \($0.message)" } == [
                "double: NaN cannot be stored as double", "optionalDouble: NaN cannot be stored as double",
                "decimal: NaN cannot be stored as decimal",
            ])
    }
}
