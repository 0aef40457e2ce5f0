import MappingLog
import Synchronization

/// The mappings that write the bodies of requests, by type and method.
///
/// ```swift
/// bodies.add(Account.mapping, root: "account")                       // {"account": {…}}
/// bodies.add(Account.short, root: "account", methods: [.patch])
/// ```
///
/// A descriptor for one method precedes one for several methods, and this one precedes a descriptor for any method. Two
/// descriptors for the same type and method are a mistake, which is logged when the second one is added, and thrown when a
/// body is written.
public final class RequestDescriptors: Sendable {
    /// A mapping, and the requests whose bodies it writes.
    private struct Descriptor: Sendable {
        let methods: MethodSet
        /// Writes models of the type.
        let one: @Sendable (Any) -> MappedBody?
        let many: @Sendable ([Any]) -> MappedBody
        /// Writes the changes of a model since another one, or the unsaved and unsent ones of a managed object.
        let change: @Sendable (Any, Any) -> MappedBody?
        /// Writes a managed object with null for the unsaved and unsent changes to `nil`.
        let complete: @Sendable (ManagedObject, UnsentValues) -> MappedBody?
        /// Whether the mapping writes changes of a managed object that were not sent.
        let isChanged: @Sendable (Any, UnsentValues) -> Bool
        /// Returns what the mapping writes of a model; `nil` if it cannot be written.
        let json: @Sendable (Any) -> JSON?
        /// Returns what the mapping writes of the changes of a managed object that were not sent; `nil` for all of it.
        let changes: @Sendable (ManagedObject, UnsentValues) -> JSON?
        /// The relationships with foreign keys: their names, and those of the attributes with the keys.
        let keys: @Sendable () -> [(name: String, keys: [String])]
    }

    private let descriptors = Mutex<[ObjectIdentifier: [Descriptor]]>([:])

    /// Creates a registry without descriptors.
    public init() {}

    /// Adds the mapping of a type.
    ///
    /// - Parameters:
    ///   - mapping: The mapping that writes each model.
    ///   - root: The key path of the model, or of the list of models, in the body. Defaults to the body itself.
    ///   - methods: The methods of the request. Defaults to `nil`, any method with a body.
    ///   - options: What is written for `nil`, and the layout.
    ///   - format: The format of the body. Defaults to JSON, with changes as a merge patch; other formats write changes, too.
    public func add<Model>(
        _ mapping: Mapping<Model>, root: JSONKeyPath = "", methods: Set<HTTPMethod>? = nil,
        options: WritingOptions = WritingOptions(), format: some PayloadFormat = .json
    ) {
        add(mapping, root: root, methods: methods, options: options, format: format, addsChildren: false)
    }

