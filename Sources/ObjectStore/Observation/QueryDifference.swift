/// The difference of two lists of distinct row numbers.
struct QueryDifference: Sendable, Equatable {
    var deleted: [Int] = []
    var inserted: [Int] = []
    var moved: [Move] = []
    /// The number of rows at the start, and at the end, that are the same in both lists.
    private(set) var start = 0
    private(set) var tail = 0
    /// The other rows that are in both lists, by their new positions.
    private(set) var sources: [Move] = []

    struct Move: Sendable, Equatable {
        let from: Int
        let to: Int
    }

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty }

    /// Compares two lists; O(n), and O(n log n) if rows have another order.
    init(from old: [Int64], to new: [Int64]) {
        // Most commits change few rows: equal ends are not looked up.
        let limit = min(old.count, new.count)
        while start < limit, old[start] == new[start] { start += 1 }
        while tail < limit - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        let (oldEnd, newEnd) = (old.count - tail, new.count - tail)
        var positions: [Int64: Int] = [:]
        positions.reserveCapacity(oldEnd - start)
        for index in start..<oldEnd { positions[old[index]] = index }
        for index in start..<newEnd {
            if let source = positions.removeValue(forKey: new[index]) {
                sources.append(Move(from: source, to: index))
            } else {
                inserted.append(index)
            }
        }
        deleted = positions.values.sorted()
        let inOrder = Self.longestIncreasing(sources.map(\.from))
        moved = zip(sources, inOrder).compactMap { $1 ? nil : $0 }
    }

    /// The number of positions up to which a list is changed in place.
    static let fewChanges = 64

    /// Changes the objects of the old list to those of the new one.
    ///
    /// - Parameters:
    ///   - objects: The objects of the old list; without a copy elsewhere, few changes do not copy them.
    ///   - new: The objects of the inserted rows, in their order.
    func apply<Object>(to objects: inout [Object], inserting new: [Object]) {
        guard deleted.count + inserted.count + moved.count <= Self.fewChanges else {
            return objects = applied(to: objects, inserting: new)
        }
        let arriving = zip(inserted, new) + moved.map { ($0.to, objects[$0.from]) }
        for position in (deleted + moved.map(\.from)).sorted(by: >) { objects.remove(at: position) }
        for (position, object) in arriving.sorted(by: { $0.0 < $1.0 }) { objects.insert(object, at: position) }
    }

    /// Returns the new list of the objects of the rows.
    private func applied<Object>(to old: [Object], inserting new: [Object]) -> [Object] {
        var objects: [Object] = []
        objects.reserveCapacity(start + sources.count + inserted.count + tail)
        objects += old.prefix(start)
        var (source, insertion) = (0, 0)
        while source < sources.count || insertion < inserted.count {
            if source < sources.count, sources[source].to == objects.count {
                objects.append(old[sources[source].from])
                source += 1
            } else {
                objects.append(new[insertion])
                insertion += 1
            }
        }
        // Not with `+`, which retains all of them in another array.
        objects += old.suffix(tail)
        return objects
    }

    /// Returns the positions of the new list with rows that are in the old list, too, and were written.
    ///
    /// - Parameters:
    ///   - rows: The new list.
    ///   - written: The rows that were written; `nil` for all rows.
    func updates(in rows: [Int64], written: Set<Int64>?) -> [Int] {
        guard let written else { return rows.indices.filter { isKept($0, of: rows.count) } }
        if written.isEmpty { return [] }
        return rows.indices.filter { written.contains(rows[$0]) && isKept($0, of: rows.count) }
    }

    /// Whether a position of the new list has a row that is in the old list, too.
    func isKept(_ position: Int, of count: Int) -> Bool {
        if position < start || position >= count - tail { return true }
        // The positions of insertions are ascending.
        var (low, high) = (0, inserted.count)
        while low < high {
            let middle = (low + high) / 2
            if inserted[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low == inserted.count || inserted[low] != position
    }

    /// Returns which numbers are in a longest increasing subsequence: the rows that do not move.
    private static func longestIncreasing(_ numbers: [Int]) -> [Bool] {
        if zip(numbers, numbers.dropFirst()).allSatisfy(<) { return numbers.map { _ in true } }
        // The position of the smallest last number of a subsequence, for each length; and what precedes each number.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result = numbers.map { _ in false }
        var next = ends.last
        while let index = next {
            result[index] = true
            next = previous[index]
        }
        return result
    }
}
