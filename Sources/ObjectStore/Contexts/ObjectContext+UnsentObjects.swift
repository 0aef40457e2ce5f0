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
    /// The IDs of the targets of its to-one relationships.
    package var targetIDs: [ObjectID] {
        guard let core else { return [] }
        fireIfFault()
        let entity = core.entity(of: self)
        return entity.toOnes.compactMap { index in
            let row = entity.type.relationships[index].row(of: self)
            let name = core.store.entities[entity.relationships[index].destination].name
            return row == 0 ? nil : ObjectID(entity: name, row: row, store: core.store.identity)
        }
    }
}
