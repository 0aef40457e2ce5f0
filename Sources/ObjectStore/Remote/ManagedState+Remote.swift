extension ManagedState where Object: ManagedObjectClass {
    /// Reads the objects of a to-many relationship from the remote of the store.
    ///
    /// ```swift
    /// try await post.managed.load(\.comments)
    /// ```
    ///
    /// The objects are imported and connected in one transaction, and merged into the context. A getter never waits for
    /// the remote: it returns what the file has.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - pruning: Whether objects that a complete answer does not have are removed from the relationship; they are not
    ///     deleted. Defaults to `.none`.
    /// - Throws: `StoreError` for an object that was never saved, and for a store without a remote; the errors of the
    ///   remote.
    public nonisolated(nonsending) func load<Target: ManagedObjectClass>(
        _ relationship: KeyPath<Object, [Target]>, pruning: Pruning = .none
    ) async throws {
        try await load(relationship as AnyKeyPath, pruning)
    }

    /// Reads the object of a to-one relationship from the remote of the store; see ``load(_:pruning:)``.
    public nonisolated(nonsending) func load<Target: ManagedObjectClass>(
        _ relationship: KeyPath<Object, Target?>
    ) async throws {
        try await load(relationship as AnyKeyPath, .none)
    }

    /// Reads the values of the object from the remote of the store.
    ///
    /// Attributes with unsaved changes keep their values. If the remote no longer has the object, it is deleted
    /// from the file.
    ///
    /// - Throws: `StoreError` for an object that was never saved, and for a store without a remote; the errors of the
    ///   remote.
    public nonisolated(nonsending) func refresh() async throws {
        let (context, id, remote) = try await remoteObject()
        let store = context.store
        try await remote.reportingLoad(of: id, nil) {
            let mark = store.commitMark()
            let known = try await store.remoteObject(id, .values, remote)
            let answer = try await SharedTask.value(of: { try await remote.remote.values(of: known.object) })
            guard let answer else {
                try await store.delete(id, since: mark)
                return []
            }
            return try await store.perform { context in
                context.savesReply()
                context.savesResponse(since: mark)
                let object = try context.object(with: id)
                // Attributes that were committed after the request began are kept.
                try context.update(object, known.values, since: mark) {
                    try answer.update(object, keepingIdentityIn: context)
                }
                context.discardChanges(committedSince: mark, except: [object])
                try context.saveWaiting()
                return [id]
            }
        }
        try await context.merge()
    }

    private nonisolated(nonsending) func load(_ relationship: AnyKeyPath, _ pruning: Pruning) async throws {
        let (context, id, remote) = try await remoteObject()
        let (store, entity) = (context.store, context.core.entity(of: object))
        guard let step = entity.type.steps(of: relationship), step.count == 1,
            case .relationship(let index) = step[0].property
        else { throw StoreError.notStored(relationship, of: entity.name) }
        let name = entity.relationships[index].name
        try await remote.reportingLoad(of: id, name) {
            try await remote.loading { deletions in
                let mark = store.commitMark()
                let known = try await store.remoteObject(id, .relationship(name), remote)
                let answer = try await SharedTask.value(of: {
                    try await remote.remote.values(of: name, of: known.object)
                })
                return try await store.load(answer, since: mark, without: deletions) { objects, context, _ in
                    let owner = try context.object(with: id)
                    let prunes = pruning.mode == .remove && answer.isComplete(with: objects.map(context.core.id))
                    let found = try context.core.targets(objects, of: entity, index)
                    context.core.connect(found, to: owner, index, removingOthers: prunes, since: mark)
                }.objects
            }
        }
        try await context.merge()
    }

    /// Returns the context and the ID of a saved object of the remote.
    private nonisolated(nonsending) func remoteObject() async throws -> (ObjectContext, ObjectID, RemoteConnection) {
        guard let context, !id.isTemporary else {
            throw StoreError(
                .missingObject, "the object \(id) has not been saved yet", advice: "save its context first",
                entity: id.entity)
        }
        let remote = try context.store.connectedRemote
        guard remote.has(id.entity) else {
            throw StoreError(
                .misuse, "the entity '\(id.entity)' is local: the remote does not have it", entity: id.entity)
        }
        try await context.merge()
        return (context, id, remote)
    }
}

extension RemoteObjects {
    /// Updates an object, unless the values have another identity.
    func update(_ object: ManagedObject, keepingIdentityIn context: ObjectContext) throws {
        let identity = object.identityValues
        try update(object, context)
        guard object.keepsIdentity(identity) else {
            throw RemoteError(
                .invalidResult, "expected the values of \(object.managed.id), found the identity of another object")
        }
    }
}

