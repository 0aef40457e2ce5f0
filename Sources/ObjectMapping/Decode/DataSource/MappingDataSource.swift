/// The owner of the objects that decodes find, create and connect.
///
/// A decode calls `begin()` first and `end()` last. What it did to the objects is kept after `commit()` and undone after
/// `rollback(to:)`. An error that a method throws ends the decode; it becomes an issue at the object.
package protocol MappingDataSource: AnyObject {
    /// Whether an object without an identity is an issue; otherwise it is created and cannot be found.
    var requiresIdentity: Bool { get }

    /// Begins a decode.
    ///
    /// - Throws: An error if another decode is in progress and the objects cannot be shared with it.
    func begin() throws

    /// Whether `prefetch` is called before a payload is read. Defaults to `false`.
    var findsAhead: Bool { get }

    /// Reads the objects with keys that `find` is called with later. Keys may occur repeatedly.
    func prefetch(_ keys: [(kind: ObjectKind, keys: [ObjectKey])]) throws

    /// Returns the object with a key; nil if one is to be created.
    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject?

    /// Takes over an object that was created; its properties other than the identity may not be set yet.
    ///
    /// An object that has the key already is replaced: its class cannot be updated, or it is a boxed struct.
    ///
    /// - Parameters:
    ///   - key: The identity; nil for an object without one.
    ///   - order: The value that `nextOrder` returned when the object began in the payload.
    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws

    /// Returns a number that is larger than those before, for a data source that keeps the order of the payload.
    func nextOrder() -> Int

    /// Prepares an existing object for new values.
    ///
    /// - Parameters:
    ///   - isNewer: Whether the payload is newer than the object, as far as their modification stamps say.
    ///   - keepState: Copies the object's properties; the closure that it returns restores them.
    /// - Returns: Whether the payload is to be read into the object.
    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool

    /// Notes that a payload was read into an object that the caller chose, which may have changed its identity.
    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws

    /// Notes the objects that a relationship with the policy `.replace` no longer holds.
    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws

    /// Sets a relationship by the keys of its targets once the payload was read; those missing may be added later.
    ///
    /// - Parameter keys: nil to clear the relationship.
    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws

    /// Returns a state to which the decode can go back.
    func savepoint() -> Int

    /// Undoes what the decode did since a savepoint.
    func rollback(to savepoint: Int)

    /// Keeps what the decode did.
    func commit() throws

    /// Ends a decode, after `commit()` or `rollback(to:)`.
    func end()
}

extension MappingDataSource {
    package var findsAhead: Bool { false }

    package func prefetch(_ keys: [(kind: ObjectKind, keys: [ObjectKey])]) {}
}

/// The identity of an object before and after an update.
package struct IdentityChange {
    package let old: ObjectKey?
    package let new: ObjectKey?
    /// Whether the payload contains every property of the identity.
    package let isComplete: Bool
    package let order: Int
}

/// A type that names properties whose key paths have no names, such as those with property wrappers.
///
/// The names appear in messages, and become the keys of rules without a source. They belong to the type, not to a data
/// source, because a mapping is compiled once for all of these.
package protocol PropertyNaming {
    /// Returns the name of a property; nil for a key path without one.
    static func name(of property: AnyKeyPath) -> String?
}

extension MappingIssue {
    /// The issue of an error that a data source threw.
    static func dataSource(_ error: any Error) -> MappingIssue {
        if let issue = (error as? MappingError)?.issues.first { return issue }
        // The text of an error that is not made for issues may contain values.
        let reason = (error as? ValidationFailure)?.message ?? "\(type(of: error))"
        return payload(
            .dataSource, "a data source that accepts the object", "an error: \(reason)", value: "\(error)")
    }
}
