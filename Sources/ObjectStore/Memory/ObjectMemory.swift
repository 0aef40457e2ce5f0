/// The stored properties of an object, by their offsets.
///
/// Safe: a `ManagedProperty` holds the offset of a property whose type it knows, because `ClassProbe` takes both from the
/// class itself. The object is kept alive by the reference.
@safe struct ObjectMemory {
    private let object: ManagedObject

    init(_ object: ManagedObject) { self.object = object }

    /// The property at an offset.
    @inline(__always)
    subscript<Value>(offset: Int, as type: Value.Type) -> Value {
        unsafeAddress {
            unsafe UnsafePointer(
                Unmanaged.passUnretained(object).toOpaque().advanced(by: offset).assumingMemoryBound(to: Value.self))
        }
        nonmutating unsafeMutableAddress {
            unsafe Unmanaged.passUnretained(object).toOpaque().advanced(by: offset).assumingMemoryBound(to: Value.self)
        }
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
