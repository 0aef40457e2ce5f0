/// Which objects of a class to fetch, and in what order.
///
/// ```swift
/// let query = ProjectTask
///     .where { $0.name.hasPrefix("Build") && $0.project.name == "Kettle" }
///     .sorted(by: \.name)
///     .limit(20)
/// let tasks = try context.fetch(query)
/// ```
///
/// Conditions have two values: a comparison with a value that is nil is false, `!=` and `!` are its opposite. Texts are
/// compared by their UTF-8 bytes, decimals as numbers, enumerations by their raw values. A property that is not stored is
/// reported when the query runs.
public struct ObjectQuery<Object: ManagedObject>: Sendable {
    var description = QueryDescription()

    /// Creates a query for all objects of the class, in the order in which they were saved.
    public init() {}

    /// The objects that meet this condition, too.
    ///
    /// ```swift
    /// let open = ProjectTask.all.where { !$0.isDone }
    /// ```
    public func `where`(
        _ condition: (QueryObject<Object, Object>) -> some QueryCondition<Object>
    ) -> ObjectQuery {
        with {
            let node = condition(QueryObject(path: QueryPath())).predicate.node
            if case .constant(true) = $0.condition {
                $0.condition = node
            } else {
                $0.condition = .every([$0.condition, node])
            }
        }
    }

    /// Sorts the objects by a property, also of objects that relationships lead to; nil is first.
    ///
    /// ```swift
    /// ProjectTask.all.sorted(by: \.project?.name).sorted(by: \.name, descending: true)
    /// ```
    ///
    /// Objects that are equal by earlier calls are sorted by later ones.
    ///
    /// - Parameters:
    ///   - property: A key path to an attribute.
    ///   - descending: Whether the greatest is first. Defaults to `false`.
    public func sorted<Value>(by property: KeyPath<Object, Value>, descending: Bool = false) -> ObjectQuery {
        with {
            let (path, owner, attribute) = QueryPath().appending(property, of: Object.self)
            if let problem = path.problem {
                $0.condition = .invalid(problem)
            } else if let attribute, attribute.hasValues(of: Value.self) {
                let operand = QueryOperand(path: path, target: .attribute(attribute))
                $0.sortKeys.append(QueryDescription.SortKey(operand: operand, isDescending: descending))
            } else {
                $0.condition = .invalid(.notStored(property, of: owner?.name ?? Object.entityName))
            }
        }
    }

    /// Sorts the objects by one or more keys.
    ///
    /// ```swift
    /// ProjectTask.all.sorted { [$0.project.name.ascending, $0.name.caseInsensitive.descending] }
    /// ```
    public func sorted(_ keys: (QueryObject<Object, Object>) -> [QuerySort<Object>]) -> ObjectQuery {
        keys(QueryObject(path: QueryPath())).reduce(self) { $0.adding($1) }
    }

    /// Sorts the objects by a key.
    ///
    /// ```swift
    /// ProjectTask.all.sorted { $0.project.name.ascending }
    /// ```
    public func sorted(_ key: (QueryObject<Object, Object>) -> QuerySort<Object>) -> ObjectQuery {
        adding(key(QueryObject(path: QueryPath())))
    }

    /// At most this many objects.
    public func limit(_ count: Int) -> ObjectQuery { with { $0.limit = max(0, count) } }

    /// The objects after the first ones.
    public func offset(_ count: Int) -> ObjectQuery { with { $0.offset = max(0, count) } }

    /// Each value of `values(of:_:)` once.
    public func distinct() -> ObjectQuery { with { $0.isDistinct = true } }

    /// Reads the object of a relationship with the objects: one query for all instead of one for a thousand.
    public func prefetch<Target: ManagedObject>(_ relationship: KeyPath<Object, Target?>) -> ObjectQuery {
        prefetching(relationship)
    }

    /// Reads the objects of a relationship with the objects.
    public func prefetch<Target: ManagedObject>(_ relationship: KeyPath<Object, [Target]>) -> ObjectQuery {
        prefetching(relationship)
    }

    private func prefetching(_ relationship: AnyKeyPath) -> ObjectQuery {
        with {
            let (path, _, attribute) = QueryPath().appending(relationship, of: Object.self)
            if let problem = path.problem ?? (attribute.map { _ in .notStored(relationship, of: Object.entityName) }) {
                $0.condition = .invalid(problem)
            } else {
                $0.prefetches.append(path)
            }
        }
    }

    private func adding(_ sort: QuerySort<Object>) -> ObjectQuery {
        with {
            if let problem = sort.operand.path.problem {
                $0.condition = .invalid(problem)
            } else {
                $0.sortKeys.append(
                    QueryDescription.SortKey(operand: sort.operand, isDescending: sort.isDescending))
            }
        }
    }

    private func with(_ change: (inout QueryDescription) -> Void) -> ObjectQuery {
        var query = self
        change(&query.description)
        return query
    }
}

extension ManagedObjectClass {
    /// A query for all objects of the class.
    public static var all: ObjectQuery<Self> { ObjectQuery() }

    /// A query for the objects that meet a condition.
    ///
    /// ```swift
    /// ProjectTask.where { $0.assignedUser == nil || $0.assignedUser.name == "Ann" }
    /// ```
    public static func `where`(
        _ condition: (QueryObject<Self, Self>) -> some QueryCondition<Self>
    ) -> ObjectQuery<Self> {
        all.where(condition)
    }
}

extension ManagedAttribute {
    /// Whether a key path to values of a type, or optionals of it, leads to the attribute.
    fileprivate func hasValues<Value>(of type: Value.Type) -> Bool {
        self is TypedAttribute<Value> || (type as? any WrappingType.Type)?.isWrapped(of: self) ?? false
    }
}

private protocol WrappingType {
    static func isWrapped(of attribute: ManagedAttribute) -> Bool
}

extension Optional: WrappingType {
    static func isWrapped(of attribute: ManagedAttribute) -> Bool { attribute is TypedAttribute<Wrapped> }
}
