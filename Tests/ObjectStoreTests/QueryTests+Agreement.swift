import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct QueryAgreementTests {
    @Test(arguments: 0..<4)
    func `SQL, memory and Swift agree about random queries, before and after a save`(part: Int) throws {
        var cases = 0
        for seed in 0..<13 {
            var random = RandomQueries(random: SeededGenerator(seed: UInt64(1 + part * 1000 + seed)))
            let store = try ManagedModel.store()
            let context = ObjectContext(store)
            var samples = (1...20).map { id in
                let sample = Sample(in: context)
                sample.sampleID = id
                return sample
            }
            for sample in samples { random.fill(sample, all: true, among: samples) }
            try context.save()
            // Objects that are not in memory must be found by queries across changed ones.
            samples = try context.fetch(Sample.where { $0.sampleID.isIn(Array(1...14)) })
            for sample in samples.dropFirst(6) { random.fill(sample, all: false, among: samples) }
            for id in 21...23 {
                let sample = Sample(in: context)
                sample.sampleID = id
                samples.append(sample)
                random.fill(sample, all: true, among: samples)
            }
            for sample in samples.prefix(2) {
                context.delete(sample)
                samples.removeAll { $0 === sample }
            }
            var expected: [(condition: RandomCondition, query: ObjectQuery<Sample>, found: [Int])] = []
            for _ in 0..<45 {
                let condition = random.condition()
                let query = random.sorted(Sample.where(condition.query))
                let found = try context.fetch(query).map(\.sampleID)
                expected.append((condition, query, found))
            }
            try context.save()
            let other = ObjectContext(store)
            let all = try other.fetch(Sample.all)
            for (condition, query, found) in expected {
                cases += 1
                let sql = try other.fetch(query).map(\.sampleID)
                let description = query.definition
                let evaluator = QueryEvaluator(
                    other.core, try FlatCondition(description.condition), description.sortKeys)
                #expect(found == sql, "unsaved and saved differ, seed \(part)/\(seed): \(condition.text)")
                let swift = Set(all.filter(condition.check).map(\.sampleID))
                var memory: [(object: ManagedObject, values: [StoredValue])] = []
                for object in all where try evaluator.matches(object) {
                    memory.append((object, evaluator.sortValues(of: object)))
                }
                #expect(
                    Set(memory.compactMap { ($0.object as? Sample)?.sampleID }) == swift,
                    "memory and Swift differ, seed \(part)/\(seed): \(condition.text)")
                memory.sort { evaluator.isOrdered($0, before: $1) }
                let page = memory.dropFirst(description.offset).prefix(description.limit ?? .max)
                #expect(
                    page.compactMap { ($0.object as? Sample)?.sampleID } == sql,
                    "memory and SQL differ, seed \(part)/\(seed): \(condition.text)")
            }
        }
        #expect(cases == 13 * 45)
    }

    @Test func `Decimals are compared as numbers`() {
        let ordered = ["-100", "-99.5", "-0.001", "0", "0.0001", "0.001", "0.01", "1.5", "1.51", "9", "10", "1e3", "x"]
        for (first, a) in ordered.enumerated() {
            for (second, b) in ordered.enumerated() {
                #expect(DecimalText.compare(a.utf8, b.utf8) == (first - second).signum(), "\(a) \(b)")
            }
        }
        for (a, b) in [("1.50", "1.5"), ("-0", "0.00"), ("+007", "7"), ("1000", "1e3"), (".5", "0.5"), ("5e-1", "0.5")]
        {
            #expect(DecimalText.compare(a.utf8, b.utf8) == 0, "\(a) \(b)")
        }
    }
}
