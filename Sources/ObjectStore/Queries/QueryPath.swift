import ObjectMapping

/// The relationships from an object of a query to another one, by their indexes in the classes.
struct QueryPath: Sendable {
    var hops: [Int] = []
    /// The reason why the path cannot be used in a query.
    var problem: StoreError?

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
        let text = "\(property)"
        // Swift describes computed properties by their addresses.
        let name = text.contains("<computed") ? "of the type \(type(of: property))" : text
        return StoreError(
            .misuse, "the key path \(name) does not lead to a stored property of '\(entity)'",
            advice: "use properties with @Stored, @ToOne or @ToMany in queries", entity: entity)
    }
}

/// A value for comparisons and sorting in a query.
struct QueryOperand: Sendable {
    enum Target: Sendable {
        case attribute(ManagedAttribute)
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

/// A comparison of two values.
enum QueryComparison: String, Sendable {
    case equal = "="
    case notEqual = "IS NOT"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// A test of a text.
enum QueryTextTest: Sendable {
    case prefix, suffix, contains, like, matches
}

/// The condition of a query, which is evaluated as SQL by ``QuerySQL`` and in memory by ``QueryEvaluator``.
///
/// Every node is true or false, also for values that are `nil`: `nil` is equal only to `nil` and has no order.
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
    /// A condition is met by an object at the end of the path.
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
