import ObjectMapping

/// The relationships from an object of a query to another one, by their indexes in the classes.
struct QueryPath: Sendable {
    var hops: [Int] = []
    /// The reason why the path cannot be used in a query.
    var problem: StoreError?

    /// SQLite joins up to 64 tables.
    fileprivate static let maximumOfHops = 60

    /// Appends a relationship; `nil` for a path that is too long.
    func appending(_ relationship: Int) -> QueryPath? {
        hops.count < Self.maximumOfHops ? QueryPath(hops: hops + [relationship], problem: problem) : nil
    }

    /// Appends a key path of a class, and returns the attribute at its end; `nil` for a relationship.
    func appending(
        _ property: AnyKeyPath, of type: ManagedObject.Type
    ) -> (path: QueryPath, owner: ManagedClass?, attribute: ManagedAttribute?) {
        var path = self
        guard problem == nil else { return (path, nil, nil) }
        do {
            let owner = try ManagedClass.of(type)
            guard let steps = owner.steps(of: property), let last = steps.last else {
                path.problem = .notStored(property, of: owner.name)
                return (path, nil, nil)
            }
            guard hops.count + steps.count <= Self.maximumOfHops else {
                path.problem = .longPath(of: owner.name)
                return (path, nil, nil)
            }
            for step in steps.dropLast() {
                guard case .relationship(let index) = step.property, !step.owner.relationships[index].isToMany else {
                    path.problem = .notStored(property, of: owner.name)
                    return (path, nil, nil)
                }
                path.hops.append(index)
            }
            switch last.property {
            case .relationship(let index):
                path.hops.append(index)
                return (path, last.owner, nil)
            case .attribute(let index):
                let attribute = last.owner.attributes[index]
                if attribute.isTransient { path.problem = .transient(attribute, of: last.owner.name) }
                return (path, last.owner, attribute)
            }
        } catch {
            path.problem = StoreError(.misuse, "\(error)")
            return (path, nil, nil)
        }
    }
}

extension StoreError {
    static func notStored(_ property: AnyKeyPath, of entity: String) -> StoreError {
        let text = "\(property)"
        // Swift describes computed properties by their addresses.
        let name = text.contains("<computed") ? "of the type \(type(of: property))" : text
        return StoreError(
            .misuse, "the key path \(name) does not lead to a stored property of '\(entity)'",
            advice: "use properties with @Stored, @ToOne or @ToMany in queries", entity: entity)
    }

    static func transient(_ attribute: ManagedAttribute, of entity: String) -> StoreError {
        StoreError(
            .misuse, "the property '\(attribute.name)' of '\(entity)' is transient: it is not stored",
            advice: "use stored properties in queries", entity: entity)
    }

    static func longPath(of entity: String) -> StoreError {
        StoreError(
            .misuse, "a path of a query has more than \(QueryPath.maximumOfHops) relationships", entity: entity)
    }
}

/// A value for comparisons and sorting in a query.
struct QueryOperand: Sendable {
    enum Target: Sendable {
        case attribute(ManagedAttribute)
        /// The number of elements in the list of an attribute.
        case length(ManagedAttribute)
        /// The number of objects in a to-many relationship, by its index.
        case count(Int)
    }

    /// The to-one relationships to the object with the value.
    let path: QueryPath
    let target: Target
    var folding: TextFolding = []

    /// Whether texts are compared as numbers.
    var isDecimal: Bool {
        guard case .attribute(let attribute) = target else { return false }
        return attribute.isDecimal
    }

    /// Whether texts are lists of decimals.
    var isDecimalList: Bool {
        guard case .attribute(let attribute) = target else { return false }
        return attribute.type.scalar == .decimal && attribute.type.isList
    }

    /// Returns the reason why values cannot be compared: JSON texts have no order.
    func orderProblem(_ comparison: QueryComparison) -> StoreError? {
        guard comparison != .equal, comparison != .notEqual, case .attribute(let attribute) = target,
            attribute.type.scalar == .json || attribute.type.isList
        else { return nil }
        return StoreError(.misuse, "the values of '\(attribute.name)' are stored as JSON and have no order")
    }

    /// The name of the attribute or relationship, for messages.
    var name: String {
        switch target {
        case .attribute(let attribute), .length(let attribute): attribute.name
        case .count: "count"
        }
    }
}

/// A query without the class of its objects.
struct QueryDescription: Sendable {
    struct SortKey: Sendable {
        let operand: QueryOperand
        let isDescending: Bool
    }

    /// The entity of a query that was created by its name; `nil` for that of the class.
    var names: QueryNames?
    var condition = QueryNode.always
    var sortKeys: [SortKey] = []
    var limit: Int?
    var offset = 0
    var isDistinct = false
    var prefetches: [QueryPath] = []

    var isPage: Bool { limit != nil || offset > 0 }
}
