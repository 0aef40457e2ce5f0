public import ObjectMapping

extension ManagedObject: StoredModel {
    package static var identityNames: [String] {
        (try? ManagedClass.of(self))?.attributes.filter(\.isIdentity).map(\.name) ?? []
    }

    package static func read(_ property: AnyKeyPath, of objects: [AnyObject]) -> [AnyObject] {
        var contexts: [ObjectIdentifier: [ManagedObject]] = [:]
        for case let object as ManagedObject in objects {
            if let core = object.core { contexts[ObjectIdentifier(core), default: []].append(object) }
        }
        return contexts.values.flatMap { objects in
            guard let core = objects[0].core,
                case .relationship(let index)? = core.entity(of: objects[0]).type.steps(of: property)?.last?.property
            else { return [ManagedObject]() }
            return core.prefetch(index, of: objects)
        }
    }

    package static func readFailure(of object: AnyObject) -> String? {
        guard let object = object as? ManagedObject else { return nil }
        object.fireIfFault()
        return object.state?.readError?.message
    }

    package static func withSavedValues(of object: AnyObject, _ body: () -> Void) {
        guard let object = object as? ManagedObject, let core = object.core else { return body() }
        core.withSavedValues(of: object, body)
    }
}

extension Mapping where Model: ManagedObject {
    /// Returns the changes of an object since it was read or saved, as a merge patch (RFC 7396); `nil` if it is
    /// unchanged.
    ///
    /// ```swift
    /// task.name = "Paint"
    /// let patch = try ProjectTask.mapping.changes(of: task)   // {"name":"Paint"}
    /// ```
    ///
    /// The patch contains the members whose written values differ from those of the last save: attributes, and objects
    /// of relationships that the mapping writes. For an object that has not been saved yet, all members are changes.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - includingIdentity: Whether the patch contains the unchanged identity. Defaults to `false`.
    /// - Throws: `MappingError` with all values that cannot be written, or an error in the mapping.
    public func changes(of object: Model, includingIdentity: Bool = false) throws(MappingError) -> JSON? {
        try changes(of: object, from: try saved(object), includingIdentity: includingIdentity)
    }

    /// Writes the changes of an object since it was read or saved, as a merge patch (RFC 7396); `{}` if it is
    /// unchanged.
    ///
    /// ```swift
    /// let body = try ProjectTask.mapping.serialize(changesOf: task)   // for a PATCH request
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - includingIdentity: Whether the patch contains the unchanged identity. Defaults to `false`.
    ///   - rootKey: The key path of the patch in the text, plain keys joined by dots. Defaults to the text itself.
    ///   - options: The layout of the text.
    /// - Throws: `MappingError` with all values that cannot be written, or an error in the mapping.
    public func serialize(
        changesOf object: Model, includingIdentity: Bool = false, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        try serialize(
            object, changedFrom: try saved(object), includingIdentity: includingIdentity, rootKey: rootKey,
            options: options)
    }

    private func saved(_ object: Model) throws(MappingError) -> JSON {
        switch object.managed.state {
        case .inserted, .detached: [:]
        case .updated, .deleted, .unchanged: try savedJSON(of: object)
        }
    }

    /// Applies a merge patch (RFC 7396) to an object; nested objects are found in its context, or created there.
    ///
    /// Nothing is saved before `save()` of the context. A patch cannot change the identity of the object: another
    /// identity in it is an issue. For a relationship, another identity refers to another object.
    ///
    /// ```swift
    /// try ProjectTask.mapping.apply(#"{"name": "Paint", "project": {"id": 7}}"#, to: task)
    /// ```
    ///
    /// - Parameters:
    ///   - patch: An object, as `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - object: The object to change.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues; then the context is unchanged.
    public func apply(
        _ patch: some JSONInput, to object: Model, options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var object = object
        let source = object.core?.dataSource
        source?.keepsIdentities = true
        defer { source?.keepsIdentities = false }
        try apply(patch, to: &object, dataSource: source, options: options)
    }

    /// Updates an object from a payload; nested objects are found in its context, or created there.
    ///
    /// Properties that the payload does not contain are unchanged. Nothing is saved before `save()` of the context.
    ///
    /// ```swift
    /// try ProjectTask.mapping.update(task, from: responseBody)
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object to update.
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues; then the context is unchanged.
    public func update(
        _ object: Model, from payload: some JSONInput, options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var (object, report) = (object, MappingReport())
        try update(&object, from: payload, dataSource: object.core?.dataSource, options: options, report: &report)
    }
}
