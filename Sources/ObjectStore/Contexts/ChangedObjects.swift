/// The new, changed and deleted objects of a context.
struct ChangedObjects {
    /// In the order of their first change; some may be unchanged again, or may have left the context.
    private(set) var objects: [ManagedObject] = []
    /// The number of objects whose changes were discarded.
    private var discardedCount = 0
    /// Changes when objects are removed, or when their identities change unnoticed.
    private(set) var generation = 0
    /// The lists that the objects change; forgotten with the last object.
    var lists = ChangedLists()
    /// The rows of objects that were deleted and inserted again, by entity.
    var restoredRows: [Int: Set<Int64>] = [:]

    func contains(_ object: ManagedObject, _ state: ObjectState) -> Bool {
        state.place < objects.count && objects[state.place] === object
    }

    mutating func append(_ object: ManagedObject, _ state: ObjectState) {
        state.place = objects.count
        objects.append(object)
    }

    /// Removes the objects that do not meet a condition.
    mutating func keep(where isKept: (ManagedObject) -> Bool) {
        let earlier = objects
        objects = earlier.filter(isKept)
        didRemove()
        (discardedCount, lists.changes) = (0, nil)
        lists.appendOrder.last = objects.count - 1
        for (place, object) in objects.enumerated() { object.state?.place = place }
        // Released last: deinitializers of objects are code of the program.
        withExtendedLifetime(earlier) {}
    }

    /// Removes the objects that were saved: those that do not meet a condition.
    mutating func didSave(_ saved: [ManagedObject], keeping isKept: (ManagedObject) -> Bool) {
        keep(where: isKept)
        // Forgotten with the last object.
        guard !objects.isEmpty else { return }
        for object in saved {
            lists.removedMembers[ObjectIdentifier(object)] = nil
            restoredRows[Int(object.entityIndex)]?.remove(object.row)
        }
    }

    /// Removes the last objects.
    mutating func removeAll(after count: Int) {
        guard objects.count > count else { return }
        let removed = Array(objects[count...])
        objects.removeSubrange(count...)
        didRemove()
        withExtendedLifetime(removed) {}
    }

    mutating func removeAll() {
        let removed = objects
        objects = []
        didRemove()
        withExtendedLifetime(removed) {}
    }

    private mutating func didRemove() {
        generation += 1
        guard objects.isEmpty else { return }
        discardedCount = 0
        lists.forget()
        restoredRows = [:]
    }

    /// Records that identities and relationships of objects may have their earlier values again.
    mutating func didRestore() {
        generation += 1
        lists.changes = nil
    }

    /// Records that the changes of an object were discarded.
    ///
    /// - Returns: Whether there are so many of these objects that a pass over all should remove them.
    mutating func noteDiscarded() -> Bool {
        discardedCount += 1
        return discardedCount * 2 > objects.count
    }
}

/// The to-many relationships that unsaved changes of a context affect.
struct ChangedLists {
    /// A relationship that was changed and whose inverses were not updated yet, with its earlier objects.
    struct Pending {
        let object: ManagedObject
        let relationship: Int
        let before: [ManagedObject]
    }

    /// A change of a list by the inverse of one of its objects.
    struct Change {
        let list: ListID
        let object: ManagedObject
        let isMember: Bool
    }

    /// A deleted object that was removed from a list in memory.
    struct RemovedMember {
        let owner: ManagedObject
        let relationship: Int
        let position: Int
    }

    /// The changes by inverses; `nil` until a list is read.
    var changes: [ListID: EditedList]?
    /// The rows in the store of ordered lists that were read with unsaved changes.
    var readRows: [ListID: [Int64]] = [:]
    /// The order of additions to ordered lists.
    var appendOrder = AppendOrder()
    /// The entities of deleted objects that lists in memory may still contain.
    var deletedMembers: Set<Int> = []
    /// The lists from which deleted objects were removed, by object.
    var removedMembers: [ObjectIdentifier: [RemovedMember]] = [:]
    var pending: [Pending] = []

    /// Whether other objects or lists have to be updated before lists are read.
    var havePending: Bool { !pending.isEmpty || !deletedMembers.isEmpty }

    /// Records that the inverse of a list has changed, after the first list was read.
    mutating func note(_ list: @autoclosure () -> ListID, _ object: ManagedObject, isMember: Bool) {
        if changes != nil { changes?[list(), default: EditedList()].set(object, isMember: isMember) }
    }

    /// Forgets everything except for pending lists.
    mutating func forget() {
        let pending = pending
        self = ChangedLists()
        self.pending = pending
    }
}

/// A to-many relationship of a row.
struct ListID: Hashable {
    let entity: Int
    let relationship: Int
    let row: Int64
}

/// The order in which objects were added to ordered lists by their own relationships.
struct AppendOrder {
    private struct Member: Hashable {
        let list: ListID
        let row: Int64
    }

    /// The place among the changed objects of the last object that was added.
    var last = -1
    /// The numbers of all additions; `nil` as long as their order is that of the changed objects.
    private var numbers: [Member: Int]?

    /// Whether the order differs from that of the changed objects.
    var isRecorded: Bool { numbers != nil }

    /// Returns the number of an addition; 0 if it is unknown.
    func number(of row: Int64, in list: ListID) -> Int { numbers?[Member(list: list, row: row)] ?? 0 }

    /// Whether an addition is the first one in another order than that of the changed objects.
    func isBroken(by place: Int) -> Bool { numbers == nil && place < last }

    /// Records an addition as the last one.
    ///
    /// - Parameter earlier: The additions so far, in the order of the changed objects, if this one breaks that order.
    mutating func add(_ object: ManagedObject, to list: ListID, place: Int, earlier: [ChangedLists.Change]) {
        if numbers == nil {
            guard isBroken(by: place) else { return last = place }
            numbers = [:]
            for change in earlier where change.isMember { number(change.object.row, in: change.list) }
        }
        number(object.row, in: list)
    }

    private mutating func number(_ row: Int64, in list: ListID) {
        numbers?[Member(list: list, row: row)] = nextNumber
        nextNumber += 1
    }

    private var nextNumber = 1

    /// Replaces the row of an object that was new.
    mutating func replace(_ old: Int64, by new: Int64) {
        guard let known = numbers else { return }
        numbers = [:]
        for (member, number) in known {
            let list = member.list
            let owner = ListID(
                entity: list.entity, relationship: list.relationship, row: list.row == old ? new : list.row)
            numbers?[Member(list: owner, row: member.row == old ? new : member.row)] = number
        }
    }
}
