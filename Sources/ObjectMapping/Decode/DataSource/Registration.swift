/// The identity of a mapping's models and its connections, for a plan with a data source.
class Registration {
    let kind: ObjectKind
    /// The properties for which a read records whether the payload contains them, starting with the identity.
    private let marked: [AnyKeyPath: UInt64]
    let identityMarks: UInt64
    let stampMark: UInt64
    /// Those that a rule sets; for others nothing is known, so they count as contained in the payload.
    @safe @exclusivity(unchecked) private(set) var ruled: UInt64 = 0
    /// The properties set by rules, to undo the effect of a failed decode on an object.
    private var rules: [RuleStorage] = []
    @safe @exclusivity(unchecked) private(set) var groups: [ConnectionGroup] = []
    /// Stored properties of the identity that no rule sets: they have their initial value in every model.
    private(set) var unsetIdentity: [AnyKeyPath] = []
    /// The properties of the identity, then the stamp, with the rules that set them.
    private(set) var slots: [IdentityPlan.Slot]
    let isClass: Bool
    // Exclusivity unchecked: it does not change after the plan is compiled.
    /// Reads the identity before an object is created; `nil` if it is read from the object.
    @safe @exclusivity(unchecked) var identity: Borrowed<IdentityPlan>?

    init(
        _ kind: ObjectKind, isClass: Bool, _ slots: [IdentityPlan.Slot], stamp: AnyKeyPath?,
        connections: [ConnectionRule]
    ) {
        self.kind = kind
        self.isClass = isClass
        self.slots = slots
        var marked: [AnyKeyPath: UInt64] = [:]
        func mark(_ keyPath: AnyKeyPath) -> UInt64 {
            if let known = marked[keyPath] { return known }
            // Those beyond 64 count as contained in the payload.
            let bit: UInt64 = 1 << UInt64(marked.count)
            marked[keyPath] = bit
            return bit
        }
        identityMarks = kind.properties.reduce(0) { $0 | mark($1) }
        stampMark = stamp.map(mark) ?? 0
        for connection in connections { for key in connection.keys { _ = mark(key.keyPath) } }
        self.marked = marked
    }

    /// The marks of keys that are collected before the payload is read.
    @safe @exclusivity(unchecked) var collectedMarks: UInt64 = 0
    /// Whether a connection has several keys.
    @safe @exclusivity(unchecked) private(set) var hasCompoundConnections = false

    /// Returns the key of a connection with a mark.
    func connectionKey(_ mark: UInt64) -> ConnectionRule.Key? {
        guard mark != 0 else { return nil }
        for group in groups {
            for connection in group.connections {
                if let key = connection.rule.keys.first(where: { self.mark(of: $0.keyPath) == mark }) { return key }
            }
        }
        return nil
    }

    func mark(of keyPath: AnyKeyPath) -> UInt64? { marked[keyPath].flatMap { $0 == 0 ? nil : $0 } }

    /// Records that a rule sets a property.
    func note(_ rule: RuleStorage, _ property: Property) {
        rules.append(rule)
        guard !marked.isEmpty else { return }
        let keyPath = property.keyPath()
        unsetIdentity.removeAll { $0 == keyPath }
        if let mark = mark(of: keyPath) { ruled |= mark }
    }

    /// The index of a property among those of the identity and the stamp.
    func slot(of keyPath: AnyKeyPath) -> Int? { slots.firstIndex { $0.property == keyPath } }

    /// Records the rule that sets the property of a slot, and its source; `nil` if it is not read ahead.
    func note(_ source: IdentityPlan.Source?, _ entry: EntryRef, of slot: Int) {
        slots[slot].rules.append(IdentityPlan.Rule(entry: entry, source: source))
    }

    /// Whether the current key of a model differs from the key after a property was first read.
    func hasOtherKey(_ decode: SourceDecode, _ slot: Int, _ base: Memory, isGiven: Bool) -> Bool { false }

    /// Whether setting a property can set the one at a key path: the same property, a part of it, or an enclosing one.
    private static func sets(_ property: Property, _ keyPath: AnyKeyPath) -> Bool {
        guard let set = property.storedNames, let identity = Property.storedNames(of: keyPath) else { return true }
        return zip(set, identity).allSatisfy { $0 == $1 }
    }

    /// Declares the properties of the identity that a rule should set.
    func expectIdentity(_ keyPaths: [AnyKeyPath]) { unsetIdentity = keyPaths }

    /// Ends the rules: the identity of a mapping without rules is set by the mappings that it selects from.
    func endRules() {
        hasCompoundConnections = groups.contains { $0.connections.contains { $0.rule.keys.count > 1 } }
        for group in groups {
            group.isCollected = group.connections.allSatisfy { connection in
                connection.rule.keys.allSatisfy { mark(of: $0.keyPath).map { collectedMarks & $0 != 0 } ?? false }
            }
        }
        if !hasRules { unsetIdentity = [] }
        unsetIdentity.removeAll { keyPath in
            Property.storedNames(of: keyPath) == nil
                || rules.contains { $0.property.map { Registration.sets($0, keyPath) } == true }
        }
    }

