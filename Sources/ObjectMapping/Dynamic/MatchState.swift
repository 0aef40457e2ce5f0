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
