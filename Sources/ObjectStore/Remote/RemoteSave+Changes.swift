import ObjectMapping

extension ManagedObjectStore {
    /// Describes a change for the remote, with what it prepares of a copy of the object.
    func change(
        _ operation: ChangeOperation, of row: Int64, _ entity: StoredEntity, _ changes: UnsavedChanges, _ id: ObjectID,
        _ key: String, _ remote: RemoteConnection
    ) async throws -> RemoteChange {
        try await perform { context in
            defer { context.rollback() }
            let object: ManagedObject
            if row < 0 {
                object = context.core.copy(entity.type, changes)
            } else {
                object = try context.object(with: id)
                if operation == .update { object.assign(changes, overwriting: true) }
            }
            var changes = changes
            if operation != .delete {
                context.core.setKeys(of: object, for: changes)
                changes = object.unsavedChanges
            }
            var values: [String: StoredValue] = [:]
            var targets: [String: RemoteObject?] = [:]
            if operation != .delete {
                values = changes.values(named: entity)
                for change in changes.targets {
                    let relationship = entity.relationships[change.relationship]
                    let target = context.core.target(of: object, change.relationship, row: change.row)
                    targets.updateValue(target?.described(as: target?.managed.id), forKey: relationship.name)
                }
            }
            return RemoteChange(
                operation: operation, object: try object.described(as: id, for: .save(operation), remote),
                values: values,
                targets: targets, idempotencyKey: key)
        }
    }
}

extension ContextCore {
    /// Sets the key attributes of changed relationships to the identities of their targets, unless they were changed, too.
    fileprivate func setKeys(of object: ManagedObject, for changes: UnsavedChanges) {
        let entity = entity(of: object)
        for change in changes.targets where change.row > 0 {
            let relationship = entity.relationships[change.relationship]
            guard let key = relationship.keys.first(where: \.conditions.isEmpty),
                let target = target(of: object, change.relationship, row: change.row)
            else { continue }
            target.fireIfFault()
            let other = self.entity(of: target)
            let sources =
                key.matching.isEmpty
                ? other.identity
                : key.matching.compactMap { name in other.type.attributes.firstIndex { $0.name == name } }
            for (attribute, source) in zip(key.attributes, sources)
            where !changes.attributes.contains(where: { $0.index == attribute }) {
                guard let value = other.type.attributes[source].storedValue(of: target) else { continue }
                object.set(value, at: attribute)
            }
        }
    }
}

extension UnsavedChanges {
    /// The changed attributes by name.
    fileprivate func values(named entity: StoredEntity) -> [String: StoredValue] {
        let values = attributes.map { (entity.description.attributes[$0.index].name, $0.value) }
        return Dictionary(values, uniquingKeysWith: { _, last in last })
    }
}

extension SaveJournal.Entry {
    init(_ object: ManagedObject, _ operation: ChangeOperation, _ key: String, _ entity: StoredEntity) {
        self.init(key: key, operation: operation, entity: entity.name, row: object.row)
        guard operation != .delete else { return }
        let changes = object.unsavedChanges
        values = changes.values(named: entity)
        targets = Self.targets(of: object, changes, operation, entity)
    }

    /// A change as it is sent, with its current targets.
    init(_ object: ManagedObject, _ change: RemoteChange, _ row: Int64) {
        self.init(
            key: change.idempotencyKey, operation: change.operation, entity: change.object.entity, row: row,
            values: change.values)
        guard change.operation != .delete, let core = object.core else { return }
        targets = Self.targets(of: object, object.unsavedChanges, change.operation, core.entity(of: object))
    }

    /// The references of an inserted object to objects that are still new; `nil` if there are none.
    init?(laterOf object: ManagedObject, _ entity: StoredEntity) {
        guard object.core != nil else { return nil }
        let targets = Self.targets(of: object, object.unsavedChanges, .insert, entity).filter { $0.value < 0 }
        guard !targets.isEmpty else { return nil }
        self.init(key: UUID().uuidString, operation: .update, entity: entity.name, row: 0, targets: targets)
    }

    /// The rows of changed to-one relationships, with those of new objects.
    private static func targets(
        of object: ManagedObject, _ changes: UnsavedChanges, _ operation: ChangeOperation, _ entity: StoredEntity
    ) -> [String: Int64] {
        var targets: [String: Int64] = [:]
        for index in entity.toOnes {
            let property = entity.type.relationships[index]
            let saved =
                operation == .update && changes.saved.rows.indices.contains(index) ? changes.saved.rows[index] : 0
            let row = property.row(of: object)
            if row != saved { targets[property.name] = row }
        }
        return targets
    }
}
