/// The state of a persistable object, which determines what ``Persistable/persist()`` does.
public enum PersistenceState: String, Sendable, Hashable, CaseIterable {
    /// The object has no row: `persist()` inserts it.
    case new
    /// The object is equal to its row: `persist()` does nothing.
    case existing
    /// The object differs from its row: `persist()` updates it.
    case changed
    /// The object is to be deleted: `persist()` deletes its row.
    case deleted
    /// The row was deleted: `persist()` does nothing, and `insert()` creates the row again.
    case detached

    /// An operation on the row of an object.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// Creates the row.
        case insert
        /// Writes the changes to the row.
        case update
        /// Deletes the row.
        case delete
    }

    /// Returns the state after an operation succeeds.
    ///
    /// ```swift
    /// func update() throws {
    ///     _ = try persistenceState.after(.update)
    ///     let count = try database.write(sql: "UPDATE Person SET name = ? WHERE oid = ?", arguments: [.text(name), .text(oid)])
    ///     try persistenceState.finish(.update, changedRows: count)
    /// }
    /// ```
    ///
    /// - Throws: `StoreError`, of kind `constraint` for an insertion whose row exists, `missingObject` for a row that does
    ///   not exist, or an object that is to be deleted.
    public func after(_ operation: Operation) throws(StoreError) -> PersistenceState {
        switch (self, operation) {
        case (.new, .insert), (.detached, .insert): .existing
        case (.existing, .update), (.changed, .update): .existing
        case (.existing, .delete), (.changed, .delete), (.deleted, .delete): .detached
        case (.existing, .insert), (.changed, .insert):
            throw StoreError(
                .constraint, "cannot insert the object: its row exists already",
                advice: "use update() or persist()")
        case (.new, .update), (.new, .delete):
            throw StoreError(
                .missingObject, "cannot \(operation.rawValue) the object: it has no row",
                advice: "use insert() or persist() first")
        case (.deleted, .insert), (.deleted, .update):
            throw StoreError(
                .missingObject, "cannot \(operation.rawValue) the object: it is to be deleted",
                advice: "use delete() or persist()")
        case (.detached, .update), (.detached, .delete):
            throw StoreError(
                .missingObject, "cannot \(operation.rawValue) the object: its row was deleted",
                advice: "use insert() to create it again")
        }
    }

    /// Records that a field is set.
    ///
    /// ```swift
    /// func setName(_ name: String) throws {
    ///     try persistenceState.noteAssignment(isChange: name != self.name)
    ///     self.name = name
    /// }
    /// ```
    ///
    /// - Parameter isChange: Whether the new value differs from the old one. Defaults to `true`.
    /// - Throws: `StoreError` of kind `missingObject` for a deleted object.
    public mutating func noteAssignment(isChange: Bool = true) throws(StoreError) {
        switch self {
        case .new, .changed: break
        case .existing: if isChange { self = .changed }
        case .deleted, .detached:
            throw StoreError(
                .missingObject,
                "cannot change the object: it \(self == .deleted ? "is to be" : "was") deleted",
                advice: self == .detached ? "use insert() to create it again" : nil)
        }
    }

    /// Records that the object is to be deleted, by the next ``Persistable/persist()``.
    ///
    /// An object without a row becomes detached.
    public mutating func noteDeletion() {
        switch self {
        case .new: self = .detached
        case .existing, .changed: self = .deleted
        case .deleted, .detached: break
        }
    }

    /// Records that the statement of an operation was run.
    ///
    /// An object whose row others have deleted becomes `detached`: `insert()` creates the row again.
    ///
    /// - Parameters:
    ///   - operation: The operation, which the state permits.
    ///   - count: The number of changed rows.
    ///   - isChanged: Whether the object has other values than the statement wrote, because fields were set while an
    ///     asynchronous function was suspended: it is `changed` then. Defaults to `false`.
    /// - Throws: `StoreError`, of kind `missingObject` for 0; or the errors of ``after(_:)``.
    public mutating func finish(
        _ operation: Operation, changedRows count: Int, isChanged: Bool = false
    ) throws(StoreError) {
        let next = try after(operation)
        guard count == 0 else {
            self = next == .existing && isChanged ? .changed : next
            return
        }
        if operation != .insert { self = .detached }
        throw StoreError(
            .missingObject,
            operation == .insert
                ? "no row was inserted" : "no row was changed: others deleted the row of the object",
            advice: operation == .insert ? nil : "use insert() to create it again")
    }
}
