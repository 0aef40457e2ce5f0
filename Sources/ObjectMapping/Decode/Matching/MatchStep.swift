/// Cases of a mapping that selects by content that are tested together.
indirect enum MatchStep {
    /// Compares the value of one source.
    case value(MatchSource, MatchTable)
    case kind(MatchSource, JSONKind, branch: Int)
    /// Searches wrapper keys, of which one is present.
    case wrapper(keys: [String], NodeRef)
    /// Selects the reader by a closure.
    case condition((JSON) -> MatchResult)
    case otherwise(branch: Int)

    /// Tests the cases.
    func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult {
        switch self {
        case .value(let source, let table):
            return switch source.find(&reader, &state) {
            case .broken: .broken
            case .absent: .none
            case .text(let place, let fence):
                reader.reading(place, fence) { reader, place in table.branch(&reader, place) }.map { .branch($0) }
                    ?? .none
            case .tree(let json): table.branch(json).map { .branch($0) } ?? .none
            }
        case .kind(let source, let kind, let branch):
            return switch source.find(&reader, &state) {
            case .broken: .broken
            case .absent: .none
            case .text(let place, _): JSONKind(of: place) == kind ? .branch(branch) : .none
            case .tree(let json): JSONKind(of: json) == kind ? .branch(branch) : .none
            }
        case .wrapper(let keys, let table): return MatchStep.wrapper(&reader, &state, keys, table)
        case .condition(let condition): return state.tree(&reader).map(condition) ?? .broken
        case .otherwise(let branch): return .branch(branch)
        }
    }

    private static func wrapper(
        _ reader: inout PlanReader, _ state: inout MatchState, _ keys: [String], _ table: NodeRef
    ) -> MatchResult {
        var (branch, member) = (Int.max, state.place)
        var fence = state.fence
        let isValid = state.pass(&reader) { reader, place in
            guard place.pointee == .openBrace else { return reader.skip(place) }
            return reader.members(place) { reader, key, count, place in
                let index = table.pointee.find(key, count)
                if index >= 0, table.pointee.entries[index].offset <= branch {
                    (branch, member, fence) = (table.pointee.entries[index].offset, place, reader.fence)
                }
                return reader.skip(place)
            }
        }
        guard isValid else { return .broken }
        if let trace = reader.trace {
            for key in keys { trace.lookUp([key], at: reader.offset(state.place), isRead: true) }
        }
        return branch == .max ? .none : .wrapped(branch, member, fence: fence)
    }
}

/// Selects by the first value of a key, before the rest of the object is known.
///
/// If the key is repeated, its last value counts: the branch detects the duplicate, and the payload is read again.
final class EarlyChoice {
    private let key: MatchKey
    private let table: MatchTable
    /// Whether each branch detects the duplicate.
    private let isWatching: [Bool]

    /// `nil` if the value is not a member of the object itself, or if no branch would detect a duplicate.
    init?(_ step: MatchStep?, _ branches: [Borrowed<ObjectBox>], _ builder: PlanBuilder) {
        guard case .value(let source, let table)? = step, let key = source.onlyKey, let name = source.key?.first
        else { return nil }
        let isWatching = branches.map { branch in
            let box = branch.object
            return box.readsNodeOnly && builder.watch(name, in: box.node)
        }
        if !isWatching.contains(true) { return nil }
        self.key = key
        self.isWatching = isWatching
        self.table = table
    }

    /// Returns the branch for an object; `nil` if the whole object must be searched.
    ///
    /// The position of the reader does not change.
    func branch(_ reader: inout PlanReader, _ state: MatchState) -> Int? {
        guard state.place.pointee == .openBrace, let value = reader.firstValue(of: key, in: state.place) else {
            return nil
        }
        let branch = reader.reading(value.place, value.fence) { reader, place in table.branch(&reader, place) }
        return branch.flatMap { isWatching[$0] ? $0 : nil }
    }
}

extension PlanReader {
    /// Returns the first value of a key in an object; `nil` if it is missing, or if the JSON before it is invalid.
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
