/// The source of a condition's value.
struct MatchSource {
    /// The result of a source.
    enum Found {
        case absent
        /// The JSON is invalid.
        case broken
        /// A value in the text, with the fence at its place.
        case text(Bytes, fence: Bytes)
        case tree(JSON)
    }

    /// The name of the source in messages.
    let name: String
    /// The first key of a plain path, and whether it is the only one.
    let key: (first: String, isOnly: Bool)?
    /// The keys to the value, if it is inside the current value and has a plain path.
    private let keys: [MatchKey]?
    private let source: ContextSource

    init(_ source: MappingSource, rule: Int32, _ builder: PlanBuilder) {
        name = source.description
        if case .path(let path) = source.kind, path.issue == nil, let plain = path.plainKeys {
            self.source = .object(levels: 0, ContextPath(path))
            keys = plain.map { MatchKey(builder.table([($0, 0)])) }
            key = plain.first.map { ($0, plain.count == 1) }
        } else {
            self.source = builder.context(source, rule: rule)
            (keys, key) = (nil, nil)
        }
    }

    /// The key, if the value is a direct member of the current value.
    var onlyKey: MatchKey? { keys?.count == 1 ? keys?[0] : nil }
    /// Whether the value is the current value itself.
    var isCurrentValue: Bool { keys?.isEmpty == true }
    /// Whether the surroundings of the value are required.
    var isContextual: Bool { keys == nil }

    /// Looks up the value.
    func find(_ reader: inout PlanReader, _ state: inout MatchState) -> Found {
        guard let keys else { return contextual(&reader, &state) }
        if keys.isEmpty { return .text(state.place, fence: state.fence) }
        report(reader, state)
        var found = Found.absent
        let isValid = state.pass(&reader) { reader, place in reader.pass(place, to: keys[...], &found) }
        guard isValid else { return .broken }
        // Something other than an object is on the path: trees handle it.
        guard case .broken = found else { return found }
        guard let tree = state.tree(&reader), case .object(_, let path) = source else { return .broken }
        return MatchSource.found(try? tree.value(at: path.path.components[...]))
    }

    private func contextual(_ reader: inout PlanReader, _ state: inout MatchState) -> Found {
        // Skipped first: invalid JSON is not searched.
        guard state.passIfNeeded(&reader) else { return .broken }
        report(reader, state)
        // An operator over unsupported values finds nothing.
        return MatchSource.found((try? reader.value(of: source))?.json)
    }

    /// Reports the key paths that the condition reads in the value itself.
    private func report(_ reader: borrowing PlanReader, _ state: MatchState) {
        guard let trace = reader.trace else { return }
        for source in source.alternatives { source.report(to: trace, reader.offset(state.place), isRead: true) }
    }

    private static func found(_ value: JSON??) -> Found { value.flatMap(\.self).map { .tree($0) } ?? .absent }
}

/// A key to compare with.
struct MatchKey {
    private let node: NodeRef

    init(_ node: NodeRef) { self.node = node }

    @inline(__always) func equals(_ key: Bytes, _ count: Int) -> Bool {
        let own = node.pointee.keys[0]
        return own.count == count && own.bytes.isSame(as: key, count)
    }
}

/// What is known about a value while its cases are tested.
struct MatchState {
    /// The value, and the fence at its place.
    let place: Bytes
    let fence: Bytes
    /// The rule of the value.
    let rule: Int32
    /// The end of the value, and the fence there; `nil` if it was not skipped yet.
    var end: (place: Bytes, fence: Bytes)?
    private var known: JSON?

    init(_ reader: borrowing PlanReader, _ place: Bytes, rule: Int32) {
        self.place = place
        self.rule = rule
        fence = reader.fence
    }

    /// Skips the value with a closure; returns false for invalid JSON.
    mutating func pass(_ reader: inout PlanReader, _ body: (inout PlanReader, Bytes) -> Bytes?) -> Bool {
        reader.rewind(to: fence)
        guard let end = body(&reader, place) else { return false }
        self.end = (end, reader.fence)
        return true
    }

    /// Skips the value, unless it was skipped before; returns false for invalid JSON.
    mutating func passIfNeeded(_ reader: inout PlanReader) -> Bool {
        end != nil || pass(&reader) { reader, place in reader.skip(place) }
    }

    /// Returns the value as a tree; `nil` for invalid JSON.
    mutating func tree(_ reader: inout PlanReader) -> JSON? {
        if known == nil, passIfNeeded(&reader) { known = reader.tree(place, fence) }
        return known
    }
}

/// Selects the reader of a value.
enum MatchResult {
    case none
    /// The JSON is invalid.
    case broken
    case branch(Int)
    /// The branch reads the value of a member, with the fence at its place.
    case wrapped(Int, Bytes, fence: Bytes)
    case mapping(ChosenReading)
}

/// Reads a value with a mapping returned by a closure into empty memory; returns whether a model was created.
///
/// The memory is `nil` if a model already exists, which is unchanged.
typealias ChosenReading = (inout PlanReader, MatchState, Memory?) -> Bool
