/// The attribute values of an object at one moment, which can be passed between threads.
///
/// ```swift
/// let names = try await store.perform { try $0.fetch(ProjectTask.all).map { $0.managed.snapshot() } }
/// print(names.map { $0.name })
/// ```
@dynamicMemberLookup public struct Snapshot<Object: ManagedObject>: Sendable {
    /// The object's ID.
    public let id: ObjectID
    /// The class of the object, or the layout of a dynamic one; `nil` for a class that cannot be examined.
    let type: ManagedClass?
    let values: [StoredValue]

    /// Returns the stored form of an attribute; `nil` if the class or entity has no such attribute.
    public subscript(attribute: String) -> StoredValue? {
        type?.attributes.firstIndex { $0.name == attribute }.map { values[$0] }
    }

    /// The value of an attribute, or of a property that is computed from attributes.
    ///
    /// Relationships are `nil` or empty.
    public subscript<Value>(dynamicMember property: KeyPath<Object, Value>) -> Value {
        if let (attribute, value) = found(property), let value = (attribute as? TypedAttribute<Value>)?.decode(value) {
            return value
        }
        // The class of a dynamic object is known at run time only.
        let object = type?.makeObject() as? Object ?? Object()
        for (attribute, value) in zip(type?.attributes ?? [], values) { _ = attribute.load(value, into: object) }
        return object[keyPath: property]
    }

    private func found(_ property: AnyKeyPath) -> (ManagedAttribute, StoredValue)? {
        guard let owner = type, let steps = owner.steps(of: property), steps.count == 1,
            case .attribute(let index) = steps[0].property
        else { return nil }
        return (owner.attributes[index], values[index])
    }
}

extension Snapshot: Hashable {
    /// Whether two snapshots are of the same object with the same values.
    public static func == (a: Snapshot, b: Snapshot) -> Bool { a.id == b.id && a.values == b.values }

    /// Hashes the ID and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(values)
    }
}
