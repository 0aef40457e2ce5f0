/// The changes of observed objects whose observers are not notified yet.
struct ObservationState {
    /// A change of a property.
    struct Notification {
        let object: ManagedObject
        /// The offset of the property; `nil` for all properties.
        let offset: Int?
    }

    /// A to-many relationship of an observed object that has to be read again.
    struct RenewedList {
        let object: ManagedObject
        let relationship: Int
        let before: [ManagedObject]
    }

    /// The changes whose observers are notified after the current operation.
    var notifications: [Notification] = []
    /// The number of operations in progress that change objects, one inside the other.
    var depth = 0
    /// Whether an observer is being notified.
    var isNotifying = false
    /// Lists of observed objects that were dropped, and not read again yet.
    var renewedLists: [RenewedList] = []
    /// Whether these lists are being read, which is a read itself.
    var isReadingLists = false

    /// Whether neither an operation nor an observer is in progress.
    var isIdle: Bool { depth == 0 && !isNotifying }

    mutating func takeNotifications() -> [Notification] {
        defer { notifications = [] }
        return notifications
    }

    mutating func takeRenewedLists() -> [RenewedList] {
        defer { renewedLists = [] }
        return renewedLists
    }
}

/// Notifies observers of properties that change without an assignment: by inverses, deletions, rollbacks and reads.
extension ContextCore {
    /// Records that a property returns another value, or all properties of an object do.
    ///
    /// - Parameter offset: The property. Defaults to `nil`, all properties.
    func didChange(_ object: ManagedObject, at offset: Int? = nil) {
        guard isObserved, object.access.contains(.watched) else { return }
        observation.notifications.append(ObservationState.Notification(object: object, offset: offset))
    }

    /// Records that a to-many relationship returns other objects.
    func didChange(_ object: ManagedObject, list index: Int) {
        didChange(object, at: entity(of: object).type.relationships[index].offset)
    }

    /// Records that the relationships of an object may return other objects.
    func didChangeRelationships(of object: ManagedObject) {
        guard isObserved, object.access.contains(.watched) else { return }
        for property in entity(of: object).type.relationships { didChange(object, at: property.offset) }
    }

