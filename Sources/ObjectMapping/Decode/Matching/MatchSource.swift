/// Where a condition finds its value.
struct MatchSource {
    /// What a source leads to.
    enum Found {
        case absent
        /// The JSON is broken.
        case broken
        /// A value in the text, where the fence was this one.
        case text(Bytes, fence: Bytes)
        case tree(JSON)
    }

    /// The source as messages name it.
    let name: String
    /// The first key of a plain path, and whether it is the only one.
    let key: (first: String, isOnly: Bool)?
    /// The keys that lead there from the value that is read, where nothing else is needed.
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

    /// The key, if it leads there from the value that is read by itself.
    var onlyKey: MatchKey? { keys?.count == 1 ? keys?[0] : nil }
    /// Whether the value is the one that is read.
    var isWhole: Bool { keys?.isEmpty == true }
    /// Whether what stands around the value has to be known.
    var isContextual: Bool { keys == nil }

    /// Looks the value up.
    func find(_ reader: inout PlanReader, _ state: inout MatchState) -> Found {
        guard let keys else { return contextual(&reader, &state) }
        if keys.isEmpty { return .text(state.place, fence: state.fence) }
        if let key, let trace = reader.trace { trace.read(key.first, at: reader.offset(state.place)) }
        var found = Found.absent
        let isSound = state.pass(&reader) { reader, place in reader.pass(place, to: keys[...], &found) }
        guard isSound else { return .broken }
        // Something else than an object is on the way: what that means is known to trees.
        guard case .broken = found else { return found }
        guard let tree = state.tree(&reader), case .object(_, let path) = source else { return .broken }
        return MatchSource.found(try? tree.value(at: path.path.components[...]))
    }

    private func contextual(_ reader: inout PlanReader, _ state: inout MatchState) -> Found {
        // Passed over first: nothing is looked up beside what is broken.
        guard state.passIfNeeded(&reader) else { return .broken }
        // An operator over values that it does not take finds nothing.
        return MatchSource.found((try? reader.value(of: source))?.json)
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

/// What is known of a value while its cases are tried.
struct MatchState {
    /// The value, and the fence as it was there.
    let place: Bytes
    let fence: Bytes
    /// The rule that reads the value.
    let rule: Int32
    /// Behind the value, and the fence there; nil if it was not passed over.
    var end: (place: Bytes, fence: Bytes)?
    private var known: JSON?

    init(_ reader: borrowing PlanReader, _ place: Bytes, rule: Int32) {
        self.place = place
        self.rule = rule
        fence = reader.fence
    }

    /// Passes over the value by a closure; false if it is broken.
    mutating func pass(_ reader: inout PlanReader, _ body: (inout PlanReader, Bytes) -> Bytes?) -> Bool {
        reader.rewind(to: fence)
        guard let end = body(&reader, place) else { return false }
        self.end = (end, reader.fence)
        return true
    }

    /// Passes over the value, unless that was done; false if it is broken.
    mutating func passIfNeeded(_ reader: inout PlanReader) -> Bool {
        end != nil || pass(&reader) { reader, place in reader.skip(place) }
    }

    /// The value as a tree; nil if it is broken.
    mutating func tree(_ reader: inout PlanReader) -> JSON? {
        if known == nil, passIfNeeded(&reader) { known = reader.tree(place, fence) }
        return known
    }
}

/// What reads a value of which a case matches.
enum MatchResult {
    case none
    /// The JSON is broken.
    case broken
    case branch(Int)
    /// The branch reads the value of a member, where the fence was this one.
    case wrapped(Int, Bytes, fence: Bytes)
    case mapping(ChosenReading)
}

/// Reads a value by a mapping that a closure returned, into empty memory; returns whether a model was made.
///
/// The memory is nil if there is a model already, which is not touched.
typealias ChosenReading = (inout PlanReader, MatchState, Memory?) -> Bool
