/// A position in a text.
package struct TextPosition: Sendable, Hashable {
    /// The line, starting at 1; a line ends with a line feed.
    package var line: Int
    /// The column in Unicode scalars, starting at 1; a byte order mark at the start does not count.
    package var column: Int
    /// The offset in bytes.
    package var offset: Int

    package init(line: Int = 1, column: Int = 1, offset: Int = 0) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The position of a value without text.
    package static let unknown = TextPosition(line: 0, column: 0)

    /// Returns the position of a byte in a text whose first byte is at this position.
    package func advanced(over bytes: ByteView, to index: Int) -> TextPosition {
        var place = self
        place.advance(over: bytes, from: 0, to: index)
        return place
    }

    /// Advances over bytes of a text, whose byte at `from` is at this position.
    package mutating func advance(over bytes: ByteView, from start: Int, to end: Int) {
        let end = min(end, bytes.count)
        guard start < end else { return }
        if offset == 0, start == 0 { column -= Self.lengthOfByteOrderMark(in: bytes) > 0 ? 1 : 0 }
        var first = start
        while let newline = bytes.prefix(end).firstIndex(of: 0x0A, from: first) {
            line += 1
            column = 1
            first = newline + 1
        }
        column += bytes.scalarCount(from: first, to: end)
        offset += end - start
    }

    /// Returns 3 if a text starts with the byte order mark of UTF-8, otherwise 0.
    package static func lengthOfByteOrderMark(in bytes: ByteView) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}

/// Returns up to three names that are similar to a misspelled one, best first.
///
/// The distance is the number of inserted, deleted, changed or swapped letters, ignoring case; equal case is preferred.
/// Names that differ only in `_`, `-` and case are the most similar; for names of one or two letters, only these are
/// returned.
package func nearestNames(to name: String, among known: some Sequence<String>) -> [String] {
    let written = Array(name.unicodeScalars)
    let target = Array(name.lowercased().unicodeScalars)
    guard (1...64).contains(target.count) else { return [] }
    let bare = bareName(target)
    let limit = target.count < 3 ? 0 : max(1, min(3, target.count / 3))
    var seen: Set<String> = []
    let near = known.compactMap { candidate -> (distance: Int, inCase: Int, name: String)? in
        let other = Array(candidate.lowercased().unicodeScalars)
        guard !other.isEmpty, seen.insert(candidate).inserted else { return nil }
        if bare == bareName(other) { return (0, 0, candidate) }
        guard abs(target.count - other.count) <= limit else { return nil }
        let distance = editDistance(target, other)
        return distance <= limit ? (distance, editDistance(written, Array(candidate.unicodeScalars)), candidate) : nil
    }
    return near.sorted { ($0.distance, $0.inCase, $0.name) < ($1.distance, $1.inCase, $1.name) }.prefix(3).map(\.name)
}

/// Returns the end of a message with suggestions, `; did you mean 'name'?`, which names the best one; empty without any.
///
/// Names from a payload or a file are escaped.
package func suggestionText(_ names: [String]) -> String {
    names.first.map { "; did you mean '\(printable($0))'?" } ?? ""
}

/// Whether two names differ only in `_`, `-` and case.
func isSameName(_ a: String, _ b: String) -> Bool {
    bareName(Array(a.lowercased().unicodeScalars)) == bareName(Array(b.lowercased().unicodeScalars))
}

/// Returns the name without `_` and `-`, unless it consists of them.
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
