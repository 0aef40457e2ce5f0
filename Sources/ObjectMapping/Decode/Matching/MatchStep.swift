/// Cases of a mapping that selects by content that are tested together.
class MatchStep {
    /// Tests the cases.
    func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult { .none }
}

/// Cases that compare the value of one source.
final class ValueStep: MatchStep {
    let source: MatchSource
    let table: MatchTable

    init(_ source: MatchSource, _ table: MatchTable) {
        self.source = source
        self.table = table
    }

    override func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult {
        switch source.find(&reader, &state) {
        case .broken: .broken
        case .absent: .none
        case .text(let place, let fence):
            reader.reading(place, fence) { reader, place in table.branch(&reader, place) }.map { .branch($0) } ?? .none
        case .tree(let json): table.branch(json).map { .branch($0) } ?? .none
        }
    }
}

/// A case for a kind of value.
final class KindStep: MatchStep {
    let source: MatchSource
    let kind: JSONKind
    private let branch: Int

    init(_ source: MatchSource, _ kind: JSONKind, branch: Int) {
        self.source = source
        self.kind = kind
        self.branch = branch
    }

    override func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult {
        switch source.find(&reader, &state) {
        case .broken: .broken
        case .absent: .none
        case .text(let place, _): JSONKind(of: place) == kind ? .branch(branch) : .none
        case .tree(let json): JSONKind(of: json) == kind ? .branch(branch) : .none
        }
    }
}

/// Cases for wrapper keys, of which one is present.
final class WrapperStep: MatchStep {
    let keys: [String]
    private let table: NodeRef

    init(_ members: [(key: String, branch: Int)], _ builder: PlanBuilder) {
        keys = members.map(\.key)
        table = builder.table(members.map { ($0.key, $0.branch) })
    }

    override func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult {
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
        if let trace = reader.trace { for key in keys { trace.read(key, at: reader.offset(state.place)) } }
        return branch == .max ? .none : .wrapped(branch, member, fence: fence)
    }
}

/// A case with a custom condition.
final class ConditionStep: MatchStep {
    private let condition: (JSON) -> MatchResult

    /// - Parameter condition: Receives the value, and selects its reader.
    init(_ condition: @escaping (JSON) -> MatchResult) { self.condition = condition }

    override func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult {
        state.tree(&reader).map(condition) ?? .broken
    }
}

/// The case for all other values.
final class OtherwiseStep: MatchStep {
    private let branch: Int

    init(branch: Int) { self.branch = branch }

    override func match(_ reader: inout PlanReader, _ state: inout MatchState) -> MatchResult { .branch(branch) }
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
