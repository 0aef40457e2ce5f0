import Testing

@testable import Seeder

@Suite struct ValueSampleTests {
    private func sample(_ values: some Sequence<Int>) -> ValueSample {
        values.reduce(into: ValueSample()) { $0.insert(StableHash.of(String($1))) }
    }

    @Test func `few values are kept completely`() {
        let sample = sample([1, 2, 3, 2])
        #expect(sample.distinct == 3)
        #expect(sample.isExact)
        #expect(sample.hasRepeats)
        #expect(!self.sample(1...3).hasRepeats)
    }

    @Test(arguments: [100_000, 300_000])
    func `many values are estimated within two percent`(count: Int) {
        let sample = sample(0..<count)
        #expect(!sample.isExact)
        #expect(abs(sample.distinct - count) * 50 < count)
        #expect(!sample.hasRepeats)
    }

    @Test func `samples of different sizes are compared by the range that both cover`() {
        let few = sample(stride(from: 0, to: 100_000, by: 10))
        let many = sample(0..<100_000)
        #expect(few.isExact)
        #expect(few.overlap(with: many).isComplete)
        #expect(few.overlap(with: many).total > 2000)
        #expect(sample(200_000..<201_000).overlap(with: many).found == 0)
    }

    @Test func `a value in two places is a repetition where repetitions count`() {
        var (one, other) = (sample([1, 2]), sample([1, 2]))
        one.merge(sample([2, 3]))
        other.merge(sample([2, 3]), countsRepeats: true)
        #expect(!one.hasRepeats && other.hasRepeats)
        #expect(one.distinct == 3 && other.distinct == 3)
    }

    @Test func `hashes are the same in every process`() {
        #expect(StableHash.of("harbour") == StableHash.of("harbour"))
        #expect(StableHash.of("") == 17_280_346_270_528_514_342)
    }
}
