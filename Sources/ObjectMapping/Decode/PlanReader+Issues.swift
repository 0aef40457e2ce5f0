extension PlanReader {
    /// Adds an issue of the value at a place.
    @inline(never) mutating func note(
        _ kind: MappingIssue.Kind, at place: Bytes, _ rule: Int32, _ expected: String, _ found: String,
        _ suggestions: [String] = []
    ) {
        var finding = finding(kind, at: place, rule, expected, found)
        (finding.suggestions, finding.value) = (suggestions, excerpt(place))
        findings.append(finding)
    }

    /// Returns an issue of the value at a place.
    func finding(
        _ kind: MappingIssue.Kind, at place: Bytes, _ rule: Int32, _ expected: String, _ found: String
    ) -> Finding {
        Finding(
            kind: kind, offset: offset(place), rule: rule, expected: expected, found: found,
            computedOffset: borrowed.computedOffset(place), row: rows.openSerial)
    }

    /// Adds an issue of a key, which explains why all columns that begin at it have no value.
    mutating func note(_ finding: Finding, ofKeyOf entry: EntryRef) {
        var finding = finding
        if rows.openSerial > 0 { finding.otherRules = entry.rules }
        findings.append(finding)
    }

    /// Adds an issue if an object that was read has members, but none that its rules read.
    ///
    /// - Parameters:
    ///   - fence: The fence at the object.
    ///   - result: The result of reading it; errors make this issue unnecessary.
    @inline(never) mutating func requireMappedKey(
        _ place: Bytes, _ fence: Bytes, _ objects: ObjectBox, _ result: MakeResult
    ) {
        guard result.end != nil, !findings.hasErrors else { return }
        let inner = self.fence
        rewind(to: fence)
        if !holdsMappedKey(place, objects), let issue = unmapped(place, objects.node) { findings.append(issue) }
        rewind(to: inner)
    }

    private mutating func holdsMappedKey(_ place: Bytes, _ objects: ObjectBox) -> Bool {
        guard place.pointee == .openBrace, objects.mayLackMappedKeys else { return true }
        return holdsKey(of: objects.node, place, nesting: 0)
    }

    /// Returns the issue of an object without a mapped key; `nil` for an empty object and for invalid JSON.
    @inline(never) private mutating func unmapped(_ place: Bytes, _ node: NodeRef) -> Finding? {
        let outer = fence
        let end = skip(place)
        rewind(to: outer)
        guard let known = end.map({ ObjectKeys(stretch(place, $0)) }), !known.keys.isEmpty else { return nil }
        func quoted(_ keys: some Sequence) -> String { keys.map { "'\(printable("\($0)"))'" }.joined(separator: ", ") }
        let mapped = plan.outlines[node.pointee.id].prefix(12).map { plan.rules[Int($0)].source }
        let near = mapped.flatMap { source in known.near(source.keyPath?.plainKeys ?? []).map { (source, $0) } }
        var found = "only \(quoted(known.keys.prefix(12)))"
        if let (source, key) = near.first(where: { known.keys.contains($1) }) {
            found += (known.keys.count == 1 ? ", which" : "; '\(key)'") + " is similar to '\(source)'"
        }
        var issue = finding(.notFound, at: place, -1, "one of the mapped keys \(quoted(mapped))", found)
        issue.suggestions = near.map(\.1).filter { !known.keys.contains($0) }.prefix(3).map { $0 }
        issue.value = excerpt(place)
        return issue
    }

    /// Restores an earlier list of findings.
    mutating func restore(_ earlier: FindingList) {
        findings = earlier
        trace?.didDropFindings(after: earlier.kept.count)
    }

    /// Adds the issue of a required member that is absent, with similar keys of the object.
    ///
    /// - Parameter present: The object's first keys; `nil` before the first call.
    @inline(never) mutating func noteMissing(
        _ entry: EntryRef, _ index: Int, _ node: NodeRef, _ start: Bytes, _ end: Bytes, _ present: inout ObjectKeys?
    ) {
        let key = node.pointee.keys[index]
        let name = makeString(key.bytes, key.count)
        let known = present ?? ObjectKeys(stretch(start, end))
        present = known
        let near = known.near(path(from: name, of: entry.pointee.rule))
        note(missing(name, at: start, entry.pointee.rule, near), ofKeyOf: entry)
    }

    /// Returns the issue of a key that is absent from the object at a place.
    func missing(_ key: String, at place: Bytes, _ rule: Int32, _ suggestions: [String]) -> Finding {
        var issue = finding(.missing, at: place, rule, "the key '\(key)'", "no such key")
        (issue.below, issue.suggestions) = ([.key(key)], suggestions)
        return issue
    }

    /// Returns the rest of a rule's key path, starting with one of its keys.
    private func path(from key: String, of rule: Int32) -> [String] {
        guard rule >= 0, let keys = plan.rules[Int(rule)].source.keyPath?.plainKeys else { return [key] }
        return keys.firstIndex(of: key).map { Array(keys[$0...]) } ?? [key]
    }

    /// Returns the start of a value, up to 60 bytes of its first line, for `details`.
    func excerpt(_ place: Bytes) -> String {
        var end = 0
        var depth = 0
        var isString = false
        scanning: while end < 60, place[end] >= 0x20 {
            let byte = place[end]
            if isString {
                if byte == .backslash { end += 1 } else if byte == .quote { isString = false }
            } else if byte == .quote {
                isString = true
            } else if byte == .openBrace || byte == .openBracket {
                depth += 1
            } else if byte == .closeBrace || byte == .closeBracket {
                if depth == 0 { break scanning }
                depth -= 1
            } else if depth == 0, byte == .comma {
                break scanning
            }
            end += 1
            if depth == 0, !isString, byte == .quote || byte == .closeBrace || byte == .closeBracket { break }
        }
        return makeString(place, min(end, 60)) + (end >= 60 ? "…" : "")
    }
}