    /// Calls a closure that changes objects; observers are notified after the outermost one.
    func changing<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isObserved else { return try body() }
        observation.depth += 1
        defer {
            observation.depth -= 1
            notifyObservers()
        }
        return try body()
    }

    /// Notifies observers, unless an operation, a hook, an awaited read or an observer is in progress: then it follows at
    /// its end.
    ///
    /// An observer is notified once, but only removed when it returns.
    func notifyObservers() {
        guard observation.isIdle, hooks.current == nil, reads.ahead == nil, !observation.notifications.isEmpty else {
            return
        }
        observation.isNotifying = true
        defer { observation.isNotifying = false }
        while !observation.notifications.isEmpty {
            for change in observation.takeNotifications() { change.object.notifyObservers(ofPropertyAt: change.offset) }
        }
    }

    /// Reports that an assignment is about to change a property, or has changed it.
    func report(_ change: ObjectObserver.Change, of object: ManagedObject, at offset: Int, to observer: ObjectObserver)
    {
        // An observer can read, which a call that is repeated cannot.
        guard !observation.isNotifying, reads.ahead == nil else {
            if change == .imminent {
                observation.notifications.append(ObservationState.Notification(object: object, offset: offset))
            }
            return
        }
        observation.isNotifying = true
        observer.report(change, of: object, at: offset)
        observation.isNotifying = false
        notifyObservers()
    }

    /// Records that objects whose to-one relationships refer to an object return it, or no longer do.
    ///
    /// Their rows do not change, because `target(of:_:row:)` returns no deleted object.
    func didChangeTarget(_ target: ManagedObject) {
        guard isObserved else { return }
        for entity in store.entities where entity.type.observed.haveObservers {
            let toOnes = entity.toOnes.filter { entity.relationships[$0].destination == Int(target.entityIndex) }
            guard !toOnes.isEmpty else { continue }
            for object in registries[entity.index].objects where object.access.contains(.watched) {
                for property in toOnes.map({ entity.type.relationships[$0] })
                where property.row(of: object) == target.row {
                    didChange(object, at: property.offset)
                }
            }
        }
    }

    /// Whether the inverse of a relationship may have observers, which are notified of changes immediately.
    func mayHaveObservers(ofInverseOf index: Int, of object: ManagedObject) -> Bool {
        guard isObserved else { return false }
        return store.entities[entity(of: object).relationships[index].destination].type.observed.haveObservers
    }

    // MARK: Reads

    /// Replaces the values of an observed object with those that a closure reads.
    func renew(_ object: ManagedObject, _ entity: StoredEntity, _ read: () -> Void) {
        // Observers of a fault were notified when it became one.
        guard object.access.contains(.watched), !object.access.contains(.fault) else { return read() }
        let before = values(of: object, entity)
        read()
        for (step, (old, new)) in zip(entity.loadSteps, zip(before, values(of: object, entity))) where old != new {
            didChange(object, at: step.offset)
        }
    }

    private func values(of object: ManagedObject, _ entity: StoredEntity) -> [StoredValue?] {
        let memory = ObjectMemory(object)
        return entity.loadSteps.enumerated().map { index, step in
            step.direct?.storedValue(of: memory, at: step.offset)
                ?? entity.type.attributes[index].storedValue(of: object)
        }
    }

    /// Drops the lists of an object that was fetched; those of an observed one are read again and compared.
    func renewLists(of object: ManagedObject) {
        guard object.access.contains(.watched) else { return dropLists(of: object) }
        for (index, property) in entity(of: object).type.relationships.enumerated() where property.isToMany {
            renewList(index, of: object)
        }
    }

    /// Drops a list; that of an observed object is read again and compared.
    func renewList(_ index: Int, of object: ManagedObject) {
        let type = entity(of: object).type
        if object.access.contains(.watched), type.observed.haveObservers(at: type.relationships[index].offset),
            let objects = list(index, of: object)
        {
            observation.renewedLists.append(
                ObservationState.RenewedList(object: object, relationship: index, before: objects))
        }
        setList(nil, index, of: object)
    }

    /// Reads the dropped lists of observed objects, with one query for each relationship.
    func readRenewedLists() {
        guard !observation.renewedLists.isEmpty, !observation.isReadingLists else { return }
        observation.isReadingLists = true
        defer { observation.isReadingLists = false }
        var lists = observation.takeRenewedLists().filter { $0.object.core === self }[...]
        while let first = lists.first, reads.ahead?.missing == nil {
            let isSame = { (list: ObservationState.RenewedList) in
                list.relationship == first.relationship && list.object.entityIndex == first.object.entityIndex
            }
            let same = lists.filter(isSame)
            loadTargets(of: same.map(\.object).filter { list(first.relationship, of: $0) == nil }, first.relationship)
            // Read later, when the rows are available.
            if reads.ahead?.missing != nil { break }
            lists.removeAll(where: isSame)
            for list in same
            where !(self.list(list.relationship, of: list.object) ?? []).elementsEqual(list.before, by: ===) {
                didChange(list.object, list: list.relationship)
            }
        }
        observation.renewedLists = lists + observation.renewedLists
    }
}

extension ManagedObject {
    /// Notifies the observers of a property.
    ///
    /// - Parameter offset: The property; `nil` for all properties.
    fileprivate final func notifyObservers(ofPropertyAt offset: Int?) {
        guard access.contains(.watched), let observer else { return }
        guard observer.mayHaveObservers else {
            access.remove(.watched)
            return
        }
        for offset in offset.map({ [$0] }) ?? observer.offsets {
            observer.report(.imminent, of: self, at: offset)
            observer.report(.completed, of: self, at: offset)
        }
    }
}
