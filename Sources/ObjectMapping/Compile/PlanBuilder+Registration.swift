/// How a plan that is being compiled uses a data source.
struct RegistrationDraft {
    /// Whether the plan uses one.
    let isUsed: Bool
    /// Whether there is a mapping whose models can belong to one.
    var isUsable = false
    /// Whether there is a mapping that requires one (`MappingStorage.needsSession`).
    var isNeeded = false
    var known: [ObjectIdentifier: Registration] = [:]
    /// The registration of the mapping whose rules are being added.
    var current: Registration?
    /// Mappings whose identity is not read before the object.
    var lateIdentities: [MappingIssue] = []
}

extension PlanBuilder {
    /// Returns a box whose objects belong to a data source.
    ///
    /// - Parameter identity: Identifies the mapping in all relationships of the plan.
    func registered<Model>(
        _ storage: MappingStorage<Model>, _ identity: ObjectIdentifier, _ make: () -> ObjectBox
    ) -> ObjectBox {
        if storage.isRegistered { registration.isUsable = true }
        if storage.needsSession { registration.isNeeded = true }
        let outer = registration.current
        defer { registration.current = outer }
        guard registration.isUsed, storage.isRegistered else {
            registration.current = nil
            return make()
        }
        let known = registration.known[identity] as? TypedRegistration<Model>
        let own = known ?? TypedRegistration(storage)
        if known == nil {
            registration.known[identity] = own
            for keyPath in own.kind.properties { check(keyPath) }
            for connection in storage.traits.connections { resolve(connection, for: own) }
        }
        registration.current = own
        _ = keep(own)
        let objects = make()
        if known == nil {
            own.endRules()
            readAhead(own)
            for keyPath in own.unsetIdentity {
                mistake(
                    expected: "a rule that sets \(Property.name(of: keyPath)), the identity of models",
                    found: "no such rule", isFatal: false)
            }
        }
        return objects.rewrapped(Model.self, self) { box in
            _ = keep(box)
            return SourcedBox(box, own)
        }
    }

    /// Plans reading the identity of objects before they are created, if the rules allow it.
    private func readAhead<Model>(_ own: TypedRegistration<Model>) {
        let identity = own.kind.properties
        if !isTraced, own.isClass, !identity.isEmpty {
            own.identity = IdentityPlan(own.slots, identityCount: identity.count, own.isNewer, self).map(keep)
        }
        if identity.isEmpty {
            if own.isStored { return }
            return registration.lateIdentities.append(
                .mapping(
                    "a mapping of \(Model.self) that is identified(by:) a property",
                    "a mapping without an identity"))
        }
        guard own.identity == nil, own.hasRules || !own.isFilled else { return }
        let late = own.slots.filter { $0.rules.count != 1 || $0.rules[0].source == nil }
        let names = (late.isEmpty ? own.slots : late).map { Property.name(of: $0.property) }
        let found =
            late.isEmpty
            ? "a rule that uses an operator, or keys that contain each other"
            : "a computed property, or other rules"
        registration.lateIdentities.append(
            .mapping(
                "a single rule with a plain key path for \(names.joined(separator: ", ")), the identity of "
                    + "the class \(Model.self)",
                own.isClass && own.isFilled ? found : "a mapping that creates its model with an initializer"))
    }

    /// Adds the entry of a rule, wrapped in the boxes that the data source requires.
    func placeMarked(
        _ entry: Entry, _ rule: RuleStorage, from source: MappingSource, _ levels: PlaceholderLevels, in draft: Draft
    ) {
        guard let registration = registration.current, case .property(let property) = rule.target else {
            _ = place(traced(entry), from: source, levels, in: draft)
            return
        }
        registration.note(rule, property)
        let inner = kept(entry)
        let keyPath = property.keyPath()
        var outer = entry
        let slot = registration.slot(of: keyPath)
        if let mark = registration.mark(of: keyPath) {
            outer.operation = .several
            outer.box = keep(MarkBox(inner, mark: mark, slot: slot, registration) as ValueBox)
        } else if rule.options.policy == .replace, rule.plan.readsObjects, registration.isClass {
            outer.operation = .several
            outer.box = keep(ReplaceBox(inner, rule) as ValueBox)
        }
        let place = place(traced(outer), from: source, levels, in: draft)
        if let slot { registration.note(place, inner, of: slot) }
    }

    /// Reports a key path that can trap.
    private func check(_ keyPath: AnyKeyPath, rule: Int32? = nil) {
        guard let mistake = Property.trap(of: keyPath) else { return }
        let place = rule == nil ? ", in the identity \(Property.name(of: keyPath))" : ""
        self.mistake(expected: mistake.expected, found: mistake.found + place, rule: rule)
    }

    /// Verifies that the keys of a connection correspond to the identity of its target.
    private func resolve(_ connection: ConnectionRule, for registration: Registration) {
        let target = connection.target()
        let rule = rule(MappingSource(JSONKeyPath(connection.keyNames))) { connection.name }
        func mistake(_ expected: String, _ found: String) { self.mistake(expected: expected, found: found, rule: rule) }
        for keyPath in [connection.destination] + connection.keys.map(\.keyPath) { check(keyPath, rule: rule) }
        let names = target.parts.map(\.name).joined(separator: ", ")
        guard target.isIdentified else {
            return mistake(
                "a mapping of \(connection.targetType) that is identified(by:) a property",
                "a mapping without an identity")
        }
        guard target.parts.count == connection.keys.count else {
            return mistake("a key for each of \(names)", count(connection.keys.count, "key"))
        }
        for (part, key) in zip(target.parts, connection.keys) where part.type != key.type {
            return mistake("keys of the type \(part.type), like \(part.name)", "\(key.type)")
        }
        if target.kind.isMatching {
            for property in target.kind.properties { check(property, rule: rule) }
            if let problem = (connection.targetType as? any UniqueProperties.Type)?.problem(target.kind.properties) {
                return mistake(problem.expected, problem.found)
            }
        }
        registration.add(
            ObjectConnection(
                rule: connection, target: target.kind,
                marks: connection.keys.reduce(0) { $0 | (registration.mark(of: $1.keyPath) ?? 0) }))
    }

    private func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }
}
