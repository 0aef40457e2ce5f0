/// The state of mappings that select by content in one decode.
struct MatchingProgress {
    /// Whether the first value of a watched key may be used before the object is read completely.
    var takesValuesEarly = false
    /// Whether a watched key was repeated in an object, so that an early value may be wrong.
    var foundDuplicateWatchedKey = false
    /// The number of nested mappings that closures returned.
    private var depth = 0

    /// Each needs several times the stack of an object, and one that returns itself would never end.
    static var mostDepth: Int { 64 }

    var mayNest: Bool { depth < MatchingProgress.mostDepth }

    /// The state for a mapping returned by a closure.
    var nested: MatchingProgress {
        var nested = MatchingProgress()
        nested.depth = depth + 1
        return nested
    }
}

extension PlanReader {
    /// Skips a value and searches for the value at keys, the last one for repeated keys; the result is `broken` if
    /// something other than an object is on the path.
    mutating func pass(_ start: Bytes, to keys: ArraySlice<MatchKey>, _ found: inout MatchSource.Found) -> Bytes? {
        guard let key = keys.first else {
            found = .text(start, fence: fence)
            return skip(start)
        }
        guard start.pointee == .openBrace else {
            found = .broken
            return skip(start)
        }
        return members(start) { reader, name, count, place in
            guard key.equals(name, count) else { return reader.skip(place) }
            found = .absent
            return reader.pass(place, to: keys.dropFirst(), &found)
        }
    }

    /// Reads at a place that was skipped, with another fence.
    @inline(__always) mutating func reading<Result>(
        _ place: Bytes, _ fence: Bytes, _ body: (inout PlanReader, Bytes) -> Result
    ) -> Result {
        let outer = self.fence
        rewind(to: fence)
        let result = body(&self, place)
        rewind(to: outer)
        return result
    }

    /// Returns the value at a place that was skipped.
    mutating func tree(_ place: Bytes, _ fence: Bytes) -> JSON? {
        reading(place, fence) { reader, place in
            guard let end = reader.skip(place) else { return nil }
            return try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit)
        }
    }
}

extension PlanReader {
    /// Adds the issue of a value that matches no case.
    @inline(never) mutating func noteUnmatched(_ state: inout MatchState, _ steps: [MatchStep]) {
        let isObject = state.place.pointee == .openBrace
        switch (steps.count == 1 ? steps.first : nil, isObject) {
        case (.value(let source, let table), _) where isObject || source.isCurrentValue || source.isContextual:
            noteUnknown(source, table, &state)
        case (.wrapper(let keys, _), true):
            note(
                .notFound, at: state.place, state.rule, alternatives(keys.map { "the key '\($0)'" }),
                "no such key", nearestNames(to: firstKey(state), among: keys))
        case (.value, _), (.wrapper, _):
            note(.typeMismatch, at: state.place, state.rule, "an object", JSONKind(of: state.place).name)
        default:
            note(
                .invalidValue, at: state.place, state.rule, "a value that one of the cases matches",
                "\(JSONKind(of: state.place).name) that none matches", suggestions(&state, steps))
        }
    }

    /// Adds the issue of a value that is unknown or absent.
    private mutating func noteUnknown(_ source: MatchSource, _ table: MatchTable, _ state: inout MatchState) {
        let expected = "\(alternatives(table.names)) as '\(source.name)'"
        switch source.find(&self, &state) {
        case .broken: return
        case .absent:
            guard let (key, isOnly) = source.key, isOnly, let end = state.end?.place else {
                return note(.invalidValue, at: state.place, state.rule, expected, "no value")
            }
            let keys = ObjectKeys(stretch(state.place, end))
            findings.append(missing(key, at: state.place, state.rule, keys.near([key])))
        case let found:
            guard let (json, place) = value(found, state) else { return }
            note(.invalidValue, at: place, state.rule, expected, another(json, table), nearest(json, table))
        }
    }

    /// Returns names similar to the values, for the first case with known names.
    private mutating func suggestions(_ state: inout MatchState, _ steps: [MatchStep]) -> [String] {
        for case .value(let source, let table) in steps {
            let found = value(source.find(&self, &state), state)
            if let near = found.map({ nearest($0.json, table) }), !near.isEmpty { return near }
        }
        return []
    }

    /// Returns a value that was found, and the place of its issue.
    private mutating func value(_ found: MatchSource.Found, _ state: MatchState) -> (json: JSON, place: Bytes)? {
        switch found {
        case .text(let place, let fence): tree(place, fence).map { ($0, place) }
        case .tree(let json): (json, state.place)
        case .absent, .broken: nil
        }
    }

    private func nearest(_ json: JSON, _ table: MatchTable) -> [String] {
        json.string.map { nearestNames(to: $0, among: table.texts) } ?? []
    }

    /// Returns "another string" if strings are known, otherwise "a string".
    private func another(_ json: JSON, _ table: MatchTable) -> String {
        let kind = JSONKind(of: json)
        return table.kinds.contains(kind) ? "another \(kind.rawValue)" : kind.name
    }

    private mutating func firstKey(_ state: MatchState) -> String {
        var first = ""
        _ = reading(state.place, state.fence) { reader, place in
            reader.members(place) { reader, key, count, place in
                if first.isEmpty { first = makeString(key, count) }
                return reader.skip(place)
            }
        }
        return first
    }

    /// Returns "'a', 'b' or 'c'"; long lists are shortened.
    private func alternatives(_ names: [String]) -> String {
        let most = 8
        if names.count > most { return "\(names.prefix(most).joined(separator: ", ")) or \(names.count - most) others" }
        return names.alternatives
    }
}
