extension PayloadMapping {
    /// Writes models of several types into one text, each under the key path of the root of its type.
    ///
    /// ```swift
    /// let body = try payload.serialize(user, [task], adding: ["token": .string("abc")])
    /// // {"token":"abc","user":{"id":7},"tasks":[{"id":1}]}
    /// ```
    ///
    /// Arrays are always written as arrays. Several models of one root are written as one array. If two roots have the
    /// same type, the first one is used.
    ///
    /// - Parameters:
    ///   - values: Models, and arrays of models.
    ///   - members: Further members of the object at the top. Defaults to none.
    ///   - options: The output for `nil`, and the layout of the text.
    /// - Throws: `MappingError` of kind `mapping` if no root has the type of a value, if a root without a key path is used
    ///   along with other members, or if two values have the same key; otherwise as `Mapping.serialize`.
    public func serialize(
        _ values: Any..., adding members: JSON = [:], options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        let json = try json(values, members, options)
        return options.isPrettyPrinted ? Data(json.prettyPrinted.utf8) : json.data
    }

    /// Returns models of several types as one JSON value, like `serialize(_:adding:options:)`.
    public func json(
        of values: Any..., adding members: JSON = [:], options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> JSON {
        try json(values, members, options)
    }

    private func json(_ values: [Any], _ members: JSON, _ options: WritingOptions) throws(MappingError) -> JSON {
        guard let added = members.object else {
            throw MappingError(.mapping("an object of further members", "\(members.kindName)"))
        }
        var groups = roots.map { _ in [Any]() }
        for value in values {
            let exact = roots.firstIndex { $0.writing.types.contains(ObjectIdentifier(type(of: value))) }
            guard let index = exact ?? roots.firstIndex(where: { $0.writing.accepts(value) }) else {
                let names = roots.map(\.writing.name).joined(separator: ", ")
                throw MappingError(
                    .mapping("a value of one of the types \(names)", "a value of the type \(type(of: value))"))
            }
            groups[index].append(value)
        }
        var tree = MergedObject { _, _ in nil }
        tree.add(added)
        for (root, group) in zip(roots, groups) where !group.isEmpty {
            let json = try root.writing.json(group, options)
            guard let keys = root.keyPath.plainKeys, root.keyPath.issue == nil else {
                throw MappingError(.mapping("plain keys as the key path of a root", "'\(root.keyPath)'"))
            }
            guard !keys.isEmpty else {
                if groups.count(where: { !$0.isEmpty }) == 1, added.isEmpty { return json }
                throw MappingError(
                    .mapping(
                        "a key path for the root of \(root.writing.name), because there are other members",
                        "an empty key path"))
            }
            let wrapped = keys.reversed().reduce(json) { .object(JSONObject(unique: [($1, $0)])) }
            if let members = wrapped.object { tree.add(members) }
            if wrapped.object == nil || tree.hasConflict {
                throw MappingError(.mapping("one value for the key path '\(root.keyPath)'", "two values"))
            }
        }
        return .object(tree.object)
    }
}

/// Writes the models of a root.
struct RootWriting: Sendable {
    /// The type of the models, for messages.
    let name: String
    /// The types of one model and of an array of models.
    let types: [ObjectIdentifier]
    let accepts: @Sendable (Any) -> Bool
    let json: @Sendable ([Any], WritingOptions) throws(MappingError) -> JSON

    init<Model>(_ mapping: Mapping<Model>, each shape: ElementShape) {
        name = "\(Model.self)"
        types = [ObjectIdentifier(Model.self as Any.Type), ObjectIdentifier([Model].self)]
        accepts = { $0 is Model || ($0 as? [Model])?.isEmpty == false }
        json = { values, options throws(MappingError) in
            if shape == .element, values.count == 1, let model = values[0] as? Model {
                return try mapping.json(of: model, options: options)
            }
            let models = values.flatMap { value in (value as? Model).map { [$0] } ?? value as? [Model] ?? [] }
            return try mapping.json(of: models, each: shape, options: options)
        }
    }
}
