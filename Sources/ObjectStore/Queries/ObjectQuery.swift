/// Selects and sorts objects of a class.
///
/// ```swift
/// let query = ProjectTask
///     .where { $0.name.hasPrefix("Build") && $0.project.name == "Kettle" }
///     .sorted(by: \.name)
///     .limit(20)
/// let tasks = try context.fetch(query)
/// ```
///
/// Conditions have two values: a comparison with `nil` is false, and `!=` and `!` are the opposite. Texts are compared
/// by their UTF-8 bytes, decimals as numbers, enumerations by their raw values. A property that is not stored is
/// reported when the query runs.
public struct ObjectQuery<Object: ManagedObject>: Sendable {
    var definition = QueryDescription()

    init(_ names: QueryNames) { definition.names = names }

    /// The properties of the entity; `nil` for those of the class.
    var names: QueryNames? { definition.names }

    /// Creates a query for all objects of the class, in the order in which they were saved.
    public init() {}

    /// Returns the query restricted by a further condition.
    ///
    /// ```swift
    /// let open = ProjectTask.all.where { !$0.isDone }
    /// ```
    public func `where`(
        _ condition: (QueryObject<Object, Object>) -> some QueryCondition<Object>
    ) -> ObjectQuery {
        with {
            let node = condition(QueryObject(path: QueryPath(), names: names)).predicate.node
            $0.condition = $0.condition === QueryNode.always ? node : QueryNode(.every, [$0.condition, node])
        }
    }

    /// Returns the query sorted by a property of the objects or of their targets; `nil` is first.
    ///
    /// ```swift
    /// ProjectTask.all.sorted(by: \.project?.name).sorted(by: \.name, descending: true)
    /// ```
    ///
    /// Later calls sort objects that are equal by earlier ones.
    ///
    /// - Parameters:
    ///   - property: A key path to an attribute.
    ///   - descending: Whether the order is descending. Defaults to `false`.
    public func sorted<Value>(by property: KeyPath<Object, Value>, descending: Bool = false) -> ObjectQuery {
        with {
            let (path, owner, attribute) = QueryPath().appending(property, of: Object.self)
            if let problem = path.problem {
                $0.condition = QueryNode(.invalid(problem))
            } else if let attribute, attribute.hasValues(of: Value.self) {
                let operand = QueryOperand(path: path, target: .attribute(attribute))
                $0.sortKeys.append(QueryDescription.SortKey(operand: operand, isDescending: descending))
            } else {
                $0.condition = QueryNode(.invalid(.notStored(property, of: owner?.name ?? Object.entityName)))
            }
        }
    }

    /// Returns the query sorted by an attribute, by its name; `nil` is first.
    ///
    /// ```swift
    /// try store.query("Person").sorted(by: "lastName").sorted(by: "firstName")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the attribute.
    ///   - descending: Whether the order is descending. Defaults to `false`.
    public func sorted(by name: String, descending: Bool = false) -> ObjectQuery {
        sorted { descending ? $0[name].descending : $0[name].ascending }
    }

    /// Returns the query sorted by one or more keys.
    ///
    /// ```swift
    /// ProjectTask.all.sorted { [$0.project.name.ascending, $0.name.caseInsensitive.descending] }
    /// ```
    public func sorted(_ keys: (QueryObject<Object, Object>) -> [QuerySort<Object>]) -> ObjectQuery {
        keys(QueryObject(path: QueryPath(), names: names)).reduce(self) { $0.adding($1) }
    }

    /// Returns the query sorted by a key.
    ///
    /// ```swift
    /// ProjectTask.all.sorted { $0.project.name.ascending }
    /// ```
    public func sorted(_ key: (QueryObject<Object, Object>) -> QuerySort<Object>) -> ObjectQuery {
        adding(key(QueryObject(path: QueryPath(), names: names)))
    }

    /// Returns the query without its order.
    package var unsorted: ObjectQuery { with { $0.sortKeys = [] } }

    /// Returns the query with a maximum number of objects.
    ///
    /// A negative number is an error when the query runs.
    public func limit(_ count: Int) -> ObjectQuery { with { $0.setLimit(count) } }

