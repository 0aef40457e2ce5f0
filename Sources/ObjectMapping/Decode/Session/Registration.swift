/// What a plan that registers knows of one mapping: by what its models are known, and what connects them.
class Registration {
    let type: Any.Type
    let kind: IdentityKind
    /// Properties of which a read notes whether the payload mentions them: the first ones are the identity.
    private let marked: [AnyKeyPath: UInt64]
    let identityMarks: UInt64
    let stampMark: UInt64
    /// Those that some rule sets; of the others nothing is known, so they count as mentioned.
    private(set) var ruled: UInt64 = 0
    /// What rules set, to take back what a failed decode did to an object.
    private(set) var rules: [RuleStorage] = []
    private(set) var groups: [ConnectionGroup] = []
    /// Stored properties of the identity that no rule sets: in every model they have the value of a fresh one.
    private(set) var unsetIdentity: [AnyKeyPath] = []

    init(_ type: Any.Type, _ kind: IdentityKind, stamp: AnyKeyPath?, connections: [ConnectionRule]) {
        self.type = type
        self.kind = kind
        var marked: [AnyKeyPath: UInt64] = [:]
        func mark(_ keyPath: AnyKeyPath) -> UInt64 {
            if let known = marked[keyPath] { return known }
            // Those beyond 64 count as mentioned.
            let bit: UInt64 = 1 << UInt64(marked.count)
            marked[keyPath] = bit
            return bit
        }
        identityMarks = kind.properties.reduce(0) { $0 | mark($1) }
        stampMark = stamp.map(mark) ?? 0
        for connection in connections { for key in connection.keys { _ = mark(key.keyPath) } }
        self.marked = marked
    }

    func mark(of keyPath: AnyKeyPath) -> UInt64? { marked[keyPath].flatMap { $0 == 0 ? nil : $0 } }

    /// Notes that a rule sets a property.
    func note(_ rule: RuleStorage, _ property: Property) {
        rules.append(rule)
        if !unsetIdentity.isEmpty { unsetIdentity.removeAll { Registration.sets(property, $0) } }
        if !marked.isEmpty, let mark = mark(of: property.keyPath()) { ruled |= mark }
    }

    /// Whether setting a property may set what lies at a key path: the same, a part of it, or what holds it.
    private static func sets(_ property: Property, _ keyPath: AnyKeyPath) -> Bool {
        guard let set = property.storedNames, let wanted = Property.storedNames(of: keyPath) else { return true }
        return zip(set, wanted).allSatisfy { $0 == $1 }
    }

    /// Says which properties of the identity some rule should set.
    func expectIdentity(_ keyPaths: [AnyKeyPath]) {
        unsetIdentity = keyPaths.filter { Property.storedNames(of: $0) != nil }
    }

    /// Says that all rules are noted: a mapping without any leaves them to the mappings that it chooses from.
    func endRules() { if rules.isEmpty { unsetIdentity = [] } }

    func add(_ connection: ResolvedConnection) {
        let group =
            groups.first { $0.connections[0].rule.destination as AnyKeyPath == connection.rule.destination }
            ?? ConnectionGroup()
        if group.connections.isEmpty { groups.append(group) }
        group.add(connection)
    }

    /// The properties of an object as they are, to put them back.
    func snapshot(_ memory: Memory) -> (Memory) -> Void {
        let kept = rules.map { $0.keep(memory) }
        return { memory in for restore in kept { restore(memory) } }
    }
}

/// The same, where the type is known.
final class TypedRegistration<Model>: Registration {
    // Not the storage, which keeps the plan that keeps this.
    private let traits: MappingTraits<Model>
    let isFilled: Bool
    let isClass = Model.self is AnyClass

    init(_ storage: MappingStorage<Model>) {
        traits = storage.traits
        isFilled = storage.isFilled
        super.init(
            Model.self, IdentityKind(Model.self, by: storage.traits.identity), stamp: storage.traits.stamp?.keyPath,
            connections: storage.traits.connections)
        if isFilled { expectIdentity(traits.identity.map(\.keyPath)) }
    }

    /// Whether a payload says how new it is.
    var hasStamp: Bool { traits.stamp != nil }

    /// The identity of a model as it was read; nil if the payload does not give it.
    func key(of model: Model, _ marks: RuleMarks) -> AnyHashable? {
        guard !traits.identity.isEmpty, unsetIdentity.isEmpty, marks.give(identityMarks & ruled) else { return nil }
        return traits.identity.key(of: model)
    }

    /// The identity that an object has, whatever gave it; nil for models that are no objects, of which a session has
    /// copies.
    @inline(never) func identity(ofObject memory: Memory) -> AnyHashable? {
        isClass ? traits.identity.key(of: memory[as: Model.self]) : nil
    }

    /// Whether a model as it was read is to be read over one that is there.
    func isNewer(_ new: Model, _ marks: RuleMarks, than old: Model) -> Bool {
        guard let stamp = traits.stamp, marks.give(stampMark & ruled) else { return true }
        return stamp.isNewer(new, old)
    }
}

/// Which marked properties the payload mentioned while one object was read.
struct RuleMarks {
    var mentioned: UInt64 = 0
    /// Those that it gives a value.
    var given: UInt64 = 0
    /// Those that were given back the value of a fresh model, as null does it where nil cannot be.
    var reset: UInt64 = 0

    /// Whether there is a value for all of some properties.
    func give(_ marks: UInt64) -> Bool { given & marks == marks }
}
