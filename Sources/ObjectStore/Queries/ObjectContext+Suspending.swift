/// Reads for asynchronous functions: the context's actor is not blocked while SQL runs on another thread.
///
/// The results include changes that were made in the context meanwhile. Faults are read on the thread that accesses
/// them; `prefetch` of a query reads relationships in advance.
extension ObjectContext {
    /// Returns the objects of a query, including unsaved changes of the context; SQL runs on another thread.
    ///
    /// ```swift
    /// let tasks = try await context.fetch(ProjectTask.where { $0.name.hasPrefix("Build") })
    /// ```
    ///
    /// - Throws: `StoreError`, of kind `misuse` if the query uses a property that is not stored.
    nonisolated(nonsending) public func fetch<Object>(
        _ query: ObjectQuery<Object>
    ) async throws(StoreError) -> [Object] {
        try await core.reading { () throws(StoreError) in try fetch(query) }
    }

    /// Returns the first object of a query, including unsaved changes of the context; SQL runs on another thread.
    ///
    /// - Returns: The object; `nil` if it does not exist.
    nonisolated(nonsending) public func fetchFirst<Object>(
        _ query: ObjectQuery<Object>
    ) async throws(StoreError) -> Object? {
        try await core.reading { () throws(StoreError) in try fetchFirst(query) }
    }

    /// Returns the objects of an SQL statement, which selects their rows and runs on another thread.
    ///
    /// The statement applies to the store only, without unsaved changes.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - sql: One statement whose first column is `_id` of the entity's table.
    ///   - arguments: The values of its parameters, in order.
    /// - Throws: `StoreError`, of kind `misuse` if SQLite rejects the statement.
    nonisolated(nonsending) public func fetch<Object: ManagedObjectClass>(
        _ type: Object.Type, sql: String, arguments: [StoredValue] = []
    ) async throws(StoreError) -> [Object] {
        try await core.reading { () throws(StoreError) in try fetch(type, sql: sql, arguments: arguments) }
    }

    /// Returns the number of objects of a query in the store, without unsaved changes; SQL runs on another thread.
    nonisolated(nonsending) public func count<Object>(_ query: ObjectQuery<Object>) async throws(StoreError) -> Int {
        try await core.reading { () throws(StoreError) in try count(query) }
    }

    /// Returns the IDs of the objects of a query in the store, without unsaved changes; SQL runs on another thread.
    nonisolated(nonsending) public func ids<Object>(
        _ query: ObjectQuery<Object>
    ) async throws(StoreError) -> [ObjectID] {
        try await core.reading { () throws(StoreError) in try ids(query) }
    }

    /// Returns the attribute values of the objects of a query in the store, without unsaved changes; SQL runs on another
    /// thread.
    nonisolated(nonsending) public func snapshots<Object>(
        _ query: ObjectQuery<Object>
    ) async throws(StoreError) -> [Snapshot<Object>] {
        try await core.reading { () throws(StoreError) in try snapshots(query) }
    }

    /// Returns the values of one attribute of the objects of a query in the store, without unsaved changes; SQL runs on
    /// another thread.
    nonisolated(nonsending) public func values<Object, Value>(
        of property: KeyPath<Object, Value>, _ query: ObjectQuery<Object>
    ) async throws(StoreError) -> [Value] {
        try await core.reading { () throws(StoreError) in try values(of: property, query) }
    }

    /// Computes values over the objects of a query in the store, without unsaved changes; SQL runs on another thread.
    ///
    /// - Parameters:
    ///   - query: The objects; its order is ignored unless it has a limit.
    ///   - values: One aggregate, or a tuple of them.
    nonisolated(nonsending) public func aggregate<Object, each Result>(
        _ query: ObjectQuery<Object>,
        _ values: (QueryObject<Object, Object>) -> (repeat QueryAggregate<Object, each Result>)
    ) async throws(StoreError) -> (repeat each Result) {
        try await core.reading { () throws(StoreError) in try aggregate(query, values) }
    }

