public import ObjectMapping

extension ObjectModel {
    /// The model as JSON: an object of entities by name, in their order.
    ///
    /// ```json
    /// {"Task": {"identifiedBy": ["taskID"],
    ///           "attributes": {"taskID": {"type": "integer"}, "name": {"type": "string", "optional": false}},
    ///           "relationships": {"project": {"to": "Project", "inverse": "tasks"}}}}
    /// ```
    ///
    /// It says what is kept, not where it comes from: nothing of keys, key paths and conditions.
    public var json: JSON { json(sorted: false) }

    /// Reads a model from its JSON form.
    ///
    /// - Throws: `ModelError` with everything that is wrong with the JSON, or else with the model.
    public init(json: JSON) throws(ModelError) {
        var reader = ModelReader()
        let entities = reader.entities(of: json)
        guard reader.problems.isEmpty else { throw ModelError(reader.problems) }
        try self.init(entities: entities)
    }

    /// The JSON form, in the order of the model or in that of the names.
    func json(sorted: Bool) -> JSON {
        .object(objectMembers(of: entities, \.name, sorted) { $0.json(sorted) })
    }
}

extension EntityDescription {
    fileprivate func json(_ sorted: Bool) -> JSON {
        var members: [(key: String, value: JSON)] = []
        if !identity.isEmpty { members.append(("identifiedBy", .array(identity.map(JSON.string)))) }
        members.append(("attributes", .object(objectMembers(of: attributes, \.name, sorted) { $0.json })))
        if !relationships.isEmpty {
            members.append(("relationships", .object(objectMembers(of: relationships, \.name, sorted) { $0.json })))
        }
        return .object(JSONObject(members))
    }
}

extension AttributeDescription {
    fileprivate var json: JSON {
        var members: [(key: String, value: JSON)] = [("type", .string(type.description))]
        if !isOptional { members.append(("optional", false)) }
        if let defaultValue, !defaultValue.isNull { members.append(("default", defaultValue)) }
        return .object(JSONObject(members))
    }
}

extension RelationshipDescription {
    fileprivate var json: JSON {
        var members: [(key: String, value: JSON)] = [("to", .string(destination))]
        if isToMany { members.append(("many", true)) }
        if isOrdered { members.append(("ordered", true)) }
        if let inverse { members.append(("inverse", .string(inverse))) }
        return .object(JSONObject(members))
    }
}

private func objectMembers<Part>(
    of parts: [Part], _ name: (Part) -> String, _ sorted: Bool, _ json: (Part) -> JSON
) -> JSONObject {
    let ordered = sorted ? parts.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) } : parts
    return JSONObject(ordered.map { (key: name($0), value: json($0)) })
}
