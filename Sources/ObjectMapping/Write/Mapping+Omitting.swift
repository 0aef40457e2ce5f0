extension Mapping {
    /// Returns a mapping that omits members when it writes a model, such as from the body of a request.
    ///
    /// ```swift
    /// let body = try ProjectTask.mapping.omitting("project", "owner.email").serialize(task)
    /// ```
    ///
    /// It reads like this mapping, and also leaves the members out of the changes of a model. The values are not read: a
    /// relationship to objects of a store causes no query, and an omitted relationship ends a reference cycle. Arrays, and
    /// keys that are data, have no component in a key path: `"tasks.project"` is the project of each task. The result is
    /// cached with the mapping, so repeated calls with the same key paths are inexpensive.
    ///
    /// A key path that the mapping does not write, such as a misspelt one, is an error when a model is written, and is
    /// reported by `validate()`. The same applies to a key path inside the value of an attribute, and to a key that selects
    /// a case of a mapping.
    ///
    /// - Parameter keyPaths: The key paths of the members in the written object, plain keys joined by dots.
    public func omitting(_ keyPaths: JSONKeyPath...) -> Mapping {
        keyPaths.isEmpty ? self : Mapping(storage.omitting(keyPaths))
    }

    /// Returns a mapping that writes the objects in relationships with their identity, even if that is read-only.
    package func writingIdentities() -> Mapping { Mapping(storage.with { $0.writesIdentities = true }) }

    /// Returns a mapping that does not write some properties as members of the written object itself.
    package func omittingProperties(where isOmitted: (AnyKeyPath) -> Bool) -> Mapping {
        // An invalid mapping is an error when it writes.
        guard let plan = try? storage.output(), let root = plan.root.node else { return self }
        let members = plan.shapes[root.pointee.id].members.filter { $0.value.keyPaths.contains(where: isOmitted) }
        return members.isEmpty
            ? self : Mapping(storage.omitting(members.keys.map(\.text).sorted().map { JSONKeyPath(components: [$0]) }))
    }
}

extension JSON {
    /// Returns a value without the member at keys, also in the elements of arrays.
    package func removing(_ keys: ArraySlice<String>) -> JSON {
        if let array { return .array(array.map { $0.removing(keys) }) }
        guard let object, let key = keys.first else { return self }
        let rest = keys.dropFirst()
        return .object(
            JSONObject(
                object.compactMap { name, value in
                    guard name == key else { return (name, value) }
                    return rest.isEmpty ? nil : (name, value.removing(rest))
                }))
    }
}
