import Testing

@testable import Seeder

@Suite struct KeyedContentsTests {
    private typealias Object = (key: Int, members: [Int: Int])

    private func contents(_ objects: [Object]) -> KeyedContents {
        objects.reduce(into: KeyedContents()) { contents, object in
            contents.insert(
                StableHash.of(String(object.key)),
                content: object.members.sorted { $0.key < $1.key }.map {
                    KeyedContents.cell(name: UInt64($0.key), value: UInt64($0.value))
                })
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: [[Int: Int]]
        let hasConflict: Bool
    }

    static let cases = [
        Case(testDescription: "equal objects", members: [[1: 1, 2: 2], [1: 1, 2: 2]], hasConflict: false),
        Case(testDescription: "a different value", members: [[1: 1, 2: 2], [1: 1, 2: 3]], hasConflict: true),
        Case(testDescription: "fewer members", members: [[1: 1, 2: 2], [1: 1]], hasConflict: false),
        Case(testDescription: "more members", members: [[1: 1], [1: 1, 2: 2]], hasConflict: false),
        Case(
            testDescription: "a member that only the second object has, and another value in the third",
            members: [[1: 1], [1: 1, 2: 2], [1: 1, 2: 3]], hasConflict: true),
    ]

    @Test(arguments: cases)
    func `objects with the same key conflict if a member that both have differs`(example: Case) {
        let contents = contents(example.members.map { (7, $0) })
        #expect(contents.hasRepeats)
        #expect(contents.hasConflict == example.hasConflict)
        let places = example.members.map { self.contents([(7, $0)]) }
        let merged = places.dropFirst().reduce(into: places[0]) { $0.merge($1) }
        #expect(merged.hasRepeats && merged.hasConflict == example.hasConflict)
    }

    @Test func `objects with different keys never conflict`() {
        let contents = contents((0..<1000).map { ($0, [1: $0]) })
        #expect(contents.distinct == 1000 && !contents.hasRepeats && !contents.hasConflict)
    }

    @Test func `keys beyond the cap are sampled`() {
        var contents = KeyedContents()
        let count = KeyedContents.capacity + 1
        for number in 0..<count { contents.insert(UInt64(number), content: []) }
        #expect(contents.halvings == 1)
        #expect(abs(contents.distinct - count) <= 1)
    }
}