    /// Computes a value over the objects of a query in the store, without unsaved changes; SQL runs on another thread.
    nonisolated(nonsending) public func aggregate<Object, Result>(
        _ query: ObjectQuery<Object>, _ value: (QueryObject<Object, Object>) -> QueryAggregate<Object, Result>
    ) async throws(StoreError) -> Result {
        try await core.reading { () throws(StoreError) in try aggregate(query, value) }
    }

    /// Computes values over groups of the objects of a query in the store, without unsaved changes; SQL runs on another
    /// thread.
    ///
    /// - Parameters:
    ///   - query: The objects; its order is ignored unless it has a limit.
    ///   - key: The common value of a group's objects, which can be `nil`.
    ///   - values: One aggregate, or a tuple of them.
    /// - Returns: The groups, in the order of their keys.
    @_disfavoredOverload nonisolated(nonsending) public func aggregate<Object, Key, each Result>(
        _ query: ObjectQuery<Object>, by key: (QueryObject<Object, Object>) -> QueryValue<Object, Key>,
        _ values: (QueryObject<Object, Object>) -> (repeat QueryAggregate<Object, each Result>)
    ) async throws(StoreError) -> [(key: Key?, values: (repeat each Result))] {
        try await core.reading { () throws(StoreError) in try aggregate(query, by: key, values) }
    }

    /// Computes values over groups of the objects of a query in the store, without unsaved changes; SQL runs on another
    /// thread.
    ///
    /// - Parameters:
    ///   - query: The objects; its order is ignored unless it has a limit.
    ///   - key: The common value of a group's objects, which can be `nil`.
    ///   - values: One aggregate, or a tuple of them.
    /// - Returns: The groups, in the order of their keys.
    nonisolated(nonsending) public func aggregate<Object, Wrapped, each Result>(
        _ query: ObjectQuery<Object>, by key: (QueryObject<Object, Object>) -> QueryValue<Object, Wrapped?>,
        _ values: (QueryObject<Object, Object>) -> (repeat QueryAggregate<Object, each Result>)
    ) async throws(StoreError) -> [(key: Wrapped?, values: (repeat each Result))] {
        try await core.reading { () throws(StoreError) in try aggregate(query, by: key, values) }
    }

    /// Returns the object with an ID; SQL runs on another thread.
    ///
    /// - Parameters:
    ///   - id: An ID of the same store, temporary or not.
    ///   - type: The class of the object.
    /// - Throws: `StoreError` of kind `missingObject` if it does not exist.
    nonisolated(nonsending) public func object<Object: ManagedObjectClass>(
        with id: ObjectID, as type: Object.Type = Object.self
    ) async throws(StoreError) -> Object {
        try await core.reading { () throws(StoreError) in try object(with: id, as: type) }
    }

    /// Returns the object with an ID; SQL runs on another thread.
    ///
    /// - Parameter id: An ID of the same store, temporary or not.
    /// - Throws: `StoreError` of kind `missingObject` if it does not exist.
    nonisolated(nonsending) public func object(with id: ObjectID) async throws(StoreError) -> ManagedObject {
        try await core.reading { () throws(StoreError) in try object(with: id) }
    }

    // MARK: Finders

    /// Returns the object with an identity; SQL runs on another thread.
    ///
    /// - Returns: The object; `nil` if it does not exist.
    /// - Throws: `StoreError`, of kind `misuse` if the identity of the class has other types.
    nonisolated(nonsending) public func find<Object: ManagedObjectClass>(
        _ type: Object.Type, _ identity: any AttributeValue...
    ) async throws(StoreError) -> Object? {
        try await core.reading { () throws(StoreError) in try find(type, identity: identity) }
    }

    /// Returns the object with an identity of one value; SQL runs on another thread.
    ///
    /// - Returns: The object; `nil` if it does not exist.
    /// - Throws: `StoreError`, of kind `misuse` if the identity of the class has another type.
    nonisolated(nonsending) public func find<Object: ManagedObjectClass, Identity: AttributeValue>(
        _ type: Object.Type, _ identity: Identity
    ) async throws(StoreError) -> Object? {
        try await core.reading { () throws(StoreError) in try find(type, identity) }
    }

