/// A reference to one or several values in memory that its user owns, without reference counting.
///
/// Invariant: the memory lives as long as the references to it. Plans own their nodes and entries, and tables free
/// theirs when they are released; a reference to a local value does not leave its function.
@safe package struct Ref<Value: ~Copyable>: Hashable {
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @inlinable @inline(__always) init(_ address: UnsafeMutablePointer<Value>) { unsafe self.address = address }

    /// Allocates uninitialized memory, to be freed with `deallocate`.
    static func allocate(capacity: Int) -> Ref { unsafe Ref(.allocate(capacity: capacity)) }

    func deallocate() { unsafe address.deallocate() }

    @inlinable @inline(__always) package var pointee: Value {
        unsafeAddress { unsafe UnsafePointer(address) }
        nonmutating unsafeMutableAddress { unsafe address }
    }

    @inlinable @inline(__always) package subscript(index: Int) -> Value {
        unsafeAddress { unsafe UnsafePointer(address + index) }
        nonmutating unsafeMutableAddress { unsafe address + index }
    }

    @inline(__always) static func + (ref: Ref, count: Int) -> Ref { unsafe Ref(ref.address + count) }
    @inline(__always) static func - (ref: Ref, other: Ref) -> Int { unsafe ref.address - other.address }
    @inline(__always) static func += (ref: inout Ref, count: Int) { ref = ref + count }

    @inline(__always) package static func == (a: Ref, b: Ref) -> Bool { unsafe a.address == b.address }

    package func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }

    /// Stores a value in uninitialized memory.
    @inline(__always) func initialize(to value: consuming Value) { unsafe address.initialize(to: value) }

    /// Moves the value out; the memory is uninitialized afterwards.
    @inline(__always) func move() -> Value { unsafe address.move() }

    func deinitialize(count: Int = 1) { unsafe address.deinitialize(count: count) }

    /// Moves values from other memory, which is uninitialized afterwards, into this uninitialized memory.
    @inline(__always) func moveInitialize(from source: Ref, count: Int) {
        unsafe address.moveInitialize(from: source.address, count: count)
    }

    @inline(__always) private var raw: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(address) }
}

extension Ref: @unchecked Sendable  // guarded by the owner of the memory, which does not change what threads share
where Value: Sendable & ~Copyable {}

extension Ref {
    /// Stores copies of a value in uninitialized memory.
    func initialize(repeating value: Value, count: Int) { unsafe address.initialize(repeating: value, count: count) }

    /// Returns this value and those after it.
    @inline(__always) func view(_ count: Int) -> View<Value> { unsafe View(UnsafePointer(address), count) }
}

extension Ref where Value: BitwiseCopyable {
    /// Copies an array to new memory, to be freed with `deallocate`.
    init(copying values: [Value]) {
        self = .allocate(capacity: values.count)
        unsafe address.initialize(from: values, count: values.count)
    }
}

extension Ref where Value: ~Copyable {
    /// Moves values to larger memory, and frees their old memory.
    func grown(_ count: Int, to capacity: Int) -> Ref {
        let larger = Ref.allocate(capacity: capacity)
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
}

extension Ref<UInt8> {
    /// Copies bytes to new memory, followed by zeros.
    static func padded(_ bytes: ByteView, capacity: Int? = nil, by padding: Int = Bytes.padding) -> Ref {
        let copy = Ref.allocate(capacity: (capacity ?? bytes.count) + padding)
        if let first = Bytes(bytes) { copy.initialize(from: first, count: bytes.count) }
        (copy + bytes.count).initialize(repeating: 0, count: padding)
        return copy
    }

    /// Copies bytes from elsewhere into uninitialized memory.
    @inline(__always) func initialize(from bytes: Bytes, count: Int) {
        unsafe address.initialize(from: bytes.pointer, count: count)
    }

    /// Copies bytes, which may overlap these.
    @inline(__always) func update(from bytes: Bytes, count: Int) {
        unsafe address.update(from: bytes.pointer, count: count)
    }

    /// Stores eight bytes, the lowest one first.
    @inline(__always) func store(_ word: UInt64) { unsafe raw.storeBytes(of: word.littleEndian, as: UInt64.self) }
}

extension Bytes {
    /// The position of the first byte in memory that is followed by padding.
    @inline(__always) init(_ memory: Ref<UInt8>) { unsafe self.init(memory.address) }

    /// The same memory, for writing by the owner of the text.
    @inline(__always) var mutable: Ref<UInt8> { unsafe Ref(UnsafeMutablePointer(mutating: pointer)) }
}

/// Calls a closure with a reference to a local value, which must not leave the closure.
@inline(__always) func withRef<Value: ~Copyable, Result: ~Copyable, Failure: Error>(
    to value: inout Value, _ body: (Ref<Value>) throws(Failure) -> Result
) throws(Failure) -> Result {
    try unsafe withUnsafeMutablePointer(to: &value) { pointer throws(Failure) in try unsafe body(Ref(pointer)) }
}

/// An object that is retained elsewhere; its references are not counted.
///
/// Invariant: the owner, usually a plan, lives longer than this reference.
@safe struct Borrowed<Object: AnyObject> {
    private let reference: Unmanaged<Object>

    @inline(__always) init(_ object: Object) { unsafe reference = .passUnretained(object) }

    /// The object, retained.
    @inline(__always) var object: Object { unsafe reference.takeUnretainedValue() }

    /// Calls a closure with the object, without retaining it.
    @inline(__always) func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
        unsafe try reference._withUnsafeGuaranteedRef { try body($0) }
    }
}

// Not with closures: without the optimizer, each of them needs stack for every level of nested values.
extension Borrowed<ValueBox> {
    @inline(__always) func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory
    ) -> Bytes? {
        unsafe reference._withUnsafeGuaranteedRef { $0.replace(&reader, place, entry, memory) }
    }

    @inline(__always) func read(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory
    ) -> Bytes? {
        unsafe reference._withUnsafeGuaranteedRef { $0.read(&reader, place, node, base) }
    }
}
