extension DocumentWalker {
    /// The keys that stand again in the same object, each as a warning at its second and every later place.
    ///
    /// - Parameter limit: How many are reported; whoever repeats more has made his point.
    package static func duplicateKeys(
        in bytes: UnsafeRawBufferPointer, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(),
        prefix: [JSONPathStep] = [], limit: Int = 1000
    ) -> [MappingIssue] {
        var walker = DocumentWalker(bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix)
        var seen: [Set<ExactText>] = []
        var issues: [MappingIssue] = []
        var position = origin
        var counted = 0
        while issues.count < limit {
            switch walker.next() {
            case .open: seen.append([])
            case .close: seen.removeLast()
            case .scalar: continue
            case .end, .failure: return issues
            case .key(let range):
                let key = JSONText.unescaped(bytes[range.dropFirst().dropLast()])
                guard !seen[seen.count - 1].insert(ExactText(text: key)).inserted else { continue }
                position.advance(over: bytes, from: counted, to: range.lowerBound)
                counted = range.lowerBound
                issues.append(
                    MappingIssue(
                        kind: .duplicateKey, path: walker.path(through: walker.frames.count).text, position: position,
                        expected: "each key once", found: "this key again"))
            }
        }
        return issues
    }
}