    /// Returns the query without a number of first objects.
    ///
    /// A negative number is an error when the query runs.
    public func offset(_ count: Int) -> ObjectQuery { with { $0.setOffset(count) } }

    /// Returns the query for distinct values in `values(of:_:)`.
    public func distinct() -> ObjectQuery { with { $0.isDistinct = true } }

    /// Returns the query that also reads the target of a relationship: with one query for all objects instead of one
    /// per thousand.
    public func prefetch<Target: ManagedObjectClass>(_ relationship: KeyPath<Object, Target?>) -> ObjectQuery {
        prefetching(relationship)
    }

    /// Returns the query that also reads the targets of a relationship.
    public func prefetch<Target: ManagedObjectClass>(_ relationship: KeyPath<Object, [Target]>) -> ObjectQuery {
        prefetching(relationship)
    }

    /// Returns the query that also reads the targets of a relationship, by its name.
    public func prefetch(_ name: String) -> ObjectQuery {
        with {
            do throws(StoreError) {
                let object = QueryObject<Object, Object>(path: QueryPath(), names: names)
                $0.prefetches.append(try object[name].prefetchPath())
            } catch {
                $0.condition = QueryNode(.invalid(error))
            }
        }
    }

    private func prefetching(_ relationship: AnyKeyPath) -> ObjectQuery {
        with {
            let (path, _, attribute) = QueryPath().appending(relationship, of: Object.self)
            if let problem = path.problem ?? (attribute.map { _ in .notStored(relationship, of: Object.entityName) }) {
                $0.condition = QueryNode(.invalid(problem))
            } else {
                $0.prefetches.append(path)
            }
        }
    }

    private func adding(_ sort: QuerySort<Object>) -> ObjectQuery {
        with {
            if let problem = sort.operand.path.problem {
                $0.condition = QueryNode(.invalid(problem))
            } else {
                $0.sortKeys.append(
                    QueryDescription.SortKey(operand: sort.operand, isDescending: sort.isDescending))
            }
        }
    }

    private func with(_ change: (inout QueryDescription) -> Void) -> ObjectQuery {
        var query = self
        change(&query.definition)
        return query
    }
}

extension QueryDescription {
    fileprivate mutating func setLimit(_ count: Int) {
        limit = count < 0 ? nil : count
        check(count, "limit")
    }

    fileprivate mutating func setOffset(_ count: Int) {
        offset = max(0, count)
        check(count, "offset")
    }

    private mutating func check(_ count: Int, _ name: String) {
        guard count < 0 else { return }
        condition = QueryNode(
            .invalid(StoreError(.misuse, "the \(name) of a query must be 0 or more, found \(count)")))
    }
}

extension ObjectQuery: CustomStringConvertible, CustomReflectable {
    /// The class, the number of conditions, the order and the limits, without values.
    public var description: String {
        var text = names?.type.name ?? Object.entityName
        let count = definition.condition === QueryNode.always ? 0 : definition.condition.count
        if count > 0 { text += " where \(count) \(count == 1 ? "condition is" : "conditions are") met" }
        let keys = definition.sortKeys.map { $0.operand.name + ($0.isDescending ? " descending" : "") }
        if !keys.isEmpty { text += ", sorted by \(keys.joined(separator: ", "))" }
        if let limit = definition.limit { text += ", limit \(limit)" }
        if definition.offset > 0 { text += ", offset \(definition.offset)" }
        return text + (definition.isDistinct ? ", distinct" : "")
    }

    /// The description.
    public var customMirror: Mirror { Mirror(self, children: []) }
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
    /// Whether a key path to values of a type, or optionals of it, refers to the attribute.
    func hasValues<Value>(of type: Value.Type) -> Bool {
        self is TypedAttribute<Value> || (type as? any WrappingType.Type)?.isWrapped(of: self) ?? false
    }
}

private protocol WrappingType {
    static func isWrapped(of attribute: ManagedAttribute) -> Bool
}

extension Optional: WrappingType {
    static func isWrapped(of attribute: ManagedAttribute) -> Bool { attribute is TypedAttribute<Wrapped> }
}
