/// The owner of the objects that decodes find, create and connect.
///
/// A decode calls `begin()` first and `end()` last. Changes to the objects are kept after `commit()` and undone after
/// `rollback(to:)`. An error of a method ends the decode and becomes an issue of the object.
package protocol MappingDataSource: AnyObject {
    /// Whether an object without an identity is an issue; otherwise it is created and cannot be found.
    var requiresIdentity: Bool { get }

    /// Whether a new object gets values for properties of its identity that a payload does not contain. Defaults to
    /// `false`.
    func generates(_ properties: [AnyKeyPath], of kind: ObjectKind) -> Bool

    /// Begins a decode.
    ///
    /// - Throws: An error if another decode is in progress and the objects cannot be shared with it.
    func begin() throws

    /// Whether `prefetch` is called before a payload is read. Defaults to `false`.
    var findsAhead: Bool { get }

    /// Reads the objects with keys that `find` is called with later.
    func prefetch(_ request: IdentityRequest) throws

    /// Returns the object with a key; `nil` if a new object is required.
    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject?

    /// Adds a new object; properties other than the identity may not be set yet.
    ///
    /// An existing object with the key is replaced: its class cannot be updated, or it is a boxed struct.
    ///
    /// - Parameters:
    ///   - key: The identity; `nil` for an object without identity.
    ///   - order: The value returned by `nextOrder` at the start of the object in the payload.
    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws

    /// Returns a number larger than all previous ones, for a data source that keeps the order of the payload.
    func nextOrder() -> Int

    /// Prepares an existing object for new values.
    ///
    /// - Parameters:
    ///   - isNewer: Whether the payload is newer than the object according to their modification stamps.
    ///   - keepState: Copies the object's properties; the closure that it returns restores them.
    /// - Returns: Whether the payload is to be read into the object.
    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool

    /// Reports that a payload was read into an object chosen by the caller, which may have changed its identity.
    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws

    /// Reports the objects that were removed from a relationship with the policy `.replace`.
    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws

    /// Sets a relationship with the keys of its targets, after the payload was read; missing targets may be added
    /// later.
    ///
    /// - Parameter keys: The keys; `nil` to clear the relationship.
    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws

    /// Returns a savepoint for a later rollback.
    func savepoint() -> Int

    /// Undoes the changes of the decode since a savepoint.
    func rollback(to savepoint: Int)

    /// Keeps the changes of the decode.
    func commit() throws

    /// Ends a decode, after `commit()` or `rollback(to:)`.
    func end()
}

extension MappingDataSource {
    package var findsAhead: Bool { false }

    package func generates(_ properties: [AnyKeyPath], of kind: ObjectKind) -> Bool { false }

    package func prefetch(_ request: IdentityRequest) {}
}

/// The identity of an object before and after an update.
package struct IdentityChange {
    package let old: ObjectKey?
    package let new: ObjectKey?
    /// Whether the payload contains every property of the identity.
    package let isComplete: Bool
    package let order: Int
}

/// Names the properties whose key paths have no names, such as those with property wrappers.
///
/// The names are used in messages, and as keys of rules without a source. They belong to the type and not to a data
/// source, because a mapping is compiled once for all data sources.
package protocol PropertyNaming {
    /// Returns the name of a property; `nil` for an unknown key path.
    static func name(of property: AnyKeyPath) -> String?
}

/// A class that declares which of its properties have unique values.
package protocol UniqueProperties {
    /// Returns the reason why some properties together are not unique; `nil` if they are.
    static func problem(_ properties: [AnyKeyPath]) -> (expected: String, found: String)?
}

/// An error of a data source whose text contains no values of objects, so that an issue can contain it.
package protocol DataSourceError: Error {
    var reason: String { get }
}

extension MappingIssue {
    /// Creates the issue of an error thrown by a data source.
    static func dataSource(_ error: any Error) -> MappingIssue {
        if let issue = (error as? MappingError)?.issues.first { return issue }
        let reason = (error as? any DataSourceError)?.reason ?? ValidationFailure.reason(of: error)
        return payload(
            .dataSource, "a data source that accepts the object", "an error: \(reason)", value: "\(error)")
    }
}
