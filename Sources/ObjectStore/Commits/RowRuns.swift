/// The numbers of rows in an order, as runs of consecutive ones: the rows of a list are often new ones.
struct RowRuns: Sendable, Equatable {
    private(set) var runs: [ClosedRange<Int64>] = []

    init() {}

    init(_ rows: some Sequence<Int64>) { for row in rows { append(row) } }

    /// The number of rows.
    var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The rows, in their order.
    var rows: FlattenSequence<[ClosedRange<Int64>]> { runs.joined() }

    mutating func append(_ row: Int64) {
        guard let last = runs.last, last.upperBound != .max, last.upperBound + 1 == row else {
            return runs.append(row...row)
        }
        runs[runs.count - 1] = last.lowerBound...row
    }
}

/// The text of runs, such as `1-3,7`.
extension RowRuns {
    var text: String {
        runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// - Returns: `nil` for another text, such as one with rows that are not positive.
    init?(text: String) {
        for run in text.utf8.split(separator: UInt8(ascii: ",")) {
            let bounds = run.split(separator: UInt8(ascii: "-")).map { Int64(Substring($0)) }
            guard let first = bounds[0], let last = bounds.count == 1 ? first : bounds[1], bounds.count < 3,
                0 < first, first <= last
            else { return nil }
            runs.append(first...last)
        }
    }
}
