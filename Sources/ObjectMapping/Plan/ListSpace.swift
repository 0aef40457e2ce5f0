/// Memory in which the lists of one decode grow: a list inside another lies above it.
struct ListSpace {
    static var size: Int { 1 << 14 }

    private let start: Memory
    fileprivate let end: Memory
    /// Nothing above is in use.
    fileprivate var top: Memory

    init() {
        start = .allocate(byteCount: ListSpace.size, alignment: 16)
        end = start + ListSpace.size
        top = start
    }

    func free() { start.deallocate() }
}

/// The values of a list while it is read: in the list space, or in memory of their own once there are many.
struct ElementMemory {
    private(set) var start: Memory
    private var next: Memory
    private var end: Memory
    private let stride: Int
    /// The top of the list space below the list.
    private let floor: Memory
    private var isOwn = false
    private(set) var count = 0

    @inline(__always) init(_ type: borrowing ElementType, in space: ListSpace) {
        floor = space.top
        start = space.top.alignedUp(toMultipleOf: type.alignment)
        next = start
        end = space.end
        stride = type.stride
    }

    /// Empty memory behind the last value.
    @inline(__always) mutating func slot(_ type: borrowing ElementType, _ space: inout ListSpace) -> Memory {
        let above = next + stride
        if above > end {
            reserve(max(16, count * 2), type, &space)
        } else if !isOwn {
            space.top = above
        }
        return next
    }

    /// There is a value in the slot now.
    @inline(__always) mutating func keep() {
        next += stride
        count &+= 1
    }

    /// Moves the values to memory of their own that has room for a number of them.
    @inline(never) mutating func reserve(_ capacity: Int, _ type: borrowing ElementType, _ space: inout ListSpace) {
        let larger = Memory.allocate(byteCount: capacity * stride, alignment: max(16, type.alignment))
        type.move(start, count, larger)
        free(&space)
        isOwn = true
        start = larger
        next = larger + count * stride
        end = larger + capacity * stride
    }

    /// Forgets the values, which were moved out; their memory is used again.
    @inline(__always) mutating func removeAll() {
        next = start
        count = 0
    }

    /// Takes some of the values down and closes the gaps.
    mutating func remove(_ positions: Set<Int>, _ type: borrowing ElementType) {
        guard !positions.isEmpty else { return }
        var target = start
        for position in 0..<count {
            let value = start + position * stride
            if positions.contains(position) {
                type.destroy(value, 1)
            } else {
                if value != target { type.move(value, 1, target) }
                target += stride
            }
        }
        next = target
        count -= positions.count
    }

    /// Takes the values down and frees the memory.
    func discard(_ type: borrowing ElementType, _ space: inout ListSpace) {
        type.destroy(start, count)
        free(&space)
    }

    /// Frees the memory, out of which the values were moved.
    @inline(__always) func free(_ space: inout ListSpace) {
        if isOwn { start.deallocate() } else { space.top = floor }
    }
}
