import ObjectMapping

/// Managed classes implement all of the protocol.
extension Persistable where Self: ManagedObjectClass, Database == ObjectContext {
    /// The identity as text; for a class without identity the text of the object's ID, which exists after the insertion.
    ///
    /// A class with an attribute of this name uses the attribute.
    public var oid: String {
        let values = core == nil ? nil : identityValues
        let stored = values ?? managedClass?.attributes.filter(\.isIdentity).map { $0.storedValue(of: self) } ?? []
        guard !stored.isEmpty else {
            let id = managed.id
            return (try? id.text) ?? id.description
        }
        return OIDText.text(of: stored.map { $0 ?? .null })
    }

    /// The state of the object: `new` also for an object without a context, `detached` after the deletion of its row.
    public var persistenceState: PersistenceState {
        guard let core else { return state?.phase == .deleted ? .detached : .new }
        core.reconcile()
        return switch state?.phase {
        case .inserted: .new
        case .deleted: .deleted
        case .updated: state.map { core.isChanged(self, $0) } ?? false ? .changed : .existing
        case .clean, .detached, nil: .existing
        }
    }

    /// Returns the object with an identifier; `nil` if it does not exist.
    ///
    /// - Parameters:
    ///   - oid: The identifier.
    ///   - context: The context of the object.
    /// - Throws: `StoreError`, of kind `invalidValue` for a text that is not an identifier of the class.
    nonisolated(nonsending) public static func find(oid: String, in context: ObjectContext) async throws -> Self? {
        let entity = try context.store.entity(of: self)
        if case .attribute(let index)? = try? entity.type.property(named: "oid"), entity.identity != [index] {
            return try await find(by: "oid", oid, in: context).first
        }
        guard entity.identity.isEmpty else {
            return try await context.object(oid: oid, entity) as? Self
        }
        guard let id = ObjectID(oid), id.entity == entity.name else {
            throw OIDText.invalid(oid, entity, "the text of an ObjectID")
        }
        do throws(StoreError) {
            return try await context.object(with: id)
        } catch  where error.kind == .missingObject {
            return nil
        }
    }

    /// Returns the objects whose attribute has a value, in the order in which they were saved.
    ///
    /// ```swift
    /// let people = try await Person.find(by: \.name, "Roy", in: context)
    /// ```
    ///
    /// Objects without a row are not included. Objects in memory keep their changes, and are compared with them.
    ///
    /// - Parameters:
    ///   - property: The attribute.
    ///   - value: Its value.
    ///   - context: The context of the objects.
    nonisolated(nonsending) public static func find<Value>(
        by property: KeyPath<Self, Value>, _ value: Value, in context: ObjectContext
    ) async throws -> [Self] {
        try await context.fetch(all.where { $0[dynamicMember: property] == value }).filter(\.hasRow)
    }

    /// Returns the objects whose attribute has a value, by the name of the attribute.
    ///
    /// - Parameters:
    ///   - attribute: The name of the attribute.
    ///   - value: Its value.
    ///   - context: The context of the objects.
    /// - Throws: `StoreError`, of kind `unknownProperty` with near names, or `invalidValue` for a value of another type.
    nonisolated(nonsending) public static func find(
        by attribute: String, _ value: some AttributeValue, in context: ObjectContext
    ) async throws -> [Self] {
        try await context.fetch(all.where { $0[attribute] == value }).filter(\.hasRow)
    }

    /// Inserts the object, and no other one, in one transaction.
    ///
    /// - Throws: `StoreError`, of kind `constraint` if the row exists, `missingObject` for an object that is to be
    ///   deleted, `misuse` for an object without a context, or the errors of `save()`.
    nonisolated(nonsending) public func insert() async throws {
        _ = try persistenceState.after(.insert)
        let former = core == nil ? state?.formerCore as? ContextCore : nil
        if let former, former.isOpen { former.insert(self) }
        do {
            try await saveAlone(.insert)
        } catch {
            if let former, core === former {
                former.delete(self, keepingTargets: true)
                state?.formerCore = former
            }
            throw error
        }
    }