    var hasRules: Bool { !rules.isEmpty }

    func add(_ connection: ObjectConnection) {
        let group =
            groups.first { $0.connections[0].destination == connection.destination } ?? ConnectionGroup()
        if group.connections.isEmpty { groups.append(group) }
        group.add(connection)
    }

    /// The identity of an object, from any source.
    func key(of object: AnyObject) -> ObjectKey? { nil }

    /// Throws an error if an object does not have the mapping's class.
    func check(_ object: AnyObject) throws(MappingError) {
        guard !kind.accepts(type(of: object)) else { return }
        throw MappingError(
            MappingIssue(
                kind: .dataSource, path: "$", expected: "an object of the class \(kind.type) from the data source",
                found: "an object of the class \(type(of: object))"))
    }

    /// Copies the properties of an object; the returned closure restores them.
    func state(of object: AnyObject) -> () -> Void {
        var object = object
        let kept = withMutableMemory(of: &object) { memory in rules.map { $0.keep(memory) } }
        return { [object] in
            var object = object
            withMutableMemory(of: &object) { memory in for restore in kept { restore(memory) } }
        }
    }
}

/// A `Registration` with a known type.
final class TypedRegistration<Model>: Registration {
    // Not the storage, which would create a reference cycle.
    let traits: MappingTraits<Model>
    let isFilled: Bool
    /// Whether the models are objects of a store.
    let isStored: Bool

    init(_ storage: MappingStorage<Model>) {
        traits = storage.traits
        isFilled = storage.isFilled
        isStored = storage.isStored
        super.init(
            ObjectKind(Model.self, by: traits.identity, storage.rules), isClass: Model.self is AnyClass,
            traits.identity.map { IdentityPlan.Slot(property: $0.keyPath, value: $0.value) }
                + [traits.stamp].compactMap(\.self).map { IdentityPlan.Slot(property: $0.keyPath, value: $0.value) },
            stamp: traits.stamp?.keyPath, connections: traits.connections)
        if isFilled { expectIdentity(traits.identity.map(\.keyPath)) }
    }

    /// Returns the identity of a model that was read; `nil` if the payload does not contain it.
    func key(of model: Model, _ marks: RuleMarks) -> ObjectKey? {
        hasIdentity(marks) ? traits.identity.key(of: model) : nil
    }

    /// Whether the payload contains the identity of a model.
    func hasIdentity(_ marks: RuleMarks) -> Bool {
        !traits.identity.isEmpty && unsetIdentity.isEmpty && marks.haveValues(identityMarks & ruled)
    }

    override func hasOtherKey(_ decode: SourceDecode, _ slot: Int, _ base: Memory, isGiven: Bool) -> Bool {
        guard slot < traits.identity.count else { return false }
        let key = isGiven ? traits.identity[slot].key(base[as: Model.self]) : nil
        if let first = decode.key(of: slot) { return key != first }
        // An object whose identity was null has no identity.
        if key != nil, decode.position(of: slot)?.place.isNull == true { return true }
        if let key { decode.keep(key, of: slot) }
        return false
    }

    /// The identity of an object, from any source.
    override func key(of object: AnyObject) -> ObjectKey? { (object as? Model).flatMap(traits.identity.key) }

    /// Compares a stamp that was read ahead with that of an object.
    var isNewer: ((Memory, AnyObject) -> Bool)? {
        traits.stamp.map { stamp in { new, object in (object as? Model).map { stamp.isNewerValue(new, $0) } ?? true } }
    }

    /// Whether a model that was read is newer than an existing one.
    func isNewer(_ new: Model, _ marks: RuleMarks, than old: Model) -> Bool {
        guard let stamp = traits.stamp, marks.haveValues(stampMark & ruled) else { return true }
        return stamp.isNewer(new, old)
    }
}

/// The marked properties that the payload contained while one object was read.
struct RuleMarks {
    var mentioned: UInt64 = 0
    /// Those with a value in the payload.
    var given: UInt64 = 0
    /// Those that were reset to their initial value, because null cannot be stored.
    var reset: UInt64 = 0

    /// Whether all of some properties have a value.
    func haveValues(_ marks: UInt64) -> Bool { given & marks == marks }

    /// Records that the payload contains a value.
    mutating func note(given mark: UInt64) {
        mentioned |= mark
        given |= mark
        reset &= ~mark
    }

    /// Records that a property was cleared.
    ///
    /// - Parameter isReset: Whether it was reset to its initial value, which is not a key.
    mutating func note(cleared mark: UInt64, isReset: Bool) {
        mentioned |= mark
        given &= ~mark
        if isReset { reset |= mark } else { reset &= ~mark }
    }
}
