import Foundation
import ObjectMapping
import Testing

/// Compares the engine with a reference that works on a tree, for random mappings and documents.
///
/// `MAPPINGKIT_CASES` is the number of cases, `MAPPINGKIT_SEED` the first seed; a failure prints its seed.
struct ReferenceTests {
    static func number(_ variable: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? standard
    }

    private static let models = [TypedTable.wide.reference, TypedTable.knot.reference]
    /// For each relationship by the number of its property, the number of its objects' model.
    private static let fitting = [0: targets(models[0]), 1: targets(models[1])]

    private static func targets(_ model: ReferenceModel) -> [Int] {
        model.properties.map { ["knot", "knots", "maybeKnots"].contains($0.name) ? 1 : 0 }
    }

    @Test(arguments: 0..<4) func `Random mappings of random documents agree with the reference`(part: Int) {
        check(part) { random in
            let example = random.next(Self.models, fitting: Self.fitting)
            let outcome = ReferenceOutcome(example)
            return (example, outcome.isSound, outcome.difference)
        } difference: {
            ReferenceOutcome($0).difference
        }
    }

    @Test(arguments: 0..<4) func `Rows of random documents agree with the reference`(part: Int) {
        check(part) { random in
            let example = random.nextRows()
            let outcome = RowsOutcome(example)
            return (example, outcome.soundCount > 0, outcome.difference)
        } difference: {
            RowsOutcome($0).difference
        }
    }

    @Test(arguments: 0..<4) func `Rows by a random mapping have the issues of its models`(part: Int) {
        check(part) { random in
            let example = random.next(Self.models, fitting: Self.fitting)
            let outcome = MappedRowsOutcome(example)
            return (example, outcome.isSound, outcome.difference)
        } difference: {
            MappedRowsOutcome($0).difference
        }
    }

    private func check(
        _ part: Int, _ next: (inout RandomCase) -> (ReferenceCase, isSound: Bool, difference: String?),
        difference: @escaping (ReferenceCase) -> String?
    ) {
        let count = Self.number("MAPPINGKIT_CASES", 400) / 4
        let first = Self.number("MAPPINGKIT_SEED", 1) + part * count
        var (sound, failures) = (0, 0)
        for seed in first..<first + count where failures < 3 {
            var random = RandomCase(seed: UInt64(seed))
            let (example, isSound, found) = next(&random)
            sound += isSound ? 1 : 0
            guard found != nil else { continue }
            failures += 1
            var shrinker = ReferenceShrinker(difference)
            let small = shrinker.shrunk(example)
            Issue.record("seed \(seed):\n\(small)\n\(difference(small) ?? "")")
        }
        // Only broken cases would prove little.
        #expect(failures > 0 || count < 100 || sound > count / 8)
    }
}
