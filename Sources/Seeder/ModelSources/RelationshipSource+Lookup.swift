import ObjectMapping

extension RelationshipSource {
    /// The source of a function that finds the objects in a session; a comment if a session does not contain them.
    var lookup: [String] {
        guard let body = relationship.keys.isEmpty ? inverseBody : [keysBody] else {
            return [
                "// \(relationship.property): `\(destination.type).\(inverse?.property ?? "")` refers to this object, but a session does not track objects without an identity."
            ]
        }
        let result = relationship.isToMany ? "[\(destination.type)]" : "\(destination.type)?"
        let start = "func \(property)(in session: \(outline.types.name("MappingSession"))) -> \(result) {"
        let conditions = conditions
        let lines = conditions + ["\(conditions.isEmpty ? "" : "return ")\(body[0])"] + body.dropFirst()
        return [lookupComment, start] + lines.map { "    " + $0 } + ["}"]
    }

    private var lookupComment: String {
        let keys = relationship.keys.map { "`\($0)`" }
        let joined = keys.joined(separator: relationship.triesEachKey ? " or else " : " and ")
        let noun = keys.count > 1 && !relationship.triesEachKey ? "keys" : "key"
        return switch (keys.isEmpty, relationship.isToMany) {
        case (true, true): "/// The objects of a session whose `\(inverse?.property ?? "")` refers to this object."
        case (true, false): "/// The object of a session whose `\(inverse?.property ?? "")` refers to this object."
        case (false, true): "/// The objects of a session with the \(noun) \(joined)."
        case (false, false): "/// The object of a session with the \(noun) \(joined)."
        }
    }

    /// The code that searches by the keys of this object.
    private var keysBody: String {
        let keys = relationship.keys.map(own)
        if relationship.isToMany {
            let isOptional = entity.attributes.first { $0.property == relationship.keys[0] }?.isOptional ?? false
            let list = isOptional ? "(\(keys[0]) ?? [])" : keys[0]
            return matching.isEmpty
                ? "\(list).compactMap { session.find(\(destination.type).self, $0) }"
                : "\(list).compactMap { key in \(search(["key"])) }"
        }
        guard matching.isEmpty else {
            let groups = relationship.triesEachKey ? keys.map { [$0] } : [keys]
            return groups.map(search).joined(separator: " ?? ")
        }
        let groups = relationship.triesEachKey ? keys : [keys.joined(separator: ", ")]
        return groups.map { "session.find(\(destination.type).self, \($0))" }.joined(separator: " ?? ")
    }

    /// Returns the code that compares unique attributes with keys, which can be optional.
    private func search(_ keys: [String]) -> String {
        let names = keys.count == 1 ? ["key"] : keys.indices.map { "key\($0 + 1)" }
        let isEqual = zip(matching, names).map { "$0.\($0) == \($1)" }.joined(separator: " && ")
        var code = "session.all(\(destination.type).self).first { \(isEqual) }"
        for ((key, name), attribute) in zip(zip(keys, names), relationship.matching).reversed() {
            let type = types.name(destination.attributes[attribute].type.scalar)
            code = "(\(key) as \(type)?).flatMap { \(name) in \(code) }"
        }
        return code
    }

    /// The code that searches the objects of the other side for references to this one.
    private var inverseBody: [String]? {
        guard let inverse, !destination.identity.isEmpty else { return nil }
        let isClass = outline.kind == .classes
        guard isClass || !entity.identity.isEmpty else { return nil }
        let name = SwiftName.declared(inverse.property)
        let back = "other.\(name)" + (inverse.form == .lookup ? "(in: session)" : "")
        let search = "session.all(\(destination.type).self).\(relationship.isToMany ? "filter" : "first") { other in"
        let test: (String) -> String = { found in
            isClass
                ? "\(found) === self" : entity.identity.map { "\(found).\($0) == self.\($0)" }.joined(separator: " && ")
        }
        if inverse.isToMany { return [search, "    \(back).contains { \(test("$0")) }", "}"] }
        if isClass { return [search, "    \(test(back))", "}"] }
        return [search, "    guard let found = \(back) else { return false }", "    return \(test("found"))", "}"]
    }

    /// The conditions under which the keys are valid.
    private var conditions: [String] {
        relationship.keys.isEmpty
            ? []
            : relationship.conditions.map { name, value in
                let none = relationship.isToMany ? "[]" : "nil"
                return literal(name, value).map { "guard \(own(name)) == \($0) else { return \(none) }" }
                    ?? "guard false else { return \(none) }"
            }
    }

    /// Returns a property of this object, qualified if a parameter has the same name.
    private func own(_ property: String) -> String {
        property == "session" ? "self.session" : SwiftName.declared(property)
    }
}
