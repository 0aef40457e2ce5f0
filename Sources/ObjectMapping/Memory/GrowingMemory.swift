/// Values in memory that grows, without the reference counts and bounds checks of an array.
///
/// Memory is allocated with the first value. The owner deinitializes values that own references.
struct GrowingMemory<Value: ~Copyable>: ~Copyable {
    private(set) var start = Memory.none.ref(to: Value.self)
    private(set) var count = 0
    private var capacity = 0
    private let firstCapacity: Int

    /// - Parameter capacity: The number of values for which memory is allocated first.
    init(capacity: Int) { firstCapacity = capacity }

    deinit { if capacity > 0 { start.deallocate() } }

    @inline(__always) mutating func append(_ value: consuming Value) {
        if count == capacity { grow(1) }
        (start + count).initialize(to: value)
        count &+= 1
    }

    /// Removes the last values down to a count.
    mutating func truncate(to count: Int) { self.count = min(max(0, count), self.count) }

    @inline(never) private mutating func grow(_ more: Int) {
        let larger = max(firstCapacity, capacity * 2, count + more)
        start = capacity > 0 ? start.grown(count, to: larger) : .allocate(capacity: larger)
        capacity = larger
    }
}

extension GrowingMemory {
    @inline(__always) mutating func append(_ first: Value, _ second: Value) {
        if count &+ 1 >= capacity { grow(2) }
        (start + count).initialize(to: first)
        (start + (count &+ 1)).initialize(to: second)
        count &+= 2
    }

    mutating func append(repeating value: Value, count more: Int) {
        if count + more > capacity { grow(more) }
        (start + count).initialize(repeating: value, count: more)
        count += more
    }
}
