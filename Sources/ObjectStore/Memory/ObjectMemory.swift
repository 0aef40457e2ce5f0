/// The stored properties of an object, by their offsets.
///
/// Safe: a `ManagedProperty` holds the offset of a property whose type it knows, because `ClassProbe` takes both from the
/// class itself. It is used while its maker holds the object: counting another reference takes as long as an access.
@safe struct ObjectMemory {
    private let object: Unmanaged<ManagedObject>

    init(_ object: ManagedObject) { unsafe self.object = Unmanaged.passUnretained(object) }

    /// The property at an offset.
    @inline(__always)
    subscript<Value>(offset: Int, as type: Value.Type) -> Value {
        unsafeAddress {
            unsafe UnsafePointer(object.toOpaque().advanced(by: offset).assumingMemoryBound(to: Value.self))
        }
        nonmutating unsafeMutableAddress {
            unsafe object.toOpaque().advanced(by: offset).assumingMemoryBound(to: Value.self)
        }
    }
}

extension [ManagedObject] {
    /// The objects as those of their class, which the caller knows; in the same buffer.
    ///
    /// Casts of many objects take as long as reading them.
    func known<Object: ManagedObject>(as type: Object.Type) -> [Object] {
        assert(allSatisfy { $0 is Object }, "expected objects of the class \(type)")
        // References to all classes have one layout.
        return unsafe unsafeBitCast(self, to: [Object].self)
    }
}

/// The offset of a stored property in bytes from the start of its object.
///
/// The address is used as a number only.
@inlinable @inline(__always)
func offset<Object: ManagedObject, Wrapper>(
    of storage: ReferenceWritableKeyPath<Object, Wrapper>, in object: Object
) -> Int {
    let start = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return unsafe withUnsafePointer(to: &object[keyPath: storage]) { Int(UInt(bitPattern: $0) &- start) }
}
