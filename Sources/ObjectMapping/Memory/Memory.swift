/// Memory for one value: a model, a property in one, or a temporary value; or for several contiguous values.
///
/// Invariant: the memory is large enough for the type that its user names, and aligned for it; the user knows whether
/// the memory is initialized. Plans guarantee both, because an offset and its type come from one key path.
@safe @frozen @usableFromInline
struct Memory: Hashable, Comparable,
    @unchecked Sendable  // guarded by the owner of the memory, who gives each thread a separate part
{
    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable @inline(__always) init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }

    @inline(__always) init<Value>(_ value: UnsafeMutablePointer<Value>) {
        unsafe address = UnsafeMutableRawPointer(value)
    }

    /// Memory that is only read.
    @inline(__always) init<Value>(_ value: UnsafePointer<Value>) {
        unsafe address = UnsafeMutableRawPointer(mutating: value)
    }

    /// The memory of a buffer of at least one byte, which always has an address.
    @inline(__always) fileprivate init(start buffer: UnsafeMutableRawBufferPointer) {
        unsafe self.init(buffer.baseAddress.unsafelyUnwrapped)
    }

    /// No memory; must not be used.
    static var none: Memory { unsafe Memory(UnsafeMutableRawPointer(bitPattern: UInt.max).unsafelyUnwrapped) }

    /// Allocates uninitialized memory, to be freed with `deallocate`.
    static func allocate(byteCount: Int, alignment: Int) -> Memory {
        unsafe Memory(.allocate(byteCount: byteCount, alignment: alignment))
    }

    func deallocate() { unsafe address.deallocate() }

    /// The memory of a value with a fixed type.
    @inline(__always) init<Value>(_ value: Ref<Value>) { unsafe address = UnsafeMutableRawPointer(value.address) }

    /// Returns the memory as a reference, after which it contains values of one type only.
    func ref<Value: ~Copyable>(to _: Value.Type) -> Ref<Value> {
        unsafe Ref(address.assumingMemoryBound(to: Value.self))
    }

    // MARK: Positions

    @inlinable @inline(__always) static func + (memory: Memory, offset: Int) -> Memory {
        unsafe Memory(memory.address + offset)
    }

    @inline(__always) static func += (memory: inout Memory, offset: Int) { memory = memory + offset }

    @inline(__always) static func - (memory: Memory, other: Memory) -> Int { unsafe memory.address - other.address }

    @inlinable @inline(__always) static func < (a: Memory, b: Memory) -> Bool { unsafe a.address < b.address }

    @inline(__always) func alignedUp(toMultipleOf alignment: Int) -> Memory {
        unsafe Memory(address.alignedUp(toMultipleOf: alignment))
    }

    @inlinable @inline(__always) static func == (a: Memory, b: Memory) -> Bool { unsafe a.address == b.address }

    @usableFromInline func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }

    // MARK: Values

    /// The value in initialized memory.
    @inlinable @inline(__always) subscript<Value>(as _: Value.Type) -> Value {
        unsafeAddress { unsafe UnsafePointer(address.assumingMemoryBound(to: Value.self)) }
        nonmutating unsafeMutableAddress { unsafe address.assumingMemoryBound(to: Value.self) }
    }

    /// Stores a value in uninitialized memory.
    @inlinable @inline(__always) func initialize<Value>(as _: Value.Type, to value: consuming Value) {
        unsafe address.bindMemory(to: Value.self, capacity: 1).initialize(to: value)
    }

    /// Moves the value out; the memory is uninitialized afterwards.
    @inlinable @inline(__always) func move<Value>(as _: Value.Type) -> Value {
        unsafe address.assumingMemoryBound(to: Value.self).move()
    }

    /// Destroys `count` values; the memory is uninitialized afterwards.
    @inlinable @inline(__always) func deinitialize<Value>(as _: Value.Type, count: Int = 1) {
        unsafe address.assumingMemoryBound(to: Value.self).deinitialize(count: count)
    }

    /// Moves `count` values from other memory, which is uninitialized afterwards, into this uninitialized memory.
    @inlinable @inline(__always) func moveInitialize<Value>(as _: Value.Type, from source: Memory, count: Int) {
        unsafe address.moveInitializeMemory(
            as: Value.self, from: source.address.assumingMemoryBound(to: Value.self), count: count)
    }
}

/// Calls a closure with uninitialized memory for a value, which is on the stack unless the value is large.
///
/// - Parameters:
///   - size: The number of bytes; 0 counts as 1.
///   - body: Uses the memory, and leaves it uninitialized.
@inline(__always) func withValueMemory<Result>(_ size: Int, _ alignment: Int, _ body: (Memory) -> Result) -> Result {
    // Only memory of a constant size and alignment is allocated on the stack.
    if size <= 32, alignment <= 16 {
        return unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 16) { unsafe body(Memory(start: $0)) }
    }
    return size <= 128 ? withMediumMemory(size, alignment, body) : withLargeMemory(size, alignment, body)
}

// Not inlined: otherwise each level of nested text would need stack for the largest values.
@inline(never) private func withMediumMemory<Result>(
    _ size: Int, _ alignment: Int, _ body: (Memory) -> Result
) -> Result {
    guard alignment <= 16 else { return withLargeMemory(size, alignment, body) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { unsafe body(Memory(start: $0)) }
}

@inline(never) private func withLargeMemory<Result>(
    _ size: Int, _ alignment: Int, _ body: (Memory) -> Result
) -> Result {
    unsafe withUnsafeTemporaryAllocation(byteCount: max(1, size), alignment: alignment) {
        unsafe body(Memory(start: $0))
    }
}

/// Calls a closure with the memory of a local value, which must not leave the closure.
@inline(__always) func withMemory<Value, Result, Failure: Error>(
    of value: Value, _ body: (Memory) throws(Failure) -> Result
) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: value) { pointer throws(Failure) in try unsafe body(Memory(pointer)) }
}

/// Calls a closure with the memory of a variable, which must not leave the closure.
@inline(__always) func withMutableMemory<Value, Result, Failure: Error>(
    of value: inout Value, _ body: (Memory) throws(Failure) -> Result
) throws(Failure) -> Result {
    try unsafe withUnsafeMutablePointer(to: &value) { pointer throws(Failure) in try unsafe body(Memory(pointer)) }
}
