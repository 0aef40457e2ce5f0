import ObjectMapping

/// The properties by name of the objects of a query: of a class, or of an entity of an open store.
struct QueryNames: Sendable {
    let type: ManagedClass
    /// The entities of the store; empty for a class, whose relationships have the classes of their targets.
    private let entities: [StoredEntity]

    init(_ entity: StoredEntity, in entities: [StoredEntity]) { (type, self.entities) = (entity.type, entities) }

    init(_ type: ManagedObject.Type) throws(ModelError) { (self.type, entities) = (try ManagedClass.of(type), []) }

    /// Returns the properties of the targets of a relationship.
    func destination(of relationship: Int) throws(ModelError) -> QueryNames {
        if let source = entities.first(where: { $0.type === type }) {
            return QueryNames(entities[source.relationships[relationship].destination], in: entities)
        }
        return try QueryNames(type.relationships[relationship].target)
    }

    /// Returns a property of an object at the end of a path.
    func property<Root>(_ name: String, of path: QueryPath) -> QueryProperty<Root> {
        if let problem = path.problem { return QueryProperty(problem) }
        do {
            switch try type.property(named: name) {
            case .attribute(let index):
                let attribute = type.attributes[index]
                if attribute.isTransient { return QueryProperty(.transient(attribute, of: type.name)) }
                return QueryProperty(.attribute(attribute), of: path, self)
            case .relationship(let index):
                guard let next = path.appending(index) else { return QueryProperty(.longPath(of: type.name)) }
                return QueryProperty(.relationship(index), of: next, self)
            }
        } catch {
            return QueryProperty(error)
        }
    }
}

extension ManagedObjectStore {
    /// Returns the entity of a query.
    ///
    /// - Throws: `StoreError`, of kind `unknownEntity` for a class outside of the model or an entity of another store.
    func entity<Object>(of query: ObjectQuery<Object>) throws(StoreError) -> StoredEntity {
        try entity(of: query.definition, Object.self)
    }

    /// Returns the entity of a query for objects of a class, or of the entity by whose name it was created.
    func entity(of query: QueryDescription, _ type: ManagedObject.Type) throws(StoreError) -> StoredEntity {
        guard let names = query.names else { return try entity(of: type) }
        guard let entity = entities.first(where: { $0.type === names.type }) else {
            throw StoreError(
                .unknownEntity, "the query for '\(names.type.name)' was created for another store",
                advice: "create it by query(\"\(names.type.name)\") of this store", entity: names.type.name)
        }
        return entity
    }

    /// Returns the query for all objects of an entity, by its name.
    ///
    /// ```swift
    /// let query = try store.query("Person").where { $0["age"] > 40 }.sorted(by: "name").limit(20)
    /// let people = try context.fetch(query)
    /// ```
    ///
    /// - Parameter entity: The name of the entity.
    /// - Throws: `StoreError`, of kind `unknownEntity` with near names if the entity does not exist.
    public func query(_ entity: String) throws(StoreError) -> ObjectQuery<ManagedObject> {
        ObjectQuery(QueryNames(try self.entity(named: entity), in: entities))
    }
}
