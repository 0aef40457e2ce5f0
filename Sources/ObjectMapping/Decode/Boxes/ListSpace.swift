import Synchronization

/// Memory in which the lists of one decode grow: a nested list is stored above its parent.
struct ListSpace: ~Copyable {
    static var size: Int { 1 << 14 }
    /// The memory of a finished decode, for the next one.
    private static let spare = Mutex<Block?>(nil)

    private final class Block: @unchecked Sendable {  // used by one decode at a time
        let start = Memory.allocate(byteCount: ListSpace.size, alignment: 16)

        deinit { start.deallocate() }
    }

    private let block: Block
    fileprivate let end: Memory
    /// The end of the used memory.
    fileprivate var top: Memory

    init() {
        block = ListSpace.spare.withLock { $0.take() } ?? Block()
        top = block.start
        end = top + ListSpace.size
    }

    deinit { ListSpace.spare.withLock { $0 = block } }
}

/// The values of a list while it is read: in the list space, or in separate memory for long lists.
///
/// Separate memory is freed with the list; the values are moved or destroyed by their owner.
struct ElementMemory: ~Copyable {
    private(set) var start: Memory
    private var next: Memory
    private var end: Memory
    private let stride: Int
    /// The top of the list space below the list.
    private let floor: Memory
    private var isSeparate = false
    private(set) var count = 0

    @inline(__always) init(_ type: borrowing ElementType, in space: borrowing ListSpace) {
        floor = space.top
        start = space.top.alignedUp(toMultipleOf: type.alignment)
        next = start
        end = space.end
        stride = type.stride
    }

    deinit { if isSeparate { start.deallocate() } }

    /// Returns empty memory after the last value.
    @inline(__always) mutating func slot(_ type: borrowing ElementType, _ space: inout ListSpace) -> Memory {
        let above = next + stride
        if above > end {
            reserve(max(16, count * 2), type, &space)
        } else if !isSeparate {
            space.top = above
        }
        return next
    }

    /// Counts the value in the slot.
    @inline(__always) mutating func keep() {
        next += stride
        count &+= 1
    }

    /// Moves the values to separate memory with room for a number of them.
    @inline(never) mutating func reserve(_ capacity: Int, _ type: borrowing ElementType, _ space: inout ListSpace) {
        let larger = Memory.allocate(byteCount: capacity * stride, alignment: max(16, type.alignment))
        type.move(start, count, larger)
        if isSeparate { start.deallocate() } else { space.top = floor }
        isSeparate = true
        start = larger
        next = larger + count * stride
        end = larger + capacity * stride
    }

    /// Removes the values, which were moved out; their memory is reused.
    @inline(__always) mutating func removeAll() {
        next = start
        count = 0
    }

    /// Destroys the values after the first ones.
    mutating func truncate(to first: Int, _ type: borrowing ElementType) {
        next = start + first * stride
        type.destroy(next, count - first)
        count = first
    }

    /// Destroys some of the values and closes the gaps.
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

    /// Releases the memory of the list in the list space, after its values were moved or destroyed.
    @inline(__always) mutating func close(_ space: inout ListSpace) { if !isSeparate { space.top = floor } }

    /// Transfers the ownership of the values and their memory, which must be separate.
    mutating func release() -> (start: Memory, count: Int) {
        defer {
            (count, isSeparate) = (0, false)
            (next, end) = (start, start)
        }
        return (start, count)
    }
}

/// Values in separate memory; unless they are moved out, they are destroyed and freed with the last reference.
final class ModelBlock: @unchecked Sendable {  // used by one thread at a time
    private let start: Memory
    private(set) var count: Int
    private let type: ElementType

    init(_ values: (start: Memory, count: Int), _ type: ElementType) {
        (start, count) = values
        self.type = type
    }

    deinit {
        type.destroy(start, count)
        start.deallocate()
    }

    /// Moves the values to empty memory.
    func move(to memory: Memory) {
        type.move(start, count, memory)
        count = 0
    }

    /// Moves the values to the end of an array.
    func move<Value>(to array: inout [Value]) {
        array.append(moving: start, count)
        count = 0
    }
}
