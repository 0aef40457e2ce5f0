/// The numbers of rows in an order, as runs of consecutive ones: the rows of a list are often new ones.
struct RowRuns: Sendable, Equatable {
    private(set) var runs: [ClosedRange<Int64>] = []

    init() {}

    init(_ rows: some Sequence<Int64>) { for row in rows { append(row) } }

    init(_ run: ClosedRange<Int64>) { runs = [run] }

    /// The number of rows.
    var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The rows, in their order.
    var rows: FlattenSequence<[ClosedRange<Int64>]> { runs.joined() }

    func contains(_ row: Int64) -> Bool { runs.contains { $0.contains(row) } }

    /// Returns the number of rows that are in both; both are in ascending order.
    func commonCount(with other: RowRuns) -> Int {
        var (count, index) = (0, 0)
        for run in runs {
            while index < other.runs.count, other.runs[index].upperBound < run.lowerBound { index += 1 }
            for candidate in other.runs[index...] {
                guard candidate.lowerBound <= run.upperBound else { break }
                count += candidate.clamped(to: run).count
            }
        }
        return count
    }

    mutating func append(_ row: Int64) {
        guard let last = runs.last, last.upperBound != .max, last.upperBound + 1 == row else {
            return runs.append(row...row)
        }
        runs[runs.count - 1] = last.lowerBound...row
    }

    /// Returns the rows with others after them.
    func appending(_ others: RowRuns) -> RowRuns {
        var all = self
        all.runs += others.runs
        return all
    }

    /// Returns each row once, in ascending order.
    func sorted() -> RowRuns {
        var sorted = RowRuns()
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = sorted.runs.last, last.upperBound == .max || run.lowerBound <= last.upperBound + 1 else {
                sorted.runs.append(run)
                continue
            }
            sorted.runs[sorted.runs.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
        }
        return sorted
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
            let bounds = run.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                .map { Int64(Substring($0)) }
            guard let first = bounds[0], let last = bounds.count == 1 ? first : bounds[1], bounds.count < 3,
                0 < first, first <= last
            else { return nil }
            runs.append(first...last)
        }
    }
}

/// The rows of several entities in an order.
struct GroupedRows<Entity: Equatable & Sendable>: Sendable {
    /// A part of the order.
    private(set) var groups: [(entity: Entity, rows: RowRuns)] = []

    mutating func append(_ row: Int64, of entity: Entity) {
        // A copy of the last group would copy its rows for each new one.
        guard groups.last?.entity == entity else {
            return groups.append((entity, RowRuns(CollectionOfOne(row))))
        }
        groups[groups.count - 1].rows.append(row)
    }

    /// Adds rows of an entity at the end.
    mutating func append(_ rows: RowRuns, of entity: Entity) { if !rows.runs.isEmpty { groups.append((entity, rows)) } }

    /// Returns the rows with other numbers and entities.
    func map<Other>(_ rename: (Entity) -> Other, _ renumber: (Int64) -> Int64) -> GroupedRows<Other> {
        var mapped = GroupedRows<Other>()
        mapped.groups = groups.map { (rename($0.entity), RowRuns($0.rows.rows.lazy.map(renumber))) }
        return mapped
    }
}

extension Sequence {
    /// Returns the rows of several lists, one after the other.
    func joined<Entity>() -> GroupedRows<Entity> where Element == GroupedRows<Entity> {
        var all = GroupedRows<Entity>()
        for list in self { for group in list.groups { all.append(group.rows, of: group.entity) } }
        return all
    }
}
