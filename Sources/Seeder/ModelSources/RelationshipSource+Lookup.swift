extension RelationshipSource {
    /// A function that finds the objects in a session; a comment where a session does not know them.
    var lookup: [String] {
        guard let body = relationship.keys.isEmpty ? inverseBody : keysBody else {
            return [
                "// \(relationship.property): \(destination.type).\(inverse?.property ?? "") leads here, but without an identity on both",
                "// sides a session cannot tell from where.",
            ]
        }
        let result = relationship.isToMany ? "[\(destination.type)]" : "\(destination.type)?"
        let conditions = conditions
        return [
            "/// What the objects of a session say; \(relationship.isToMany ? "empty" : "nil") where it has read none.",
            "func \(property)(in session: \(outline.types.name("MappingSession"))) -> \(result) {",
        ] + conditions.map { "    " + $0 } + ["    \(conditions.isEmpty ? "" : "return ")\(body)", "}"]
    }

    /// Asks by the keys that this object has.
    private var keysBody: String {
        let keys = relationship.keys.map(own)
        if relationship.isToMany {
            let isOptional = entity.attributes.first { $0.property == relationship.keys[0] }?.isOptional ?? false
            let list = isOptional ? "(\(keys[0]) ?? [])" : keys[0]
            return "\(list).compactMap { session.find(\(destination.type).self, $0) }"
        }
        let groups = relationship.triesEachKey ? keys : [keys.joined(separator: ", ")]
        return groups.map { "session.find(\(destination.type).self, \($0))" }.joined(separator: " ?? ")
    }

    /// Asks the objects of the other side whether they lead to this one.
    private var inverseBody: String? {
        guard let inverse, !destination.identity.isEmpty else { return nil }
        let isClass = outline.kind == .classes
        guard isClass || !entity.identity.isEmpty else { return nil }
        let back =
            inverse.form == .lookup
            ? "\(SwiftName.declared(inverse.property))(in: session)" : SwiftName.declared(inverse.property)
        func isSelf(_ other: String) -> String {
            isClass
                ? "\(other) === self"
                : entity.identity.map { "\(other).\($0) == self.\($0)" }.joined(separator: " && ")
        }
        let test =
            inverse.isToMany
            ? "other.\(back).contains { \(isSelf("$0")) }" : isSelf("other.\(back)\(isClass ? "" : "?")")
        let search = relationship.isToMany ? "filter" : "first"
        return "session.all(\(destination.type).self).\(search) { other in \(test) }"
    }

    /// What has to hold before the keys mean anything.
    private var conditions: [String] {
        relationship.keys.isEmpty
            ? []
            : relationship.conditions.map { name, value in
                let none = relationship.isToMany ? "[]" : "nil"
                return condition(name, value) { "guard \(own(name)) == \($0) else { return \(none) }" }
                    ?? "guard false else { return \(none) }"
            }
    }

    /// A property of this object, where a parameter has a name, too.
    private func own(_ property: String) -> String {
        property == "session" ? "self.session" : SwiftName.declared(property)
    }
}
