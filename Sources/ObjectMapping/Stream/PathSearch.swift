/// Searches a text for the collection at a key path, and collects the data for the message if it is missing.
struct PathSearch {
    let path: JSONKeyPath
    private let keys: [String]
    private(set) var isFound = false
    /// Keys found where the path ended.
    private var keysSeen: [String] = []
    private var depthReached = 0

    private static var mostKeysSeen: Int { 100 }

    /// - Parameter keys: The keys of the path.
    init(_ path: JSONKeyPath, _ keys: [String]) {
        self.path = path
        self.keys = keys
    }

    /// Returns the keys of a path without operators.
    static func keys(of path: JSONKeyPath) throws(MappingError) -> [String] {
        guard let keys = path.plainKeys, path.mistake == nil else {
            throw MappingError(
                path.issue ?? .mapping("keys joined by dots", "operators in the key path '\(path)'"))
        }
        return keys
    }

    /// The number of keys in the path.
    var depth: Int { keys.count }

    /// Enters the value at the first keys; returns whether it is the collection.
    mutating func enter(_ depth: Int) -> Bool {
        depthReached = max(depthReached, depth)
        return depth == keys.count
    }

    /// Compares a member's key with the one at a depth of the path; returns whether its value continues the path.
    mutating func matches(_ key: String, at depth: Int) -> Bool {
        if ExactText(text: key) == ExactText(text: keys[depth]) {
            keysSeen.removeAll()
            return true
        }
        // The elements of an array have the same keys.
        if depth == depthReached, keysSeen.count < PathSearch.mostKeysSeen, !keysSeen.contains(key) {
            keysSeen.append(key)
        }
        return false
    }

    /// Records that the collection was found; null is an empty one.
    mutating func succeed() { isFound = true }

    /// The issue of a text that ends without the collection; `nil` if it was found.
    var issue: MappingIssue? {
        if isFound { return nil }
        let missingKey = depthReached < keys.count ? keys[depthReached] : ""
        let seen =
            keysSeen.isEmpty
            ? "nothing there" : "the keys \(keysSeen.prefix(12).map(printable).joined(separator: ", "))"
        return MappingIssue(
            kind: .notFound, path: "$", position: TextPosition(), expected: expectation, found: seen,
            suggestions: nearestNames(to: missingKey, among: keysSeen))
    }

    private var expectation: String { keys.isEmpty ? "elements" : "elements at '\(path)'" }
}
