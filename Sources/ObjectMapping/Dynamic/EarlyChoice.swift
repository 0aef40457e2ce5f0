/// A choice by the first value of a key, before the rest of the object is known.
///
/// Should the key come again its last value counts: the branch notices it, and the payload is read once more.
final class EarlyChoice {
    private let key: MatchKey
    private let table: MatchTable
    /// Whether each of the branches notices it.
    private let isWatching: [Bool]

    /// nil where the value is none of a member of the object itself, or where no branch would notice.
    init?(_ step: ValueStep, _ branches: [Borrowed<ObjectBox>], _ builder: PlanBuilder) {
        guard let key = step.source.onlyKey, let name = step.source.key?.first else { return nil }
        let isWatching = branches.map { branch in
            let box = branch.object
            return box.readsNodeOnly && builder.watch(name, in: box.node)
        }
        if !isWatching.contains(true) { return nil }
        self.key = key
        self.isWatching = isWatching
        table = step.table
    }

    /// The branch for an object; nil where the whole object has to be looked at.
    ///
    /// The reader stays where it is.
    func branch(_ reader: inout PlanReader, _ state: MatchState) -> Int? {
        guard state.place.pointee == .openBrace, let value = reader.firstValue(of: key, in: state.place) else {
            return nil
        }
        let branch = reader.reading(value.place, value.fence) { reader, place in table.branch(&reader, place) }
        return branch.flatMap { isWatching[$0] ? $0 : nil }
    }
}

extension PlanReader {
    /// The first value of a key in an object; nil if there is none, or if the text is broken before it.
    fileprivate mutating func firstValue(of key: MatchKey, in start: Bytes) -> (place: Bytes, fence: Bytes)? {
        let outer = (fence, nesting.depth)
        var found: (Bytes, Bytes)?
        _ = members(start) { reader, name, count, place in
            guard key.equals(name, count) else { return reader.skip(place) }
            found = (place, reader.fence)
            return nil
        }
        rewind(to: outer.0)
        nesting.depth = outer.1
        return found
    }
}
