/// Objects that turn out to be the same as another object.
extension ContextCore {
    /// Moves what was not sent of an object to the object that has its row, and detaches it.
    func replace(_ object: ManagedObject, by other: ManagedObject, _ changes: UnsavedChanges) {
        let entity = entity(of: object)
        other.fireIfFault()
        for (index, attribute) in entity.type.attributes.enumerated() where !attribute.isTransient {
            let value = attribute.storedValue(of: object)
            guard object.state?.isAssigned(attribute.offset) == true, !attribute.isIdentity else { continue }
            if let value, value != changes.saved.values[index], !isSent(index, value, changes) {
                other.set(value, at: index)
            }
        }
        for index in entity.toOnes {
            let row = entity.type.relationships[index].row(of: object)
            guard row != 0, object.state?.isAssigned(entity.type.relationships[index].offset) == true,
                row != changes.targets.first(where: { $0.relationship == index })?.row
            else { continue }
            setTarget(target(of: object, index, row: row), of: other, index)
        }
        moveReferences(from: object, to: other, in: changedObjects, onlyAssigned: true)
        leave(object)
    }

    private func isSent(_ index: Int, _ value: StoredValue, _ changes: UnsavedChanges) -> Bool {
        changes.attributes.contains { $0.index == index && $0.value == value }
    }

    /// Detaches an object to which nothing refers, and removes it from the lists of its targets.
    private func leave(_ object: ManagedObject) {
        let entity = entity(of: object)
        for index in entity.toOnes { setTarget(nil, of: object, index) }
        object.state?.phase = .clean
        detach(object)
        didDiscardChanges()
    }

    /// Moves the relationships of other objects to an object, and the lists of that object.
    ///
    /// - Parameters:
    ///   - holders: The objects that may refer to it.
    ///   - onlyAssigned: Whether saved relationships remain.
    func moveReferences(
        from object: ManagedObject, to other: ManagedObject, in holders: [ManagedObject], onlyAssigned: Bool
    ) {
        for holder in holders where holder !== object && holder.core === self && holder.state?.phase != .deleted {
            let entity = entity(of: holder)
            for (index, relationship) in entity.relationships.enumerated()
            where relationship.destination == Int(object.entityIndex) {
                let property = entity.type.relationships[index]
                if !property.isToMany {
                    guard property.row(of: holder) == object.row,
                        !onlyAssigned || holder.state?.isAssigned(property.offset) == true
                    else { continue }
                    setTarget(other, of: holder, index)
                } else if relationship.linkTable != nil, !onlyAssigned || holder.state?.listBases[index] != nil {
                    let list = targets(of: holder, index)
                    guard list.contains(where: { $0 === object }) else { continue }
                    assign(list.filter { $0 !== other }.map { $0 === object ? other : $0 }, to: index, of: holder)
                }
            }
        }
        let entity = entity(of: object)
        for (index, relationship) in entity.relationships.enumerated() where relationship.linkTable != nil {
            // The save of the copy has moved saved lists.
            if onlyAssigned, object.row > 0, object.state?.listBases[index] == nil { continue }
            let list = targets(of: object, index)
            guard !list.isEmpty else { continue }
            assign([], to: index, of: object)
            let known = targets(of: other, index)
            assign(known + list.filter { !known.contains($0) }, to: index, of: other)
        }
    }

    private func assign(_ list: [ManagedObject], to index: Int, of object: ManagedObject) {
        willChangeTargets(of: object, index)
        setList(list, index, of: object)
        didChange(object, list: index)
        reconcile()
    }

    /// Returns the objects that refer to an object in the store.
    private func holders(of object: ManagedObject) throws(StoreError) -> [ManagedObject] {
        guard object.row > 0 else { return [] }
        let target = Int(object.entityIndex)
        var holders: [ManagedObject] = []
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated()
            where relationship.destination == target && (!relationship.isToMany || relationship.linkTable != nil) {
                let (table, source, column) = entity.links(of: index, in: store.entities)
                let rows = try store.read { (connection) throws(StoreError) in
                    try connection.rows("SELECT \(source) FROM \(table) WHERE \(column) = ?", [.integer(object.row)])
                }
                holders += try read(entity, rows: Set(rows).sorted())
            }
        }
        return holders
    }

    /// Moves the values of an object that another one with its identity lacks.
    func moveValues(of object: ManagedObject, to other: ManagedObject) {
        let entity = entity(of: object)
        other.fireIfFault()
        for (index, attribute) in entity.type.attributes.enumerated() where !attribute.isTransient {
            let (value, known) = (attribute.storedValue(of: object), attribute.storedValue(of: other))
            guard !attribute.isIdentity, let value, !value.isNull, value != attribute.defaultValue else { continue }
            if known == .null || known == attribute.defaultValue { other.set(value, at: index) }
        }
        for index in entity.toOnes {
            let property = entity.type.relationships[index]
            let target = target(of: object, index, row: property.row(of: object))
            guard let target else { continue }
            setTarget(nil, of: object, index)
            if property.row(of: other) == 0 { setTarget(target, of: other, index) }
        }
    }

    /// Moves all references of an object to another one with its identity, and deletes it.
    func replaceReferences(to object: ManagedObject, by other: ManagedObject) throws(StoreError) {
        let holders = try holders(of: object)
        withExtendedLifetime(holders) {
            moveReferences(from: object, to: other, in: holders, onlyAssigned: false)
            delete(object, keepingTargets: true)
        }
    }
}
