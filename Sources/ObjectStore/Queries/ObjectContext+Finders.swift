import ObjectMapping

extension ObjectContext {
    /// Returns the object with an identity; `nil` if it does not exist.
    ///
    /// Objects of the context, saved or not, are found without a query.
    ///
    /// ```swift
    /// let task = try context.find(ProjectTask.self, 7)
    /// let seat = try context.find(Seat.self, "B", 12)     // a compound identity, in the order of its properties
    /// ```
    ///
    /// - Throws: `StoreError`, of kind `misuse` if the identity of the class has other types.
    @_disfavoredOverload public func find<Object: ManagedObjectClass>(
        _ type: Object.Type, _ identity: any AttributeValue...
    ) throws(StoreError) -> Object? {
        try find(type, identity: identity)
    }

    func find<Object: ManagedObjectClass>(
        _ type: Object.Type, identity: [any AttributeValue]
    ) throws(StoreError) -> Object? {
        try find(core.store.entity(of: type), identity) as? Object
    }

    /// Returns the object of an entity with an identity.
    func find(_ entity: StoredEntity, _ identity: [any AttributeValue]) throws(StoreError) -> ManagedObject? {
        try core.find(entity.identity(identity), entity)
    }

    /// Returns the object with an identity of one value; `nil` if it does not exist.
    ///
    /// - Throws: `StoreError`, of kind `misuse` if the identity of the class has another type.
    @_disfavoredOverload public func find<Object: ManagedObjectClass, Identity: AttributeValue>(
        _ type: Object.Type, _ identity: Identity
    ) throws(StoreError) -> Object? {
        let entity = try core.store.entity(of: type)
        let value = identity.storedValue
        if core.hasNews { try core.merge(lookingForOthers: false) }
        if let known = core.registered(value, entity) { return known as? Object }
        if entity.identity.count == 1, let value = entity.type.attributes[entity.identity[0]].suitable(value) {
            return try core.findInStore(CollectionOfOne(value), entity) as? Object
        }
        return try core.find(entity.identity([identity]), entity) as? Object
    }

    /// Returns the object with an identity, and inserts it if it does not exist.
    ///
    /// ```swift
    /// let task = try context.findOrCreate(ProjectTask.self, 7)
    /// ```
    ///
    /// - Throws: `StoreError`, of kind `misuse` if the identity of the class has other types.
    @_disfavoredOverload public func findOrCreate<Object: ManagedObjectClass>(
        _ type: Object.Type, _ identity: any AttributeValue...
    ) throws(StoreError) -> Object {
        if let known = try find(type, identity: identity) { return known }
        return try create(type, identity: identity)
    }

    /// Inserts an object with a new identity.
    func create<Object: ManagedObjectClass>(
        _ type: Object.Type, identity: [any AttributeValue]
    ) throws(StoreError) -> Object {
        let entity = try core.store.entity(of: type)
        let values = try entity.identity(identity)
        let object = insert(type)
        core.setIdentity(values, of: object, entity)
        return object
    }
}

extension StoredEntity {
    /// Returns the values of an identity in stored form.
    fileprivate func identity(_ values: [any AttributeValue]) throws(StoreError) -> [StoredValue] {
        let stored = zip(identity, values).compactMap { type.attributes[$0].suitable($1.storedValue) }
        guard !identity.isEmpty, values.count == identity.count, stored.count == values.count else {
            let parts = identity.map { "\(type.attributes[$0].name): \(type.attributes[$0].type)" }
            throw StoreError(
                .misuse,
                parts.isEmpty
                    ? "the class '\(name)' has no identity"
                    : "expected the identity (\(parts.joined(separator: ", "))) of '\(name)', found "
                        + "(\(values.map { $0.storedValue.description }.joined(separator: ", ")))",
                advice: "pass one value for each property with @Stored(.identity), in their order", entity: name)
        }
        return stored
    }
}

extension ManagedAttribute {
    /// Returns the stored form of a value in the attribute's column; `nil` if it has another type.
    fileprivate func suitable(_ value: StoredValue) -> StoredValue? {
        guard !type.isList else { return value.text.map { .text($0) } }
        return switch type.scalar {
        case .integer, .boolean: value.integer.map { .integer($0) }
        case .double: value.double.map { .real($0) }
        case .data: value.blob.map { .blob($0) }
        case .string, .date, .decimal, .uuid, .url, .json: value.text.map { .text($0) }
        }
    }
}

extension ManagedObjectClass {
    /// Returns the object with an identity; `nil` if it does not exist.
    ///
    /// ```swift
    /// let task = try ProjectTask.find(7, in: context)
    /// ```
    @_disfavoredOverload public static func find(
        _ identity: any AttributeValue..., in context: ObjectContext
    ) throws(StoreError) -> Self? {
        try context.find(self, identity: identity)
    }

    /// Returns the object with an identity of one value; `nil` if it does not exist.
    public static func find(
        _ identity: some AttributeValue, in context: ObjectContext
    ) throws(StoreError) -> Self? {
        try context.find(self, identity)
    }

    /// Returns the first object that meets a condition; `nil` if no object matches.
    ///
    /// ```swift
    /// let task = try ProjectTask.findFirst(in: context) { $0.name == "Paint" }
    /// ```
    @_disfavoredOverload public static func findFirst(
        in context: ObjectContext, where condition: (QueryObject<Self, Self>) -> some QueryCondition<Self>
    ) throws(StoreError) -> Self? {
        try context.fetchFirst(Self.where(condition))
    }

    /// Returns all objects of the class.
    public static func findAll(in context: ObjectContext) throws(StoreError) -> [Self] {
        try context.fetch(all)
    }

    /// Returns all objects that meet a condition.
    @_disfavoredOverload public static func findAll(
        in context: ObjectContext, where condition: (QueryObject<Self, Self>) -> some QueryCondition<Self>
    ) throws(StoreError) -> [Self] {
        try context.fetch(Self.where(condition))
    }
}
