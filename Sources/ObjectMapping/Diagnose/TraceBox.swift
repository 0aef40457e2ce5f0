/// A rule in a plan for explanations: records the value, then reads it like in any other plan.
final class TraceBox: EntryBox {
    override func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        guard let trace = reader.trace, let rule = trace.beginRule(entry.pointee.rule, reader, place) else {
            return reader.field(place, entry, node, base)
        }
        let before = reader.findings.count
        let end = reader.field(place, entry, node, base)
        // Boxes report values that they do not set; a plain operation and a rejected null only add an issue, which may
        // be dropped.
        let isChecked = entry.pointee.box == nil || rule.kind == .null && entry.pointee.nullPolicy == .fail
        if isChecked, reader.findings.hasErrors(since: before) { rule.isSet = false }
        if end == nil { rule.notes.append("not read: the JSON is invalid") }
        rule.isCleared = rule.kind == .null && entry.pointee.nullPolicy == .clear
        if rule.kind == .null, entry.pointee.nullPolicy == .keep {
            rule.notes.append("unchanged: null has no effect")
        }
        if let kind = rule.kind, kind != .null, rule.objectCount == 0 {
            rule.conversion = valueType.flatMap(kind.conversion)
        }
        trace.endRule(rule, reader)
        return end
    }

    override func clear(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {
        if isCleared(for: cause) { reader.trace?.clearedWithoutValue(entry.pointee.rule, reader) }
        reader.clear(entry, place, node, base, for: cause)
    }
}

/// An object in a plan for explanations.
final class TracedObjectBox: OuterObjectBox {
    private let model: Any.Type

    init(_ object: ObjectBox, _ model: Any.Type) {
        self.model = model
        super.init(object)
    }

    override func begin(_ reader: inout PlanReader, _ place: Bytes) -> Int {
        reader.trace?.beginObject(reader, place, node, model)
        return 0
    }

    override func end(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ memory: Memory, _ begun: Int, _ result: MakeResult
    ) -> Bool {
        reader.trace?.endObject(reader, isMade: result.isMade) ?? result.isMade
    }
}

extension PlanBuilder {
    /// Returns the entry of a rule, wrapped in a plan for explanations.
    func traced(_ entry: Entry) -> Entry {
        guard isTraced else { return entry }
        var outer = entry
        (outer.operation, outer.offset, outer.child) = (.several, 0, nil)
        outer.box = keep(TraceBox(kept(entry)) as ValueBox)
        return outer
    }

    /// Returns the box of a mapping's objects, wrapped in a plan for explanations.
    func traced<Model>(_ box: ObjectBox, _ model: Model.Type) -> ObjectBox {
        guard isTraced else { return box }
        return box.rewrapped(model, self) { TracedObjectBox(keep($0).object, model) }
    }
}

extension Operation {
    /// The type that a plain operation stores.
    var valueType: Any.Type? {
        switch self {
        case .int, .optionalInt: Int.self
        case .double, .optionalDouble: Double.self
        case .bool, .optionalBool: Bool.self
        case .string, .optionalString: String.self
        case .date, .optionalDate: Date.self
        default: nil
        }
    }
}
