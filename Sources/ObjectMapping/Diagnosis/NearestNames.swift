/// The names nearest to a misspelt one, best first, at most three; those too far away are left out.
///
/// Distance is Levenshtein's over lower-cased Unicode scalars, and names that differ only in `_`, `-` and case are nearest.
package func nearestNames(to name: String, among known: some Sequence<String>) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = max(1, min(3, wanted.count / 3))
    var seen: Set<String> = []
    let near = known.compactMap { candidate -> (distance: Int, name: String)? in
        guard seen.insert(candidate).inserted else { return nil }
        let other = Array(candidate.lowercased().unicodeScalars)
        if stripped(wanted) == stripped(other) { return (0, candidate) }
        guard abs(wanted.count - other.count) <= limit, wanted.count <= 64 else { return nil }
        let distance = editDistance(wanted, other)
        return distance <= limit ? (distance, candidate) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

private func stripped(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    scalars.filter { $0 != "_" && $0 != "-" }
}

private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var row = Array(0...b.count)
    for i in 0..<a.count {
        var diagonal = row[0]
        row[0] = i + 1
        for j in 0..<b.count {
            let substitution = diagonal + (a[i] == b[j] ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
        }
    }
    return row[b.count]
}
