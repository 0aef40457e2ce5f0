import Testing

@testable import ObjectStore

@Suite struct `The difference of two lists of rows` {
    @Test(
        arguments: [
            ([1, 2, 3], [1, 2, 3], [], [], []),
            ([], [1, 2], [], [0, 1], []),
            ([1, 2], [], [0, 1], [], []),
            ([1, 2, 3], [1, 3], [1], [], []),
            ([1, 3], [1, 2, 3], [], [1], []),
            ([1, 2, 3], [3, 1, 2], [], [], [[2, 0]]),
            ([1, 2, 3, 4], [4, 2, 5], [0, 2], [2], [[3, 0]]),
        ] as [([Int64], [Int64], [Int], [Int], [[Int]])])
    func `has removals, insertions and moves`(
        _ old: [Int64], _ new: [Int64], _ deleted: [Int], _ inserted: [Int], _ moved: [[Int]]
    ) {
        let difference = QueryDifference(from: old, to: new)
        #expect(difference.deleted == deleted && difference.inserted == inserted)
        #expect(difference.moved.map { [$0.from, $0.to] } == moved)
        #expect(difference.isEmpty == (old == new))
    }

    /// A list that is updated as animated lists are: removals and origins of moves first, then insertions in order.
    private func updated(_ old: [Int64], by difference: QueryDifference, to new: [Int64]) -> [Int64] {
        var list = old
        for index in (difference.deleted + difference.moved.map(\.from)).sorted(by: >) { list.remove(at: index) }
        for index in (difference.inserted + difference.moved.map(\.to)).sorted() { list.insert(new[index], at: index) }
        return list
    }

    @Test func `transforms random lists into each other`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let rows = (1...Int64.random(in: 1...12, using: &generator)).shuffled(using: &generator)
            let old = Array(rows.prefix(.random(in: 0...rows.count, using: &generator)))
            let sorted = Bool.random(using: &generator) ? rows : old.sorted()
            let new = sorted.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            let difference = QueryDifference(from: old, to: new)
            #expect(updated(old, by: difference, to: new) == new, "\(old) to \(new)")
            var list = old
            difference.apply(to: &list, inserting: difference.inserted.map { new[$0] })
            #expect(list == new, "\(old) to \(new)")
            let kept = new.indices.filter { difference.isKept($0, of: new.count) }
            #expect(kept.map { new[$0] } == new.filter(old.contains), "\(old) to \(new)")
        }
    }

    @Test(arguments: [1, 30, 64, 65, 400]) func `applies few and many changes to a long list`(_ count: Int64) {
        let old = Array(Int64(1)...1_000)
        let moved = old.dropFirst(Int(count)).prefix(Int(count) / 3).reversed()
        let new = old.filter { $0 > count && !moved.contains($0) } + moved + (1_001...(1_001 + count))
        let difference = QueryDifference(from: old, to: new)
        var list = old
        difference.apply(to: &list, inserting: difference.inserted.map { new[$0] })
        #expect(list == new)
    }

    @Test func `moves one row of a long list`() {
        let old = Array(Int64(1)...1_000)
        let difference = QueryDifference(from: old, to: [1_000] + old.dropLast())
        #expect(difference.moved == [QueryDifference.Move(from: 999, to: 0)])
    }
}
