/// The names nearest to a misspelt one, best first, at most three; those too far away are left out.
///
/// Distance counts letters put in, left out, changed or swapped with the next one, in lower case; of equally near names
/// those in the same case come first. Names that differ only in `_`, `-` and case are nearest; to a name of one or two
/// letters only those are near.
package func nearestNames(to name: String, among known: some Sequence<String>) -> [String] {
    let written = Array(name.unicodeScalars)
    let wanted = Array(name.lowercased().unicodeScalars)
    guard (1...64).contains(wanted.count) else { return [] }
    let bare = bareName(wanted)
    let limit = wanted.count < 3 ? 0 : max(1, min(3, wanted.count / 3))
    var seen: Set<String> = []
    let near = known.compactMap { candidate -> (distance: Int, inCase: Int, name: String)? in
        let other = Array(candidate.lowercased().unicodeScalars)
        guard !other.isEmpty, seen.insert(candidate).inserted else { return nil }
        if bare == bareName(other) { return (0, 0, candidate) }
        guard abs(wanted.count - other.count) <= limit else { return nil }
        let distance = editDistance(wanted, other)
        return distance <= limit ? (distance, editDistance(written, Array(candidate.unicodeScalars)), candidate) : nil
    }
    return near.sorted { ($0.distance, $0.inCase, $0.name) < ($1.distance, $1.inCase, $1.name) }.prefix(3).map(\.name)
}

/// Whether two names differ only in `_`, `-` and case.
func isSameName(_ a: String, _ b: String) -> Bool {
    bareName(Array(a.lowercased().unicodeScalars)) == bareName(Array(b.lowercased().unicodeScalars))
}

/// The name without `_` and `-`, unless there is nothing else in it.
private func bareName(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let bare = scalars.filter { $0 != "_" && $0 != "-" }
    return bare.isEmpty ? scalars : bare
}

private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            row.append(best)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
