/// An object in the condition of a query, with the properties of its class.
///
/// ```swift
/// ProjectTask.where { task in task.project.name == "Kettle" && task.assignedUser != nil }
/// ```
///
/// For an object that is `nil`, properties are `nil`, and to-many relationships are empty.
@dynamicMemberLookup public struct QueryObject<Root: ManagedObject, Object: ManagedObject> {
    let path: QueryPath
    /// The properties of the object; `nil` for those of the class.
    var names: QueryNames?

    /// A property by its name.
    ///
    /// ```swift
    /// try context.fetch("Task") { $0["hours"] > 8 && $0["project"]["name"] == "Kettle" }
    /// ```
    public subscript(name: String) -> QueryProperty<Root> {
        do throws(ModelError) {
            if let names { return names.property(name, of: path) }
            return try QueryNames(Object.self).property(name, of: path)
        } catch {
            return QueryProperty(StoreError(.misuse, "\(error)"))
        }
    }

    /// The value of an attribute.
    public subscript<Value>(dynamicMember property: KeyPath<Object, Value>) -> QueryValue<Root, Value> {
        var (path, owner, attribute) = path.appending(property, of: Object.self)
        guard path.problem == nil, let attribute, attribute is TypedAttribute<Value> else {
            path.problem = path.problem ?? .notStored(property, of: owner?.name ?? Object.entityName)
            return QueryValue(operand: QueryOperand(path: path, target: .count(0)))
        }
        return QueryValue(operand: QueryOperand(path: path, target: .attribute(attribute)))
    }

    /// The object of a to-one relationship.
    public subscript<Target: ManagedObjectClass>(
        dynamicMember property: KeyPath<Object, Target?>
    ) -> QueryObject<Root, Target> {
        QueryObject<Root, Target>(path: path.appending(property, of: Object.self).path)
    }

    /// The objects of a to-many relationship.
    public subscript<Target: ManagedObjectClass>(
        dynamicMember property: KeyPath<Object, [Target]>
    ) -> QueryObjects<Root, Target> {
        QueryObjects(path: path.appending(property, of: Object.self).path)
    }

    /// Whether it is this object; with `nil`, whether there is no object.
    public static func == (object: QueryObject, other: Object?) -> QueryPredicate<Root> {
        if let problem = object.path.problem { return QueryPredicate(.invalid(problem)) }
        guard let other else { return QueryPredicate(.missing(object.path)) }
        return object.isIn([other])
    }

    /// Whether it is another object; with `nil`, whether there is an object.
    public static func != (object: QueryObject, other: Object?) -> QueryPredicate<Root> { !(object == other) }

    /// Whether it is the object with an ID.
    public static func == (object: QueryObject, id: ObjectID) -> QueryPredicate<Root> { object.isIn([id]) }

    /// Whether it is not the object with an ID.
    public static func != (object: QueryObject, id: ObjectID) -> QueryPredicate<Root> { !(object == id) }

    /// Whether it is the object with one of these IDs.
    public func isIn(_ ids: [ObjectID]) -> QueryPredicate<Root> {
        if let problem = path.problem { return QueryPredicate(.invalid(problem)) }
        return QueryPredicate(.objects(path, ids))
    }

    /// Whether it is one of these objects.
    public func isIn(_ objects: [Object]) -> QueryPredicate<Root> {
        guard !objects.contains(where: \.isDetached) else {
            return QueryPredicate(
                .invalid(
                    StoreError(
                        .misuse, "cannot compare with an object of '\(Object.entityName)' that is not in a context",
                        advice: "insert the object first", entity: Object.entityName)))
        }
        return isIn(objects.map(\.managed.id))
    }
}

// Not a method of the object, whose members are those of its class.
extension QueryValue where Value == String {
    /// The value of an attribute with texts, also of the target of a to-one relationship.
    package init<Object, Text: QueryText>(
        of object: QueryObject<Root, Object>, at property: KeyPath<Object, Text>
    ) {
        var (path, owner, attribute) = object.path.appending(property, of: Object.self)
        if path.problem == nil, let attribute, attribute.hasValues(of: Text.self) {
            self.init(operand: QueryOperand(path: path, target: .attribute(attribute)))
        } else {
            path.problem = path.problem ?? .notStored(property, of: owner?.name ?? Object.entityName)
            self.init(operand: QueryOperand(path: path, target: .count(0)))
        }
    }
}

/// The objects of a to-many relationship in the condition of a query.
///
/// ```swift
/// Project.where { $0.tasks.count > 3 && $0.tasks.any { $0.assignedUser.name == "Ann" } }
/// ```
@dynamicMemberLookup public struct QueryObjects<Root: ManagedObject, Target: ManagedObject> {
    let path: QueryPath

    /// Whether a condition is met by any of the objects.
    public func any(
        _ condition: (QueryObject<Target, Target>) -> some QueryCondition<Target>
    ) -> QueryPredicate<Root> {
        if let problem = path.problem { return QueryPredicate(.invalid(problem)) }
        return QueryPredicate(QueryNode(.any(path), [condition(QueryObject(path: QueryPath())).predicate.node]))
    }

    /// Whether a condition is met by all objects; true without objects.
    public func all(
        _ condition: (QueryObject<Target, Target>) -> some QueryCondition<Target>
    ) -> QueryPredicate<Root> {
        !any { !condition($0).predicate }
    }

    /// Whether a condition is met by none of the objects; true without objects.
    public func none(
        _ condition: (QueryObject<Target, Target>) -> some QueryCondition<Target>
    ) -> QueryPredicate<Root> {
        !any(condition)
    }

    /// Whether the objects contain an object.
    public func contains(_ object: Target) -> QueryPredicate<Root> { any { $0 == object } }

    /// Whether there are no objects.
    public var isEmpty: QueryPredicate<Root> { !any { _ in QueryPredicate(.constant(true)) } }

    /// The number of the objects.
    public var count: QueryValue<Root, Int> {
        var path = path
        let relationship = path.hops.popLast() ?? 0
        return QueryValue(operand: QueryOperand(path: path, target: .count(relationship)))
    }
}

/// A condition of a query: a ``QueryPredicate``, or an attribute of type `Bool`.
public protocol QueryCondition<Root> {
    /// The class of the objects.
    associatedtype Root: ManagedObject
    /// The condition.
    var predicate: QueryPredicate<Root> { get }
}

/// A condition of a query.
public struct QueryPredicate<Root: ManagedObject>: QueryCondition, Sendable {
    let node: QueryNode

    init(_ node: QueryNode) { self.node = node }

    init(_ test: QueryTest) { node = QueryNode(test) }

    /// The condition itself.
    public var predicate: QueryPredicate { self }

    /// Whether both conditions are met.
    public static func && (a: QueryPredicate, b: QueryPredicate) -> QueryPredicate {
        QueryPredicate(QueryNode(.every, [a.node, b.node]))
    }

    /// Whether at least one of two conditions is met.
    public static func || (a: QueryPredicate, b: QueryPredicate) -> QueryPredicate {
        QueryPredicate(QueryNode(.some, [a.node, b.node]))
    }

    /// Whether a condition is not met, for example because a value is `nil`.
    public static prefix func ! (a: QueryPredicate) -> QueryPredicate { QueryPredicate(a.node.negated) }
}

/// A key by which a query sorts.
public struct QuerySort<Root: ManagedObject>: Sendable {
    let operand: QueryOperand
    let isDescending: Bool
}