    /// - Parameter addsChildren: Whether a server adds the new objects of a list, which are sent once.
    func add<Model>(
        _ mapping: Mapping<Model>, root: JSONKeyPath, methods: Set<HTTPMethod>?, options: WritingOptions,
        format: some PayloadFormat, addsChildren: Bool
    ) {
        @Sendable func written<Result>(_ model: Any, _ body: () -> Result) -> Result {
            guard addsChildren, let object = model as? ManagedObject else { return body() }
            return object.withoutSentChildren(body)
        }
        /// The object as the server has it; `nil` if values cannot be written, which is the error of the body.
        @Sendable func saved(_ object: ManagedObject, _ unsent: UnsentValues) -> JSON? {
            guard !unsent.isNew, let model = object as? Model else { return [:] }
            return object.withValuesOfServer(unsent) { try? mapping.savedJSON(of: model) }
        }
        // Changes in JSON have the media type of merge patches.
        let patchFormat: (any PayloadFormat)? = format is JSONFormat ? nil : format
        let new = Descriptor(
            methods: MethodSet(methods: methods),
            one: { model in
                guard let model = model as? Model else { return nil }
                // The default of an identity that was never assigned identifies nothing.
                let mapping =
                    (model as? ManagedObject).map { object in
                        mapping.omittingProperties { object.isUnassignedIdentity(at: $0) }
                    }
                    ?? mapping
                return written(model) {
                    MappedBody(model, using: mapping, rootKey: root, options: options, format: format)
                }
            },
            many: { models in
                let models = models.compactMap { $0 as? Model }
                return MappedBody(models, using: mapping, rootKey: root, options: options, format: format)
            },
            change: { model, old in
                guard let model = model as? Model else { return nil }
                if let old = old as? Model {
                    return MappedBody(model, changedFrom: old, using: mapping, rootKey: root, format: patchFormat)
                }
                guard let object = model as? ManagedObject, let unsent = old as? UnsentValues else { return nil }
                return written(model) {
                    saved(object, unsent).map {
                        MappedBody(model, changedFrom: $0, using: mapping, rootKey: root, format: patchFormat)
                    } ?? MappedBody(model, using: mapping, rootKey: root)
                }
            },
            complete: { object, unsent in
                guard let model = object as? Model else { return nil }
                return written(model) {
                    let saved = object.withValuesOfServer(unsent) { try? mapping.savedJSON(of: model) }
                    return MappedBody(
                        model, withClearedSince: saved ?? [:], using: mapping, rootKey: root, options: options,
                        format: format)
                }
            },
            isChanged: { model, unsent in
                guard let model = model as? Model, let object = model as? ManagedObject, !unsent.isNew else {
                    return true
                }
                return written(model) {
                    // Values that cannot be written are the error of the body.
                    do {
                        return try saved(object, unsent).map { try mapping.changes(of: model, from: $0) != nil } ?? true
                    } catch { return true }
                }
            },
            json: { model in written(model) { (model as? Model).flatMap { try? mapping.json(of: $0) } } },
            changes: { object, unsent in
                guard let model = object as? Model else { return nil }
                return written(model) {
                    saved(object, unsent).flatMap { try? mapping.changes(of: model, from: $0) ?? [:] }
                }
            },
            keys: { mapping.foreignKeys })
        let isDuplicate = descriptors.withLock { descriptors in
            defer { descriptors[ObjectIdentifier(Model.self), default: []].append(new) }
            return descriptors[ObjectIdentifier(Model.self), default: []].contains { $0.methods.overlaps(new.methods) }
        }
        if isDuplicate { LogMessage.log(.objectLoading, .error, duplicate(new, of: Model.self).description) }
    }

    private func duplicate(_ descriptor: Descriptor, of type: Any.Type) -> LoadError {
        LoadError(
            .noBody, "\(type) has two request descriptors for \(descriptor.methods.names()); remove one of them")
    }

    /// Returns the body with a model.
    func body(of model: Any, _ method: HTTPMethod) throws(LoadError) -> MappedBody {
        let type = type(of: model)
        guard let body = try descriptor(of: type, method).one(model) else { throw unknown(type, method) }
        return body
    }

    /// Returns the body with a list of models.
    func body<Model>(ofList models: [Model], _ method: HTTPMethod) throws(LoadError) -> MappedBody {
        try descriptor(of: Model.self, method).many(models)
    }

    /// Returns the body with the changes of a model.
    ///
    /// - Parameter old: The earlier model, or the saved changes of a managed object that were not sent.
    func body(ofChanges model: Any, since old: Any, _ method: HTTPMethod) throws(LoadError) -> MappedBody {
        let type = type(of: model)
        guard let body = try descriptor(of: type, method).change(model, old) else { throw unknown(type, method) }
        return body
    }

    /// Returns the body with a complete managed object, in which changes to `nil` are null.
    ///
    /// - Parameter unsent: The saved changes of the object that were not sent.
    func body(
        ofComplete object: ManagedObject, since unsent: UnsentValues, _ method: HTTPMethod
    ) throws(LoadError) -> MappedBody {
        let type = type(of: object)
        guard let body = try descriptor(of: type, method).complete(object, unsent) else { throw unknown(type, method) }
        return body
    }

    /// Whether the body with the changes of a managed object that were not sent has any.
    func hasChanges(of object: ManagedObject, since unsent: UnsentValues, _ method: HTTPMethod) throws(LoadError)
        -> Bool
    {
        try descriptor(of: type(of: object), method).isChanged(object, unsent)
    }

