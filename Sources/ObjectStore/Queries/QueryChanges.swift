/// The assignments of a bulk update.
///
/// ```swift
/// try context.update(ProjectTask.where { $0.project == nil }) { $0.set(\.isDone, to: true) }
/// ```
public struct QueryChanges<Object: ManagedObject> {
    enum Change {
        case attribute(ManagedAttribute, StoredValue)
        case relationship(Int, ObjectID?)
    }

    private(set) var changes: [Change] = []
    private(set) var problem: StoreError?
    /// The properties of the entity; `nil` for those of the class.
    private let names: QueryNames?

    init(_ names: QueryNames?) { self.names = names }

    /// Assigns a value to an attribute.
    public mutating func set<Value>(_ property: KeyPath<Object, Value>, to value: Value) {
        let operand = QueryObject<Object, Object>(path: QueryPath())[dynamicMember: property].operand
        guard operand.path.problem == nil, operand.path.hops.isEmpty, case .attribute(let attribute) = operand.target
        else {
            problem = problem ?? operand.path.problem ?? .notStored(property, of: Object.entityName)
            return
        }
        guard let stored = (attribute as? TypedAttribute<Value>)?.encode(value) else {
            problem = StoreError(
                .misuse, "the value for '\(attribute.name)' cannot be stored (NaN, too large, or not encodable)")
            return
        }
        if stored.isNull, attribute.isRequired {
            problem = StoreError(.misuse, "a value is required for '\(attribute.name)', found nil")
        }
        changes.append(.attribute(attribute, stored))
    }

    /// Assigns a value to an attribute, or an object or `nil` to a to-one relationship, by its name.
    public mutating func set(_ name: String, to value: Any?) {
        do {
            changes.append(try change(of: name, to: AnyValue(value), in: try names ?? QueryNames(Object.self)))
        } catch {
            problem = problem ?? (error as? StoreError) ?? StoreError(.misuse, "\(error)")
        }
    }

    private func change(of name: String, to value: AnyValue, in names: QueryNames) throws(StoreError) -> Change {
        let type = names.type
        func failure(_ expected: String) -> StoreError {
            StoreError(
                .invalidValue, "expected \(expected) for '\(name)' of '\(type.name)', found \(value.typeName)",
                entity: type.name)
        }
        switch try type.property(named: name) {
        case .attribute(let index):
            let attribute = type.attributes[index]
            if attribute.isTransient { throw .transient(attribute, of: type.name) }
            guard let content = value.value else {
                guard attribute.isOptional, !attribute.isRequired else { throw failure(attribute.typeName) }
                return .attribute(attribute, .null)
            }
            guard let stored = attribute.stored(content) else { throw failure(attribute.typeName) }
            return .attribute(attribute, stored)
        case .relationship(let index):
            let relationship = type.relationships[index]
            guard !relationship.isToMany else {
                throw StoreError(
                    .misuse, "'\(name)' of '\(type.name)' is a to-many relationship, which a bulk change cannot set",
                    advice: "set its inverse", entity: type.name)
            }
            guard let content = value.value else { return .relationship(index, nil) }
            guard let object = content as? ManagedObject, relationship.accepts(object), !object.isDetached else {
                throw failure("an object of '\(relationship.destination)' in a context")
            }
            return .relationship(index, object.managed.id)
        }
    }

    /// Assigns an object or `nil` to a to-one relationship.
    ///
    /// Its inverse must be a to-many relationship or missing.
    public mutating func set<Target: ManagedObjectClass>(_ property: KeyPath<Object, Target?>, to target: Target?) {
        let path = QueryPath().appending(property, of: Object.self).path
        guard path.problem == nil, path.hops.count == 1 else {
            problem = problem ?? path.problem ?? .notStored(property, of: Object.entityName)
            return
        }
        if let target, target.isDetached {
            problem = StoreError(.misuse, "the object for a relationship is not in a context")
        }
        changes.append(.relationship(path.hops[0], target?.managed.id))
    }
}