    /// Updates the row of the object, and no other one, in one transaction; does nothing without changes.
    ///
    /// - Throws: `StoreError`, of kind `missingObject` if there is no row or the object is to be deleted, or the errors of
    ///   `save()`.
    nonisolated(nonsending) public func update() async throws {
        let current = persistenceState
        _ = try current.after(.update)
        if current == .changed { try await saveAlone(.update) }
    }

    /// Deletes the row of the object in one transaction, and those that delete rules delete with it.
    ///
    /// - Throws: `StoreError`, of kind `missingObject` if there is no row, `invalidObjects` if a delete rule prevents it, or
    ///   the errors of `save()`; the state is unchanged. If others have deleted the row, the object is `detached` then.
    nonisolated(nonsending) public func delete() async throws {
        let current = persistenceState
        _ = try current.after(.delete)
        guard let core else { return }
        var deleted: [ManagedObject] = []
        if current != .deleted {
            let before = Set(core.changedObjects.filter { $0.state?.phase == .deleted })
            core.delete(self)
            deleted = core.changedObjects.filter { $0.state?.phase == .deleted && !before.contains($0) }
        }
        do {
            try await saveAlone(.delete)
        } catch {
            for object in deleted where object.core === core { core.insert(object) }
            if self.core == nil { state?.formerCore = core }
            throw error
        }
        // Remembered, so that the object can be inserted again.
        state?.formerCore = core
    }
}

extension ManagedObject {
    /// Whether the store has a row of the object.
    fileprivate final var hasRow: Bool { row > 0 }

    /// Saves the changes of this object only.
    fileprivate nonisolated(nonsending) final func saveAlone(
        _ operation: PersistenceState.Operation
    ) async throws(StoreError) {
        func failure(_ reason: String, _ advice: String) -> StoreError {
            StoreError(
                .misuse, "cannot \(operation.rawValue) an object of '\(managedClass?.name ?? "")': \(reason)",
                advice: advice, entity: managedClass?.name)
        }
        guard let core, let context = core.context else {
            throw failure("it has no context", "insert it into a context first")
        }
        guard core.store.remote == nil else {
            throw failure("the store has a remote", "use save() of the context")
        }
        if operation != .delete {
            core.reconcile()
            let problems = relationshipProblems(core)
            guard problems.isEmpty else {
                throw StoreError(
                    .invalidObjects,
                    "cannot \(operation.rawValue) the object alone, because of objects to which it refers",
                    entity: core.entity(of: self).name, problems: problems)
            }
        }
        var isChanged = false
        try await core.save(
            context.mergePolicy,
            keeping: { object in
                isChanged = isChanged || object === self
                return object !== self
            }, isStrict: true)
        // A merge before the save removes the change of an object that others deleted.
        guard operation == .delete, !isChanged else { return }
        throw StoreError(
            .missingObject, "cannot delete an object of '\(managedClass?.name ?? "")': others deleted its row",
            advice: "use insert() to create it again", entity: managedClass?.name)
    }

    /// Returns the relationships that cannot be saved without other objects.
    private final func relationshipProblems(_ core: ContextCore) -> [ObjectProblem] {
        let entity = core.entity(of: self)
        return entity.type.relationships.enumerated().compactMap { index, property in
            let inverse = entity.relationships[index].inverse
            let targets = property.isToMany ? (core.list(index, of: self) ?? []).map(\.row) : [property.row(of: self)]
            let isOneToOne =
                !property.isToMany && inverse != nil
                && core.store.entities.inverseList(of: entity.relationships[index]) == nil
            let message: String
            if isOneToOne, state?.isAssigned(property.offset) == true {
                message = "a change of a one-to-one relationship changes both objects; use save() of the context"
            } else if !property.isToMany || inverse == nil, targets.contains(where: { $0 < 0 && $0 != row }) {
                message = "the relationship refers to a new object; persist that object first"
            } else {
                return nil
            }
            return ObjectProblem(object: core.id(of: self), property: property.name, message: message)
        }
    }
}
