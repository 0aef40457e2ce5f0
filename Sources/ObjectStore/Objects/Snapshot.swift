/// The attribute values of an object at one moment, which can be passed between threads.
///
/// ```swift
/// let names = try await store.perform { try $0.fetch(ProjectTask.all).map { $0.managed.snapshot() } }
/// print(names.map { $0.name })
/// ```
@dynamicMemberLookup public struct Snapshot<Object: ManagedObject>: Sendable {
    /// The object's ID.
    public let id: ObjectID
    let values: [StoredValue]

    /// Returns the stored form of an attribute; `nil` if the class has no such attribute.
    public subscript(attribute: String) -> StoredValue? {
        guard let attributes = try? ManagedClass.of(Object.self).attributes else { return nil }
        return attributes.firstIndex { $0.name == attribute }.map { values[$0] }
    }

    /// The value of an attribute, or of a property that is computed from attributes.
    ///
    /// Relationships are `nil` or empty.
    public subscript<Value>(dynamicMember property: KeyPath<Object, Value>) -> Value {
        if let (attribute, value) = found(property), let value = (attribute as? TypedAttribute<Value>)?.decode(value) {
            return value
        }
        let object = Object()
        let attributes = (try? ManagedClass.of(Object.self).attributes) ?? []
        for (attribute, value) in zip(attributes, values) { _ = attribute.load(value, into: object) }
        return object[keyPath: property]
    }

    private func found(_ property: AnyKeyPath) -> (ManagedAttribute, StoredValue)? {
        guard let owner = try? ManagedClass.of(Object.self), let steps = owner.steps(of: property), steps.count == 1,
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
