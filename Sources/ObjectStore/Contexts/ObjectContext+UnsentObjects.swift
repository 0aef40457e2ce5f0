/// What a server has not accepted yet, for screens that show, send or give it up.
extension ObjectContext {
    // MARK: Unsent edits

    /// Returns the objects with saved edits that the server has not accepted yet, and those that were never sent.
    ///
    /// ```swift
    /// for object in try context.unsentObjects() { print(object, try context.unsentProperties(of: object)) }
    /// ```
    ///
    /// They are in the order of the model's entities, then in the order in which they were created.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func unsentObjects() throws(StoreError) -> [ManagedObject] {
        let store = core.store
        let ids = try store.read { (connection) throws(StoreError) in
            guard let marks = try UnsentMarks(connection) else { return [ObjectID]() }
            var ids: [ObjectID] = []
            for entity in store.entities {
                ids += try marks.properties(of: entity).keys.sorted().map { row in
                    ObjectID(entity: entity.name, row: row, store: store.identity)
                }
            }
            return ids
        }
        var objects: [ManagedObject] = []
        for id in ids { objects.append(try object(with: id)) }
        return objects
    }

    /// Returns the objects of a class that the server has not accepted yet; see ``unsentObjects()``.
    ///
    /// - Parameter type: The class.
    /// - Throws: `StoreError` if the store cannot be read.
    public func unsentObjects<Object: ManagedObjectClass>(_ type: Object.Type) throws(StoreError) -> [Object] {
        try unsentObjects().compactMap { $0 as? Object }
    }

    /// Returns the names of the properties whose saved values the server has not accepted yet.
    ///
    /// - Parameter object: An object of the context.
    /// - Returns: The names in alphabetical order; all attributes and to-one relationships of an object that was never sent.
    /// - Throws: `StoreError` if the store cannot be read.
    public func unsentProperties(of object: ManagedObject) throws(StoreError) -> [String] {
        guard object.core === core else { return [] }
        let (unsent, entity) = (try object.unsentValues(), core.entity(of: object))
        guard unsent.isNew else { return unsent.previous.map { entity.name(of: $0.property) }.sorted() }
        let attributes = entity.type.attributes.filter { !$0.isTransient }.map(\.name)
        return (attributes + entity.toOnes.map { entity.relationships[$0].name }).sorted()
    }

    /// Gives up the saved edits of an object that the server has not accepted, such as those that it refused.
    ///
    /// The values remain until the next response with the object overwrites them:
    ///
    /// ```swift
    /// try context.discardUnsentEdits(of: task)
    /// try await manager.get(task)                  // the values of the server
    /// ```
    ///
    /// Unsaved changes remain. An object that was never sent is deleted with `delete(_:)` instead.
    ///
    /// - Parameter object: An object of the context.
    /// - Throws: `StoreError` if the store cannot be written.
    public func discardUnsentEdits(of object: ManagedObject) throws(StoreError) {
        guard object.core === core, object.row > 0 else { return }
        let (row, entity) = (object.row, core.entity(of: object))
        _ = try core.run(
            BulkChange(author: core.number) { (connection) throws(StoreError) in
                try UnsentMarks(connection)?.removeAll(of: .rows([row]), entity)
            } commit: {
                // Makes later requests unconditional, so that their responses have the values.
                var commit = CommitChanges()
                commit.update(row, entity.index)
                return commit
            } finish: {
                1
            })
    }
}

extension ManagedObject {
    /// Returns the targets of its to-one relationships that were never sent, with the names of the relationships.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    package func unsentTargets() throws(StoreError) -> [(name: String, target: ManagedObject)] {
        guard let core else { return [] }
        fireIfFault()
        let entity = core.entity(of: self)
        var targets: [(name: String, target: ManagedObject)] = []
        for index in entity.toOnes {
            let row = entity.type.relationships[index].row(of: self)
            guard let target = core.target(of: self, index, row: row), target !== self else { continue }
            let isNew = target.state?.phase == .inserted ? true : try target.unsentValues().isNew
            if isNew { targets.append((entity.relationships[index].name, target)) }
        }
        return targets
    }

    /// Whether a property was changed, or has saved edits that the server has not accepted.
    package func isEdited(_ name: String, _ unsent: UnsentValues) -> Bool {
        guard let core, let property = core.entity(of: self).property(named: name) else { return false }
        if unsent.isNew || state?.phase == .inserted || unsent.previous.contains(where: { $0.property == property }) {
            return true
        }
        return switch property {
        case .attribute(let index): state?.bases.contains { $0.attribute == index } ?? false
        case .relationship(let index): state?.linkBases.contains { $0.relationship == index } ?? false
        }
    }

    /// Whether the identity of the object makes a difference to the request of another one.
    ///
    /// - Parameter content: Returns what the request has.
    package func isIdentified<Content: Equatable>(in content: () -> Content) -> Bool {
        guard let core else { return false }
        fireIfFault()
        let (current, bits, entity) = (content(), unassignedIdentity, core.entity(of: self))
        defer { unassignedIdentity = bits }
        for index in entity.identity {
            let attribute = entity.type.attributes[index]
            let (value, restore) = (attribute.storedValue(of: self), attribute.keep(self))
            defer { restore() }
            // A key path to an identity that was never assigned has no value.
            unassignedIdentity = 0
            // Another value of any type.
            let others = [
                StoredValue.integer(1), .integer(2), .text("1"), .text("2"), .real(1), .real(2), .blob([1]), .blob([2]),
                .text("00000000-0000-0000-0000-000000000001"), .text("00000000-0000-0000-0000-000000000002"),
                .text("2001-01-01T00:00:00.000Z"), .text("2002-01-01T00:00:00.000Z"),
            ]
            for other in others where attribute.storedValue(of: self) == value {
                if !attribute.load(other, into: self) { restore() }
            }
            if content() != current { return true }
        }
        return false
    }
}
