/// What a plan being made has to do with sessions.
struct RegistrationDraft {
    /// Whether models are registered by the plan.
    let isWanted: Bool
    /// Whether a mapping was seen of whose models a session knows something.
    var isOfUse = false
    /// Whether a mapping was seen that is of no use without: one with connections.
    var isNeeded = false
    var known: [ObjectIdentifier: Registration] = [:]
    /// Of the mapping whose rules are being added.
    var current: Registration?
}

extension PlanBuilder {
    /// Makes a box whose objects a session comes to know.
    func registered<Model>(_ storage: MappingStorage<Model>, _ make: () -> ObjectBox) -> ObjectBox {
        if storage.isRegistered { registration.isOfUse = true }
        if !storage.traits.connections.isEmpty { registration.isNeeded = true }
        let outer = registration.current
        defer { registration.current = outer }
        guard registration.isWanted, storage.isRegistered else {
            registration.current = nil
            return make()
        }
        let known = registration.known[ObjectIdentifier(storage)] as? TypedRegistration<Model>
        let own = known ?? TypedRegistration(storage)
        if known == nil {
            registration.known[ObjectIdentifier(storage)] = own
            for connection in storage.traits.connections { resolve(connection, for: own) }
        }
        registration.current = own
        _ = keep(own)
        let objects = make()
        if known == nil {
            own.endRules()
            for keyPath in own.unsetIdentity {
                mistake(
                    expected: "a rule that sets \(Property.name(of: keyPath)), by which models are identified",
                    found: "none", isFatal: false)
            }
        }
        return objects.rewrapped(Model.self, self) { box in
            _ = keep(box)
            return RegisteredBox(box, own)
        }
    }

    /// An entry that notes that its property was mentioned, if that matters.
    func marked(_ entry: Entry, _ rule: RuleStorage) -> Entry {
        guard let registration = registration.current, case .property(let property) = rule.target else { return entry }
        registration.note(rule, property)
        guard let mark = registration.mark(of: property.keyPath()) else { return entry }
        var outer = entry
        outer.operation = .several
        outer.box = keep(MarkBox(kept(entry), mark: mark) as ValueBox)
        return outer
    }

    /// Makes sure that the keys of a connection are such as its target is identified by.
    private func resolve(_ connection: ConnectionRule, for registration: Registration) {
        let target = connection.target()
        let rule = rule(named: connection.keyNames) { connection.name }
        func mistake(_ expected: String, _ found: String) { self.mistake(expected: expected, found: found, rule: rule) }
        let names = target.parts.map(\.name).joined(separator: ", ")
        if target.parts.isEmpty {
            return mistake(
                "a mapping of \(connection.targetType) that is identified(by:) a property", "one that is not")
        }
        guard target.parts.count == connection.keys.count else {
            return mistake("a key for each of \(names)", count(connection.keys.count, "key"))
        }
        for (part, key) in zip(target.parts, connection.keys) where part.type != key.type() {
            return mistake("keys of the type \(part.type), as \(part.name)", "\(key.type())")
        }
        registration.add(
            ResolvedConnection(
                rule: connection, target: target.kind,
                marks: connection.keys.reduce(0) { $0 | (registration.mark(of: $1.keyPath) ?? 0) }))
    }

    private func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }
}
