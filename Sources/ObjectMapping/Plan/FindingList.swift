/// The findings of a decode: so many errors and so many warnings are kept, the rest is counted.
///
/// `count` grows with each one all the same, so that whether something was found is told by comparing it.
struct FindingList {
    private(set) var kept: [Finding] = []
    /// How many were noted, kept or not.
    private(set) var count = 0
    /// What `count` was before the last error; -1 without any.
    private var lastError = -1
    private var keptErrors = 0
    /// How many of each sort are kept: one more than are told, which is where the telling ends.
    private let most: Int

    /// - Parameter limit: How many are told.
    init(limit: Int) { most = min(max(0, limit), .max - 1) + 1 }

    var isEmpty: Bool { count == 0 }
    var isOverflowing: Bool { kept.count < count }
    var hasErrors: Bool { lastError >= 0 }
    /// The last one that was kept.
    var last: Finding? { kept.last }

    /// Whether there is an error among those behind the first so many.
    func hasErrors(since first: Int) -> Bool { lastError >= first }

    mutating func append(_ finding: Finding) {
        if !finding.isWarning { lastError = count }
        count += 1
        let isKept = finding.isWarning ? kept.count - keptErrors < most : keptErrors < most
        guard isKept else { return }
        if !finding.isWarning { keptErrors += 1 }
        kept.append(finding)
    }

    mutating func append(contentsOf other: FindingList) {
        let dropped = other.count - other.kept.count
        for finding in other.kept { append(finding) }
        count += dropped
    }

    /// Puts those kept behind the first so many at another place.
    mutating func move(from first: Int, to offset: Int) {
        for index in first..<kept.count { kept[index].offset = offset }
    }

    mutating func removeAll() {
        kept.removeAll(keepingCapacity: true)
        (count, lastError, keptErrors) = (0, -1, 0)
    }
}
