/// Records that the payload contains a property, around the rule that sets it; a value that was read ahead is skipped.
final class MarkBox: EntryBox {
    private let mark: UInt64
    /// The index of the property among those of the identity and the stamp; `nil` for the key of a connection.
    private let slot: Int?
    private let registration: Borrowed<Registration>
    /// Reads the value if it is the key of a connection, or a part of it.
    private let key: (value: Borrowed<AssignBox>, type: ConnectionRule.Key)?

    init(_ entry: EntryRef, mark: UInt64, slot: Int?, _ registration: Registration) {
        self.mark = mark
        self.slot = slot
        self.registration = Borrowed(registration)
        let value = entry.pointee.box?.object as? AssignBox
        key = value.flatMap { value in registration.connectionKey(mark).map { (Borrowed(value), $0) } }
        super.init(entry)
        if key != nil { registration.collectedMarks |= mark }
    }

    override var holdsIdentities: Bool { key != nil || entry.pointee.box?.object.holdsIdentities == true }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        guard let key else { return super.collect(identities, &reader, place) }
        if place.isNull { return reader.skip(place) }
        return withValueMemory(key.type.size, key.type.alignment) { space in
            let result = key.value.with { $0.makeValue(&reader, place, entry, space) }
            if result.isMade {
                registration.with { identities.add(key.type.keys(space), of: mark, $0) }
                key.type.destroy(space)
            }
            return result.end
        }
    }

    override func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        guard let decode = reader.companions?.source else { return reader.field(place, entry, node, base) }
        if !place.isNull {
            decode.marks.note(given: mark)
        } else if entry.pointee.nullPolicy == .clear {
            decode.marks.note(cleared: mark, isReset: !entry.pointee.acceptsNull)
        }
        guard let slot else { return reader.field(place, entry, node, base) }
        if decode.wasRead(place, slot) { return reader.skip(place) }
        let end = reader.field(place, entry, node, base)
        if end != nil, registration.with({ $0.hasOtherKey(decode, slot, base, isGiven: !place.isNull) }) {
            reader.note(
                .invalidValue, at: place, entry.pointee.rule, "one value for a property that identifies its object",
                "a second, different one")
        }
        return end
    }

    override func clear(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {
        if isCleared(for: cause) {
            reader.companions?.source?.marks.note(cleared: mark, isReset: !entry.pointee.acceptsNull)
        }
        reader.clear(entry, place, node, base, for: cause)
    }
}

/// Reports the objects that a relationship with the policy `.replace` no longer contains, around the rule that sets it.
final class ReplaceBox: EntryBox {
    private let rule: RuleStorage

    init(_ entry: EntryRef, _ rule: RuleStorage) {
        self.rule = rule
        super.init(entry)
    }

    override func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        let old = rule.objects(of: base)
        let end = reader.field(place, entry, node, base)
        return end == nil || report(old, &reader, place, base) ? end : nil
    }

    override func clear(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {
        let old = rule.objects(of: base)
        reader.clear(entry, place, node, base, for: cause)
        _ = report(old, &reader, place, base)
    }

    // Objects in the last value are found again.
    override func willReset(_ reader: inout PlanReader, _ place: Bytes, _ base: Memory) {
        _ = report(rule.objects(of: base), keeping: [], &reader, place, base)
    }

    /// Reports the objects that are missing now; returns false if that ends the decode.
    private func report(
        _ old: [AnyObject], keeping kept: [AnyObject]? = nil, _ reader: inout PlanReader, _ place: Bytes, _ base: Memory
    ) -> Bool {
        guard !old.isEmpty, let source = reader.companions?.source?.source, let property = rule.property else {
            return true
        }
        let kept = Set((kept ?? rule.objects(of: base)).map { ObjectIdentifier($0) })
        let removed = old.filter { !kept.contains(ObjectIdentifier($0)) }
        guard !removed.isEmpty else { return true }
        return reader.attempt(at: place, entry.pointee.rule) { _ throws in
            try source.didReplace(removed, in: base[as: AnyObject.self], at: property.keyPath())
        }
    }
}
