import Testing

@testable import ObjectStore

@Suite("Runs of rows")
struct RowRunsTests {
    @Test(
        arguments: [
            ([], ""), ([7], "7"), ([1, 2, 3], "1-3"), ([3, 2, 1], "3,2,1"), ([1, 2, 9, 10, 4], "1-2,9-10,4"),
            ([5, 5], "5,5"), ([.max, .max], "9223372036854775807,9223372036854775807"),
        ] as [([Int64], String)])
    func `The text of runs has the rows in their order`(_ rows: [Int64], _ text: String) {
        let runs = RowRuns(rows)
        #expect(runs.text == text && Array(runs.rows) == rows && runs.count == rows.count)
        #expect(RowRuns(text: text) == runs)
        #expect(Array(runs.sorted().rows) == Set(rows).sorted())
    }

    @Test(arguments: ["a", "1-", "-1", "1--2", "3-1", "0", "1,-", "9223372036854775808", "1 2", "1-2-3", "[1,2]"])
    func `A text that is not of runs is refused`(_ text: String) { #expect(RowRuns(text: text) == nil) }

    @Test func `Runs of several entities keep the order of the rows`() {
        var rows = GroupedRows<Int>()
        for (row, entity) in [(1, 0), (2, 0), (3, 1), (4, 0), (-1, 0)] { rows.append(Int64(row), of: entity) }
        let saved = rows.map({ "e\($0)" }) { $0 < 0 ? 5 : $0 }
        #expect(saved.groups.map { "\($0.entity) \($0.rows.text)" } == ["e0 1-2", "e1 3", "e0 4-5"])
    }
}
