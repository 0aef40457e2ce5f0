import ObjectMapping

/// Reads entities from the JSON form of a model.
struct ModelReader {
    private(set) var problems: [ModelError.Problem] = []

    mutating func entities(of json: JSON) -> [EntityDescription] {
        members(of: json, []).map { name, value in entity(name, value, [.key(name)]) }
    }

    private mutating func entity(_ name: String, _ json: JSON, _ place: [JSONPathStep]) -> EntityDescription {
        checkKeys(of: json, ["identifiedBy", "attributes", "relationships"], place)
        var identity: [String] = []
        if json["identifiedBy"].exists {
            let names = json["identifiedBy"].string.map { [$0] } ?? json["identifiedBy"].array?.compactMap(\.string)
            identity = names ?? []
            if names == nil || names?.count != json["identifiedBy"].array?.count ?? 1 {
                report(place + [.key("identifiedBy")], "expected the name of an attribute, or a list of such")
            }
        }
        var attributes: [AttributeDescription] = []
        for (name, value) in optionalMembers("attributes", of: json, place) {
            attributes.append(attribute(name, value, place + [.key("attributes"), .key(name)]))
        }
        var relationships: [RelationshipDescription] = []
        for (name, value) in optionalMembers("relationships", of: json, place) {
            relationships.append(relationship(name, value, place + [.key("relationships"), .key(name)]))
        }
        return EntityDescription(
            name, identifiedBy: identity, attributes: attributes, relationships: relationships)
    }

    private mutating func attribute(
        _ name: String, _ json: JSON, _ place: [JSONPathStep]
    ) -> AttributeDescription {
        checkKeys(of: json, ["type", "optional", "default"], place)
        let text = string("type", of: json, place) ?? ""
        let type = AttributeType(text)
        if type == nil, !text.isEmpty {
            report(
                place + [.key("type")], "there is no type '\(text)'",
                suggestions: nearestNames(to: text, among: AttributeType.names))
        }
        let defaultValue = json["default"]
        return AttributeDescription(
            name, type ?? AttributeType(.string), isOptional: flag("optional", of: json, place) ?? true,
            defaultValue: defaultValue.exists ? .some(defaultValue) : .none)
    }

    private mutating func relationship(
        _ name: String, _ json: JSON, _ place: [JSONPathStep]
    ) -> RelationshipDescription {
        checkKeys(of: json, ["to", "many", "ordered", "inverse"], place)
        return RelationshipDescription(
            name, to: string("to", of: json, place) ?? "", isToMany: flag("many", of: json, place) ?? false,
            isOrdered: flag("ordered", of: json, place) ?? false,
            inverse: json["inverse"].exists ? string("inverse", of: json, place) : nil)
    }

    // MARK: Parts

    private mutating func members(of json: JSON, _ place: [JSONPathStep]) -> [(key: String, value: JSON)] {
        guard let object = json.object else {
            report(place, "expected an object, found \(json.kindName)")
            return []
        }
        return Array(object)
    }

    private mutating func optionalMembers(
        _ key: String, of json: JSON, _ place: [JSONPathStep]
    ) -> [(key: String, value: JSON)] {
        json[key].exists ? members(of: json[key], place + [.key(key)]) : []
    }

    private mutating func string(_ key: String, of json: JSON, _ place: [JSONPathStep]) -> String? {
        guard json.object != nil else { return nil }
        if json[key].string == nil { report(place + [.key(key)], "expected a string, found \(json[key].kindName)") }
        return json[key].string
    }

    private mutating func flag(_ key: String, of json: JSON, _ place: [JSONPathStep]) -> Bool? {
        guard json[key].exists else { return nil }
        if json[key].bool == nil { report(place + [.key(key)], "expected true or false, found \(json[key].kindName)") }
        return json[key].bool
    }

    private mutating func checkKeys(of json: JSON, _ known: [String], _ place: [JSONPathStep]) {
        for (key, _) in members(of: json, place) where !known.contains(key) {
            report(place + [.key(key)], "there is no '\(key)' here", suggestions: nearestNames(to: key, among: known))
        }
    }

    private mutating func report(_ steps: [JSONPathStep], _ message: String, suggestions: [String] = []) {
        problems.append(ModelError.Problem(steps, message, suggestions: suggestions))
    }
}
