import ObjectMapping

/// Relationships that lead from an object of a query to another one, by their indexes in the classes on the way.
struct QueryPath: Sendable {
    var hops: [Int] = []
    /// Why the path cannot be used in a query.
    var problem: StoreError?

    /// The path with a key path of a class at its end, and the attribute that it leads to; nil for a relationship.
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
                if attribute.isTransient {
                    path.problem = StoreError(
                        .misuse,
                        "the property '\(attribute.name)' of '\(last.owner.name)' is transient: it is not stored",
                        advice: "use stored properties in queries", entity: last.owner.name)
                }
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
        StoreError(
            .misuse, "the key path \(property) does not lead to a stored property of '\(entity)'",
            advice: "use properties with @Stored, @ToOne or @ToMany in queries", entity: entity)
    }
}

/// A value that a query compares or sorts by.
struct QueryOperand: Sendable {
    enum Target: Sendable {
        case attribute(ManagedAttribute)
        /// The number of objects of a relationship to many, by its index.
        case count(Int)
    }

    /// The relationships to one that lead to the object with the value.
    let path: QueryPath
    let target: Target
    var folding: TextFolding = []

    /// Whether texts are compared as numbers.
    var isDecimal: Bool {
        guard case .attribute(let attribute) = target else { return false }
        return attribute.type.scalar == .decimal && !attribute.type.isList
    }

    /// The name of the attribute or relationship, for messages.
    var name: String {
        switch target {
        case .attribute(let attribute): attribute.name
        case .count: "count"
        }
    }
}

/// How two values are compared.
enum QueryComparison: String, Sendable {
    case equal = "="
    case notEqual = "IS NOT"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// How a text is tested.
enum QueryTextTest: Sendable {
    case prefix, suffix, contains, like, matches
}

/// The condition of a query, which is evaluated as SQL by ``QuerySQL`` and in memory by ``QueryEvaluator``.
///
/// Every node is true or false, also for values that are nil: nil equals nil alone and is not ordered.
indirect enum QueryNode: Sendable {
    case constant(Bool)
    case every([QueryNode])
    case some([QueryNode])
    case not(QueryNode)
    case comparison(QueryOperand, QueryComparison, StoredValue)
    case operands(QueryOperand, QueryComparison, QueryOperand)
    case membership(QueryOperand, [StoredValue])
    case text(QueryOperand, QueryTextTest, String)
    /// The object at the end of the path is one of these.
    case objects(QueryPath, [ObjectID])
    /// The object at the end of the path has one of these rows.
    case rows(QueryPath, [Int64])
    /// There is no object at the end of the path.
    case missing(QueryPath)
    /// A condition holds for an object at the end of the path.
    case any(QueryPath, QueryNode)
    case invalid(StoreError)
}

/// A query without the class of its objects.
struct QueryDescription: Sendable {
    struct SortKey: Sendable {
        let operand: QueryOperand
        let isDescending: Bool
    }

    var condition = QueryNode.constant(true)
    var sortKeys: [SortKey] = []
    var limit: Int?
    var offset = 0
    var isDistinct = false
    var prefetches: [QueryPath] = []

    var isPage: Bool { limit != nil || offset > 0 }
}
