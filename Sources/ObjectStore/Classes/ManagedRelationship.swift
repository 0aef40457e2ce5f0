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
        var formerName: String?
    }

    /// The name of the property and of the relationship.
    let name: String
    /// The offset in an object.
    let offset: Int
    let target: ManagedObject.Type
    /// The name of the entity of the targets.
    let destination: String
    let traits: Traits

    init(_ place: ClassProbe.Place, to target: ManagedObject.Type, _ traits: Traits) {
        name = place.name
        offset = place.offset
        self.target = target
        destination = target.entityName
        self.traits = traits
    }

    /// Creates the relationship of an object without a class.
    init(_ description: RelationshipDescription, in layout: inout MemoryLayoutBuilder) {
        name = description.name
        target = DynamicObject.self
        destination = description.destination
        traits = Traits(isToMany: description.isToMany)
        offset = description.isToMany ? layout.add([ManagedObject]?.self) : layout.add(Int64.self)
    }

    /// Initializes the property of a new object.
    func initialize(_ memory: ObjectMemory) {
        if isToMany {
            memory.initialize(offset, to: [ManagedObject]?.none)
        } else {
            memory.initialize(offset, to: Int64(0))
        }
    }

    /// Whether an object is of the class or entity of the targets.
    func accepts(_ object: ManagedObject) -> Bool {
        guard let dynamic = object as? DynamicObject else { return type(of: object) == target }
        return target == DynamicObject.self && dynamic.layout.name == destination
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
