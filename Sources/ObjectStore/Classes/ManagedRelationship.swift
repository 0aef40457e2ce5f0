/// A relationship of a managed class: its location in an object, and its targets.
final class ManagedRelationship: @unchecked Sendable {  // immutable
    /// The declaration of a relationship.
    struct Traits: Sendable {
        var inverse: (@Sendable () -> AnyKeyPath)?
        var isToMany = false
        /// Whether it is declared to have no inverse.
        var isOneSided = false
        var isOrdered = false
        var isRequired = false
        var sortedBy: (@Sendable () -> AnyKeyPath)?
        var deleteRule = DeleteRule.nullify
    }

    /// The name of the property and of the relationship.
    let name: String
    /// The offset in an object.
    let offset: Int
    let target: ManagedObject.Type
    let traits: Traits

    init(_ place: ClassProbe.Place, to target: ManagedObject.Type, _ traits: Traits) {
        name = place.name
        offset = place.offset
        self.target = target
        self.traits = traits
    }

    var isToMany: Bool { traits.isToMany }

    /// Returns the row of a to-one relationship: 0 for none, negative for an object that has not been saved yet.
    func row(of object: ManagedObject) -> Int64 { ObjectMemory(object)[offset, as: Int64.self] }

    func setRow(_ row: Int64, of object: ManagedObject) {
        ObjectMemory(object)[offset, as: Int64.self] = row
    }

    // As objects of the common superclass: references to all classes have the same layout, and converting a list takes
    // as long as reading it.

    /// Returns the objects of a to-many relationship; `nil` if they were not read yet.
    func objects(of object: ManagedObject) -> [ManagedObject]? {
        ObjectMemory(object)[offset, as: [ManagedObject]?.self]
    }

    /// Sets the objects of a to-many relationship, which must be of the class of its targets.
    func setObjects(_ objects: [ManagedObject]?, of object: ManagedObject) {
        ObjectMemory(object)[offset, as: [ManagedObject]?.self] = objects
    }

    /// Whether the objects of a to-many relationship are in memory.
    func hasObjects(_ object: ManagedObject) -> Bool { ObjectMemory(object)[offset, as: [ManagedObject]?.self] != nil }

    /// Adds an object to a to-many relationship whose objects are in memory, unless it is the last one.
    ///
    /// No copy of the array may exist: the append would take a pass over it.
    ///
    /// - Returns: Whether it was added.
    func append(_ target: ManagedObject, to object: ManagedObject) -> Bool {
        let memory = ObjectMemory(object)
        guard memory[offset, as: [ManagedObject]?.self]?.last !== target else { return false }
        memory[offset, as: [ManagedObject]?.self]?.append(target)
        return true
    }
}