/// Optional parts of a decode, in addition to the plan.
///
/// Most decodes do not use them. Functions that nested values call read them here: without the optimizer, a getter of
/// the reader would copy it to the stack.
final class DecodeCompanions {
    // Exclusivity unchecked: they belong to one decode and no access outlasts a call.
    /// The value that exceeded the stack, which ended the decode.
    @safe @exclusivity(unchecked) fileprivate(set) var stackFailure: Finding?
    /// The decode of a data source, if the plan uses one.
    @safe @exclusivity(unchecked) fileprivate(set) var source: SourceDecode?
    /// The containers that were skipped to find identities.
    @safe @exclusivity(unchecked) fileprivate(set) var passed = PassedContainers()
    /// Receives the steps of the decode for an explanation.
    @safe @exclusivity(unchecked) fileprivate(set) var trace: Trace?
    /// The memory of a model that existed before the decode: equal values are not written.
    @safe @exclusivity(unchecked) fileprivate(set) var updated: Memory?
    /// The merge patch from which the payload was created.
    @safe @exclusivity(unchecked) fileprivate(set) var patch: JSON?
}

extension PlanReader {
    var source: SourceDecode? {
        get { companions?.source }
        set { if newValue != nil || companions != nil { makeCompanions().source = newValue } }
    }

    var passed: PassedContainers {
        get { companions?.passed ?? PassedContainers() }
        _modify { yield &makeCompanions().passed }
    }

    var trace: Trace? {
        get { companions?.trace }
        set { if newValue != nil || companions != nil { makeCompanions().trace = newValue } }
    }

    var updated: Memory? { companions?.updated }

    /// Whether the payload is a merge patch.
    var isPatch: Bool { companions?.patch != nil }

    /// Whether a value of the payload is not part of the merge patch.
    func isUnpatched(_ place: Bytes) -> Bool {
        guard let patch = companions?.patch else { return false }
        let path = JSONTokenizer.places(offsets: [offset(place)], in: window.bytes).first?.path
        return path.map { !patch.value(at: $0).exists } ?? false
    }

    /// Reads into a model that existed before the decode.
    ///
    /// - Parameter patch: The merge patch from which the payload was created. Defaults to `nil`.
    mutating func updating<Result>(
        _ model: Memory, patch: JSON? = nil, _ read: (inout PlanReader) -> Result
    ) -> Result {
        let outer = companions?.updated
        if let patch { makeCompanions().patch = patch }
        makeCompanions().updated = model
        let result = read(&self)
        makeCompanions().updated = outer
        return result
    }

    /// The value that exceeded the stack.
    var stackFailure: Finding? {
        get { companions?.stackFailure }
        set { if newValue != nil || companions != nil { makeCompanions().stackFailure = newValue } }
    }

    /// The failure that ended the decode although the JSON may be valid: the stack is full, or the data source refuses
    /// an object.
    var failure: Finding? { companions.flatMap { $0.stackFailure ?? $0.source?.failure } }

    @inline(never) mutating func failForStack(at place: Bytes) {
        guard stackFailure == nil else { return }
        stackFailure = Finding(
            kind: .limit, offset: offset(place), rule: -1, expected: StackRoom.expected, found: StackRoom.found)
    }

    private mutating func makeCompanions() -> DecodeCompanions {
        if let companions { return companions }
        let new = DecodeCompanions()
        companions = new
        return new
    }
}
