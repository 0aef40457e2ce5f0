import ObjectMapping

extension ManagedObjectStore {
    /// Describes a change for the remote, with what it prepares of a copy of the object.
    func change(
        _ operation: ChangeOperation, of row: Int64, _ entity: StoredEntity, _ changes: UnsavedChanges, _ id: ObjectID,
        _ key: String, _ remote: RemoteConnection
    ) async throws -> RemoteChange {
        try await perform { context in
            defer { context.rollback() }
            let core = context.core
            let object: ManagedObject
            if row < 0 {
                object = core.copy(entity.type, changes)
            } else {
                object = try context.object(with: id)
                if operation == .update {
                    core.loadEarlierValues(of: object, changes)
                    object.assignAll(changes)
                }
            }
            var values: [String: StoredValue] = [:]
            var targets: [String: RemoteObject?] = [:]
            var members: [String: [RemoteObject]] = [:]
            if operation != .delete {
                core.setKeys(of: object, for: changes)
                values = object.unsavedChanges.values(named: entity)
                for change in changes.targets {
                    let relationship = entity.relationships[change.relationship]
                    let target = core.target(of: object, change.relationship, row: change.row)
                    targets.updateValue(target?.described(as: target?.managed.id), forKey: relationship.name)
                }
                for list in changes.lists {
                    let objects = core.list(list.relationship, of: object) ?? []
                    members[entity.relationships[list.relationship].name] = objects.map { $0.described(as: nil) }
                }
            }
            return RemoteChange(
                operation: operation, object: try object.described(as: id, for: .save(operation), remote),
                values: values, targets: targets, members: members, idempotencyKey: key)
        }
    }
}

extension ContextCore {
    /// Sets the key attributes of changed relationships to the identities of their targets, unless they were changed, too.
    func setKeys(of object: ManagedObject, for changes: UnsavedChanges) {
        let entity = entity(of: object)
        func isFree(_ attribute: Int) -> Bool { !changes.attributes.contains { $0.index == attribute } }
        for change in changes.targets {
            let relationship = entity.relationships[change.relationship]
            guard let key = relationship.keys.first(where: \.conditions.isEmpty) else { continue }
            if change.row == 0 {
                // A part of several attributes can belong to others, too.
                let attribute = key.attributes[0]
                if key.attributes.count == 1, isFree(attribute), entity.type.attributes[attribute].isOptional {
                    object.set(.null, at: attribute)
                }
                continue
            }
            guard
                let target = target(of: object, change.relationship, row: change.row)
            else { continue }
            for (attribute, value) in zip(key.attributes, identifiers(of: target, key)) where isFree(attribute) {
                if let value { object.set(value, at: attribute) }
            }
        }
        for list in changes.lists {
            let relationship = entity.relationships[list.relationship]
            guard let key = relationship.keys.first(where: \.conditions.isEmpty), key.attributes.count == 1,
                isFree(key.attributes[0])
            else { continue }
            let destination = store.entities[relationship.destination]
            let keys = list.rows.map { row in
                self.object(ofRow: row, destination).flatMap { identifiers(of: $0, key).first??.element }
            }
            if keys.contains(nil) { continue }
            object.set(.text(JSON.array(keys.compactMap(\.self)).text), at: key.attributes[0])
        }
    }

    /// The values of an object by which a key refers to it.
    private func identifiers(of target: ManagedObject, _ key: StoredEntity.Key) -> [StoredValue?] {
        target.fireIfFault()
        let other = entity(of: target)
        let sources =
            key.matching.isEmpty
            ? other.identity
            : key.matching.compactMap { name in other.type.attributes.firstIndex { $0.name == name } }
        return sources.map { other.type.attributes[$0].storedValue(of: target) }
    }
}

extension StoredValue {
    /// The value as an element of a stored list; `nil` for values that lists do not have.
    fileprivate var element: JSON? {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): .double(value)
        case .text(let text): .string(text)
        case .null, .blob: nil
        }
    }
}

extension UnsavedChanges {
    /// The changed attributes by name.
    func values(named entity: StoredEntity) -> [String: StoredValue] {
        let values = attributes.map { (entity.description.attributes[$0.index].name, $0.value) }
        return Dictionary(values, uniquingKeysWith: { _, last in last })
    }
}