extension RemoteConnection {
    fileprivate func reportingLoad(
        of id: ObjectID, _ relationship: String?, _ load: () async throws -> [ObjectID]
    ) async throws {
        report(.willLoad(id, relationship: relationship))
        do {
            let ids = try await load()
            report(.didLoad(id, relationship: relationship, .success(ids)))
        } catch {
            report(.didLoad(id, relationship: relationship, .failure(error)))
            throw error
        }
    }
}

extension ManagedObjectStore {
    /// Describes a saved object for a remote.
    ///
    /// - Returns: The description, and the values when the request begins.
    fileprivate func remoteObject(
        _ id: ObjectID, _ step: RemoteStep, _ remote: RemoteConnection
    ) async throws -> (object: RemoteObject, values: UnsavedChanges) {
        try await perform { context in
            let object = try context.object(with: id)
            defer { context.rollback() }
            let values = object.unsavedChanges
            return (try object.described(as: id, for: step, remote), values)
        }
    }
}

extension ManagedObject {
    /// Describes the object for a remote, with what a step needs.
    func described(as id: ObjectID, for step: RemoteStep, _ remote: RemoteConnection) throws -> RemoteObject {
        described(as: id, try remote.remote.prepare(step, for: self))
    }

    /// Describes the object for a remote.
    ///
    /// - Parameter id: The ID. Defaults to `nil`, that of the object.
    func described(as id: ObjectID?, _ preparation: (any Sendable)? = nil) -> RemoteObject {
        let id = id ?? managed.id
        var identity: [String: StoredValue] = [:]
        if let entity = core?.entity(of: self) {
            for (index, value) in zip(entity.identity, identityValues) {
                identity[entity.description.attributes[index].name] = value
            }
        }
        return RemoteObject(entity: id.entity, id: id, identity: identity, preparation: preparation)
    }
}

extension ContextCore {
    /// Returns the objects of an answer that are targets of a relationship; an answer can have others with them.
    ///
    /// - Throws: `RemoteError` if none of them is, or if a to-one relationship has several.
    fileprivate func targets(
        _ objects: [ManagedObject], of entity: StoredEntity, _ index: Int
    ) throws -> [ManagedObject] {
        let relationship = entity.relationships[index]
        let (name, destination) = ("\(entity.name).\(relationship.name)", store.entities[relationship.destination].name)
        let targets = objects.filter { Int($0.entityIndex) == relationship.destination }
        if let other = objects.first, targets.isEmpty {
            throw RemoteError(
                .invalidResult,
                "expected objects of '\(destination)' for \(name), found '\(self.entity(of: other).name)'")
        }
        guard relationship.isToMany || Set(targets.map(\.row)).count < 2 else {
            throw RemoteError(
                .invalidResult, "expected one object of '\(destination)' for \(name), found \(targets.count)")
        }
        return targets
    }

    /// Adds objects to a relationship.
    ///
    /// - Parameter removesOthers: Whether to remove other saved objects that were not committed since a moment.
    fileprivate func connect(
        _ objects: [ManagedObject], to owner: ManagedObject, _ index: Int, removingOthers removesOthers: Bool,
        since mark: CommitMark
    ) {
        let relationship = entity(of: owner).relationships[index]
        let changes = mark.changes
        guard relationship.isToMany else {
            let isRecent = changes?.isWritten(Int(owner.entityIndex))(owner.row) ?? false
            if let target = objects.first, !isRecent { setTarget(target, of: owner, index) }
            return
        }
        let isListRecent =
            switch changes?.lists[CommitChanges.Relationship(entity: Int(owner.entityIndex), index: index)] {
            case .rows(let rows): rows.contains(owner.row)
            case .all: true
            case nil: false
            }
        if isListRecent, relationship.storage.isJoinTable { return }
        willChangeTargets(of: owner, index)
        let known = list(index, of: owner) ?? []
        let isRecent = changes?.isWritten(relationship.destination) ?? { _ in false }
        // Others may have moved an object since the request began.
        let targets = objects.filter { target in
            !isRecent(target.row) || known.contains(target)
                || !isListRecent && !hasOwner(target, by: relationship)
        }
        var members = Set(targets.map(ObjectIdentifier.init))
        var result = targets
        for object in known where !members.contains(ObjectIdentifier(object)) {
            guard !removesOthers || isRecent(object.row) || object.identityValues.contains(where: { $0 == nil }) else {
                continue
            }
            members.insert(ObjectIdentifier(object))
            result.append(object)
        }
        setList(result, index, of: owner)
        reconcile()
    }

    /// Whether an object is a target of a to-many relationship of one owner, by its inverse.
    private func hasOwner(_ target: ManagedObject, by relationship: StoredEntity.Relationship) -> Bool {
        guard let inverse = relationship.inverse else { return false }
        let property = entity(of: target).type.relationships[inverse]
        return !property.isToMany && property.row(of: target) != 0
    }
}