    /// Returns what the body with an object has; `nil` if it cannot be written.
    func json(of object: ManagedObject, _ method: HTTPMethod) -> JSON? {
        (try? descriptor(of: type(of: object), method))?.json(object)
    }

    /// Returns the changes of an object, with those of other objects that its request has, and the properties that it does
    /// not have.
    ///
    /// Properties of an object that the server does not have are left out if no body has them: they are only stored here.
    ///
    /// - Parameter path: Returns the path of the request.
    /// - Throws: `StoreError` if the store cannot be read.
    func changes(
        of object: ManagedObject, _ unsent: UnsentValues, _ method: HTTPMethod, _ path: () -> JSON
    ) throws(StoreError) -> UnsavedChanges {
        var changes = object.changes(since: unsent)
        guard let descriptor = try? descriptor(of: type(of: object), method) else { return changes }
        // A patch has changes only.
        let sent = method == .patch ? descriptor.changes(object, unsent) : nil
        func body() -> JSON? { descriptor.json(object).map { json in sent.map(json.members(of:)) ?? json } }
        changes.children = try object.newChildren(in: body)
        changes.others = try object.otherChanges(in: body)
        changes.unsent = object.properties(of: changes, unsent) { body().map { .array([path(), $0]) } }
        changes.unsent = object.properties(changes.unsent, withoutKeyed: descriptor.keys())
        guard changes.isNew, !changes.unsent.isEmpty else { return changes }
        let others = descriptors.withLock { $0[ObjectIdentifier(type(of: object))] ?? [] }
        let written = others.map { other in
            changes.unsent.subtracting(object.properties(of: changes, unsent) { other.json(object) })
        }
        changes.local = changes.unsent.subtracting(written.joined())
        changes.unsent.subtract(changes.local)
        return changes
    }

    /// Returns the changes of an object, which another body does not have.
    func changesWithoutBody(
        of object: ManagedObject, _ unsent: UnsentValues, _ method: HTTPMethod, _ path: () -> JSON
    ) -> UnsavedChanges {
        var changes = object.changes(since: unsent)
        if !changes.isNew { changes.unsent = object.properties(of: changes, unsent) { path() } }
        return changes
    }

    private func descriptor(of type: Any.Type, _ method: HTTPMethod) throws(LoadError) -> Descriptor {
        let descriptors = descriptors.withLock { $0[ObjectIdentifier(type)] ?? [] }
        for (index, descriptor) in descriptors.enumerated()
        where descriptors[..<index].contains(where: { $0.methods.overlaps(descriptor.methods) }) {
            throw duplicate(descriptor, of: type)
        }
        guard let found = MethodSet.first(in: descriptors, for: method, \.methods) else { throw unknown(type, method) }
        return found
    }

    private func unknown(_ type: Any.Type, _ method: HTTPMethod) -> LoadError {
        LoadError(
            .noBody, "no request descriptor for \(type) with \(method); add its mapping to the bodies of the manager")
    }
}

extension Mapping {
    /// The relationships that are connected by keys: their names, and those of the attributes with the keys.
    fileprivate var foreignKeys: [(name: String, keys: [String])] {
        let table = (try? rowPlan())?.tables.first { $0.type.map { $0 == Model.self } ?? false }
        return (table?.connections ?? []).filter { $0.matching == nil && $0.conditions.isEmpty }.map { connection in
            (connection.name, connection.keys.compactMap { table?.columns[$0].name })
        }
    }
}

extension JSON {
    /// Returns the members of an object that a merge patch has, too, at any level.
    fileprivate func members(of patch: JSON) -> JSON {
        guard let members = object, let changed = patch.object else { return self }
        return .object(
            JSONObject(
                members.compactMap { member in
                    changed[member.key].map { (key: member.key, value: member.value.members(of: $0)) }
                }))
    }
}

extension ManagedObject {
    /// The unsaved changes, with whether the server has the object.
    fileprivate func changes(since unsent: UnsentValues) -> UnsavedChanges {
        var changes = unsavedChanges
        changes.isNew = managed.id.isTemporary || unsent.isNew
        return changes
    }
}
