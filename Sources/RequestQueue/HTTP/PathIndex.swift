/// Finds the few of many path templates that can match a path, segment by segment, as numbers that their owner gives them.
package struct PathIndex: Sendable {
    /// The templates with a common start.
    private struct Node: Sendable {
        /// The next nodes by percent-decoded segment.
        var literals: [String: Int] = [:]
        /// The next node for segments with parameters.
        var parameter: Int?
        /// The templates that end here.
        var ends: [Int] = []
        /// The templates that end here with `*`.
        var wildcards: [Int] = []
    }

    private var nodes = [Node()]
    /// Those for any path, and those of templates that match the end of a path.
    private var others: [Int] = []

    package init() {}

    /// Adds a template; `nil` for any path.
    package mutating func insert(_ number: Int, for template: PathTemplate?) {
        guard let (segments, hasWildcard) = template?.indexedSegments else { return others.append(number) }
        var place = 0
        for segment in segments {
            let next = segment.map { nodes[place].literals[$0] } ?? nodes[place].parameter
            guard let next else {
                nodes.append(Node())
                if let segment {
                    nodes[place].literals[segment] = nodes.count - 1
                } else {
                    nodes[place].parameter = nodes.count - 1
                }
                place = nodes.count - 1
                continue
            }
            place = next
        }
        if hasWildcard { nodes[place].wildcards.append(number) } else { nodes[place].ends.append(number) }
    }

    /// Returns the templates that can match a percent-encoded path, in no particular order.
    ///
    /// - Parameter path: The path; `nil` for the templates of any path.
    package func candidates(for path: String?) -> [Int] {
        guard let path else { return others }
        var found = others
        collect(from: 0, path.isEmpty ? "/" : path[...], &found)
        return found
    }

    /// The recursion is as deep as the templates.
    ///
    /// - Parameter path: The segments after those of the node; `nil` at the end.
    private func collect(from place: Int, _ path: Substring?, _ found: inout [Int]) {
        guard let path else { return found += nodes[place].ends }
        found += nodes[place].wildcards
        guard !nodes[place].literals.isEmpty || nodes[place].parameter != nil else { return }
        let end = path.utf8.firstIndex(of: UInt8(ascii: "/"))
        let rest = end.map { path[path.utf8.index(after: $0)...] }
        if !nodes[place].literals.isEmpty,
            let next = nodes[place].literals[PathTemplate.segmentText(path[..<(end ?? path.endIndex)])]
        {
            collect(from: next, rest, &found)
        }
        if let next = nodes[place].parameter { collect(from: next, rest, &found) }
    }
}
