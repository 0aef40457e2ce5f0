/// The initial memory of dynamic objects of an entity, which most objects only copy.
final class MemoryTemplate: @unchecked Sendable {  // immutable
    private let memory: ObjectMemory
    private let byteCount: Int
    /// The attributes whose default contains references.
    private let counted: [ManagedAttribute]
    /// The attributes whose values can contain references.
    private let released: [ManagedAttribute]

    init(_ attributes: [ManagedAttribute], _ relationships: [ManagedRelationship], byteCount: Int) {
        memory = ObjectMemory(byteCount: byteCount)
        self.byteCount = byteCount
        counted = attributes.filter { !$0.hasTrivialValues && !$0.hasNilDefault }
        released = attributes.filter { !$0.hasTrivialValues }
        for attribute in attributes { attribute.initialize(memory) }
        for relationship in relationships { relationship.initialize(memory) }
    }

    deinit { end(memory) }

    /// Returns memory in which all properties have their defaults.
    ///
    /// Safe: values without references, and `nil`, are copied by their bytes; others are initialized again.
    func makeMemory() -> ObjectMemory {
        let copy = ObjectMemory(copying: memory, byteCount: byteCount)
        for attribute in counted { attribute.initialize(copy) }
        return copy
    }

    /// Releases memory whose lists were released.
    func end(_ memory: ObjectMemory) {
        for attribute in released { attribute.deinitialize(memory) }
        memory.deallocate()
    }
}
