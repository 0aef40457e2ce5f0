/// The stored properties of an object by offset.
///
/// Safe: a `ManagedProperty` has the offset of a property whose type it knows, because `ClassProbe` takes both from the
/// class itself, and `ManagedClass` lays out those of a `DynamicObject`. It is used while its creator retains the object:
/// counting another reference would take as long as an access.
@safe struct ObjectMemory {
    private let start: UnsafeMutableRawPointer

    @inline(__always) init(_ object: ManagedObject) {
        unsafe start =
            object.hasSeparateValues
            ? unsafeDowncast(object, to: DynamicObject.self).values.start : Unmanaged.passUnretained(object).toOpaque()
    }

    /// The property at an offset.
    @inline(__always)
    subscript<Value>(offset: Int, as type: Value.Type) -> Value {
        unsafeAddress {
            unsafe UnsafePointer(start.advanced(by: offset).assumingMemoryBound(to: Value.self))
        }
        nonmutating unsafeMutableAddress {
            unsafe start.advanced(by: offset).assumingMemoryBound(to: Value.self)
        }
    }

    // MARK: Separate memory

    /// Allocates memory without properties.
    ///
    /// Safe: its owner initializes all properties before others access them, and deinitializes them before it deallocates
    /// the memory.
    init(byteCount: Int) {
        unsafe start = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
    }

    /// Allocates memory with the bytes of other memory.
    init(copying other: ObjectMemory, byteCount: Int) {
        self.init(byteCount: byteCount)
        unsafe start.copyMemory(from: other.start, byteCount: byteCount)
    }

    /// The alignment of separate memory; no value of an attribute requires more.
    static let alignment = 16

    func initialize<Value>(_ offset: Int, to value: Value) {
        unsafe start.advanced(by: offset).initializeMemory(as: Value.self, to: value)
    }

    func deinitialize<Value>(_ offset: Int, as type: Value.Type) {
        unsafe start.advanced(by: offset).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }

    func deallocate() { unsafe start.deallocate() }
}

/// Assigns offsets in separate memory.
struct MemoryLayoutBuilder {
    /// The number of bytes so far.
    private(set) var byteCount = 0

    /// Returns the offset of a new property.
    mutating func add<Value>(_ type: Value.Type) -> Int {
        let mask = MemoryLayout<Value>.alignment - 1
        let offset = (byteCount + mask) & ~mask
        byteCount = offset + MemoryLayout<Value>.size
        return offset
    }
}

/// A reference that is not counted.
///
/// Safe: its owner is in use and does not release the object meanwhile. Counting references takes longer than what is done
/// with the object.
@safe struct Uncounted<Object: AnyObject>: @unchecked Sendable {  // guarded by the isolation of the owner
    private let reference: Unmanaged<Object>

    @inline(__always) init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

    @inline(__always) func use(_ body: (Object) -> Void) { unsafe reference._withUnsafeGuaranteedRef(body) }
}

extension [ManagedObject] {
    /// The objects as instances of their known class, in the same buffer.
    ///
    /// Casting many objects takes as long as reading them.
    func known<Object: ManagedObject>(as type: Object.Type) -> [Object] {
        assert(allSatisfy { $0 is Object }, "expected objects of the class \(type)")
        // References to all classes have the same layout.
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