    /// Returns the object with an identity, and inserts it if it does not exist; SQL runs on another thread.
    ///
    /// - Throws: `StoreError`, of kind `misuse` if the identity of the class has other types.
    nonisolated(nonsending) public func findOrCreate<Object: ManagedObjectClass>(
        _ type: Object.Type, _ identity: any AttributeValue...
    ) async throws(StoreError) -> Object {
        // Created after the read, because hooks are called.
        if let known = try await core.reading({ () throws(StoreError) in try find(type, identity: identity) }) {
            return known
        }
        return try create(type, identity: identity)
    }

    // MARK: Bulk changes

    /// Changes all objects of a query in the store, in one transaction on another thread and without reading them.
    ///
    /// Waits as long as others in the process write.
    ///
    /// - Returns: The number of objects.
    /// - Throws: The errors of the synchronous update; `busy` only if another process writes for longer than the
    ///   timeout.
    @discardableResult nonisolated(nonsending) public func update<Object>(
        _ query: ObjectQuery<Object>, _ changes: (inout QueryChanges<Object>) -> Void
    ) async throws(StoreError) -> Int {
        await core.waitForSave()
        return try await core.run(bulkUpdate(query, changes))
    }

    /// Deletes all objects of a query from the store, in one transaction on another thread and without reading them.
    ///
    /// Waits as long as others in the process write.
    ///
    /// - Returns: The number of objects of the query.
    /// - Throws: `StoreError`, of kind `invalidObjects` with all objects that cannot be deleted.
    @discardableResult nonisolated(nonsending) public func delete<Object>(
        _ query: ObjectQuery<Object>
    ) async throws(StoreError) -> Int {
        await core.waitForSave()
        return try await core.run(bulkDeletion(query))
    }

    /// Runs a statement that writes, in one transaction on another thread.
    ///
    /// Waits as long as others in the process write.
    ///
    /// - Parameters:
    ///   - sql: One statement. Tables and columns have the names of entities and properties.
    ///   - arguments: The values of its parameters, in order.
    /// - Returns: The number of changed rows.
    /// - Throws: `StoreError`, of kind `misuse` if SQLite rejects the statement.
    @discardableResult nonisolated(nonsending) public func write(
        sql: String, arguments: [StoredValue] = []
    ) async throws(StoreError) -> Int {
        await core.waitForSave()
        return try await core.run(bulkStatement(sql, arguments))
    }
}

extension ManagedObjectClass {
    /// Returns the object with an identity, or nil; SQL runs on another thread.
    nonisolated(nonsending) public static func find(
        _ identity: any AttributeValue..., in context: ObjectContext
    ) async throws(StoreError) -> Self? {
        try await context.core.reading { () throws(StoreError) in try context.find(self, identity: identity) }
    }

    /// Returns the object with an identity of one value, or nil; SQL runs on another thread.
    nonisolated(nonsending) public static func find(
        _ identity: some AttributeValue, in context: ObjectContext
    ) async throws(StoreError) -> Self? {
        try await context.find(self, identity)
    }

    /// Returns the first object that meets a condition, or nil; SQL runs on another thread.
    nonisolated(nonsending) public static func findFirst(
        in context: ObjectContext, where condition: (QueryObject<Self, Self>) -> some QueryCondition<Self>
    ) async throws(StoreError) -> Self? {
        try await context.fetchFirst(Self.where(condition))
    }

    /// Returns all objects of the class; SQL runs on another thread.
    nonisolated(nonsending) public static func findAll(
        in context: ObjectContext
    ) async throws(StoreError) -> [Self] {
        try await context.fetch(all)
    }

    /// Returns all objects that meet a condition; SQL runs on another thread.
    nonisolated(nonsending) public static func findAll(
        in context: ObjectContext, where condition: (QueryObject<Self, Self>) -> some QueryCondition<Self>
    ) async throws(StoreError) -> [Self] {
        try await context.fetch(Self.where(condition))
    }
}
