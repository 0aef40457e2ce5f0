/// Objects by the names of their entities: of the class of an entity, or a `DynamicObject`.
///
/// Calls that return objects are disfavored, as those with classes are.
extension ObjectContext {
    /// Creates an object of an entity, which the next save inserts.
    ///
    /// ```swift
    /// let person = try context.insert("Person")
    /// person["name"] = "Roy"
    /// ```
    ///
    /// - Parameter entity: The name of the entity.
    /// - Returns: An object of the entity's class, or a ``DynamicObject`` for an entity without a class.
    /// - Throws: `StoreError`, of kind `unknownEntity` with near names if the entity does not exist.
    @discardableResult public func insert(_ entity: String) throws(StoreError) -> ManagedObject {
        let object = try core.store.entity(named: entity).type.makeObject()
        core.insert(object)
        return object
    }

    /// Returns the query for all objects of an entity; see ``ManagedObjectStore/query(_:)``.
    public func query(_ entity: String) throws(StoreError) -> ObjectQuery<ManagedObject> {
        try core.store.query(entity)
    }

    /// Returns all objects of an entity, including unsaved changes of the context.
    ///
    /// - Parameter entity: The name of the entity.
    /// - Throws: `StoreError`, of kind `unknownEntity` with near names if the entity does not exist.
    @_disfavoredOverload public func fetch(_ entity: String) throws(StoreError) -> [ManagedObject] {
        try fetch(query(entity))
    }

    /// Returns the objects of an entity that meet a condition, including unsaved changes of the context.
    ///
    /// ```swift
    /// let people = try context.fetch("Person") { $0["name"] == "Roy" }
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - condition: The condition.
    /// - Throws: `StoreError`, of kind `unknownEntity` or `unknownProperty` with near names, or `invalidValue` for a
    ///   comparison with a value of another type.
    @_disfavoredOverload public func fetch(
        _ entity: String,
        where condition: (QueryObject<ManagedObject, ManagedObject>) -> some QueryCondition<ManagedObject>
    ) throws(StoreError) -> [ManagedObject] {
        try fetch(query(entity).where(condition))
    }

    /// Returns the object of an entity with an identity; `nil` if it does not exist.
    ///
    /// ```swift
    /// let task = try context.find("Task", 7)
    /// ```
    ///
    /// - Throws: `StoreError`, of kind `unknownEntity` with near names, or `misuse` if the identity has other types.
    @_disfavoredOverload public func find(
        _ entity: String, _ identity: any AttributeValue...
    ) throws(StoreError) -> ManagedObject? {
        try find(core.store.entity(named: entity), identity)
    }

    // MARK: For asynchronous functions

    /// Returns all objects of an entity, including unsaved changes of the context; SQL runs on another thread.
    ///
    /// - Throws: `StoreError`, of kind `unknownEntity` with near names if the entity does not exist.
    nonisolated(nonsending) public func fetch(_ entity: String) async throws(StoreError) -> [ManagedObject] {
        try await fetch(query(entity))
    }

    /// Returns the objects of an entity that meet a condition, including unsaved changes of the context; SQL runs on
    /// another thread.
    ///
    /// - Throws: `StoreError`, of kind `unknownEntity` or `unknownProperty` with near names, or `invalidValue` for a
    ///   comparison with a value of another type.
    nonisolated(nonsending) public func fetch(
        _ entity: String,
        where condition: (QueryObject<ManagedObject, ManagedObject>) -> some QueryCondition<ManagedObject>
    ) async throws(StoreError) -> [ManagedObject] {
        try await fetch(query(entity).where(condition))
    }

    /// Returns the object of an entity with an identity; SQL runs on another thread.
    ///
    /// - Returns: The object; `nil` if it does not exist.
    /// - Throws: `StoreError`, of kind `unknownEntity` with near names, or `misuse` if the identity has other types.
    nonisolated(nonsending) public func find(
        _ entity: String, _ identity: any AttributeValue...
    ) async throws(StoreError) -> ManagedObject? {
        let entity = try core.store.entity(named: entity)
        return try await core.reading { () throws(StoreError) in try find(entity, identity) }
    }
}
