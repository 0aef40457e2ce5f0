extension PlanBuilder {
    /// Returns the box that reads values with the first matching case; created once for each identity, so that cycles
    /// end.
    func matching<Model>(_ identity: ObjectIdentifier, _ cases: () -> [MatchCase<Model>]) -> ObjectBox {
        if let known = matching[identity] { return known }
        let draft = newDraft(model: nil)
        let box = MatchingBox<Model>(draft.node)
        matching[identity] = box
        nested { box.resolve(cases(), draft, self) }
        for branch in box.sameValueBoxes { flatten(by: branch.node, from: draft) }
        if box.isRecursive {
            mistake(
                expected: "a mapping of \(Model.self) without infinite recursion",
                found: "a case that uses it for the same value")
        }
        return box
    }

    /// Creates models from the values that a box reads; rows contain the values themselves.
    func converted<Values, Model>(_ box: ObjectBox, _ make: @escaping (Values) -> Model) -> ObjectBox {
        rows == nil ? box.rewrapped(Model.self, self) { ConvertedObjectBox($0, make) } : box
    }

    /// Returns a box that declines values.
    func declining() -> ObjectBox {
        let box = DecliningBox(newDraft(model: nil).node)
        _ = keep(box)
        return box
    }

    /// Returns numbers by key, as a node whose entries have them as offsets.
    func table(_ members: [(key: String, number: Int)]) -> NodeRef {
        let draft = newDraft(model: nil)
        for member in members where draft.actions(for: member.key).isEmpty {
            draft.add(.init(entry: Entry(operation: .value, offset: member.number)), for: member.key)
        }
        return draft.node
    }
}

extension ObjectBox {
    /// Whether the box may be asked to read the value that it is reading.
    fileprivate var isRecursive: Bool {
        var seen: Set<ObjectIdentifier> = []
        var next = sameValueBoxes
        while let box = next.popLast() {
            if box === self { return true }
            if seen.insert(ObjectIdentifier(box)).inserted { next += box.sameValueBoxes }
        }
        return false
    }
}

/// Skips values.
private final class DecliningBox: ObjectBox {
    init(_ node: NodeRef) { super.init(node, size: 0, alignment: 1) }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        reader.companions?.trace?.note("left out: the mapping declines it")
        return super.make(&reader, place, entry, memory)
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        guard let end = reader.skip(place) else { return nil }
        reader.note(
            .notFound, at: place, entry.pointee.rule, "a value for the update", "a declined value")
        return end
    }
}

extension OutputBuilder {
    /// Returns the box that writes values with the first accepting case; created once for each identity, so that cycles
    /// end.
    func matching<Model>(_ identity: ObjectIdentifier, _ cases: () -> [MatchCase<Model>]) -> OutputBox {
        let position = position(of: identity)
        if let known = matching[position] { return known }
        let box = MatchingOutput<Model>()
        matching[position] = box
        _ = keep(box)
        nested { box.resolve(cases(), self) }
        return box
    }
}
