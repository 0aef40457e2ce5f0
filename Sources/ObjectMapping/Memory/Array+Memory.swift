extension Array {
    /// Creates an array in memory with a capacity.
    ///
    /// - Parameter fill: Initializes the first values, and returns their number.
    init(capacity: Int, fill: (Memory) -> Int) {
        unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            count = fill(unsafe buffer.baseAddress.map { unsafe Memory($0) } ?? .none)
        }
    }

    /// Creates an array of `count` elements with a closure, which receives the index.
    @inline(__always) init(count: Int, element: (Int) throws -> Element) rethrows {
        try unsafe self.init(unsafeUninitializedCapacity: count) { buffer, made in
            while made < count {
                unsafe buffer.initializeElement(at: made, to: try element(made))
                made += 1
            }
        }
    }

    /// Moves values out of memory.
    @inlinable @inline(__always) init(moving source: Memory, _ count: Int) {
        self = []
        append(moving: source, count)
    }

    /// Moves values out of memory to the end.
    @inlinable @inline(__always) mutating func append(moving source: Memory, _ count: Int) {
        // Appending nothing would write to the empty array that all threads share.
        guard count > 0 else { return }
        let source = unsafe source.address.assumingMemoryBound(to: Element.self)
        #if compiler(>=6.3)
            // Unlike the initializer with a capacity, this is specialized for the element, and six times as fast.
            append(addingCapacity: count) { span in
                unsafe span.withUnsafeMutableBufferPointer { buffer, initialized in
                    unsafe buffer.baseAddress?.moveInitialize(from: source, count: count)
                    initialized = count
                }
            }
        #else
            self += unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
                unsafe buffer.baseAddress?.moveInitialize(from: source, count: count)
                initialized = count
            }
        #endif
    }
}

extension Sequence {
    /// Calls a closure with the memory of the first element and the number of elements; returns `nil` if they are not
    /// contiguous.
    @inline(__always) func withElementMemory<Result>(_ body: (Memory, Int) throws -> Result) rethrows -> Result? {
        try withContiguousStorageIfAvailable { elements in
            try unsafe body(elements.baseAddress.map { unsafe Memory($0) } ?? .none, elements.count)
        }
    }
}
