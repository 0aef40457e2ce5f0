/// Writable bytes in memory that its user owns.
///
/// Invariant: the memory lives as long as the view is used.
@safe package struct MutableByteView {
    private let start: Ref<UInt8>
    package let count: Int

    init(_ start: Ref<UInt8>, _ count: Int) {
        self.start = start
        self.count = count
    }

    package subscript(index: Int) -> UInt8 {
        get {
            precondition(index >= 0 && index < count)
            return start[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count)
            start[index] = newValue
        }
    }

    /// The same bytes, for reading.
    package var view: ByteView { start.view(count) }

    /// Copies bytes up to the size of the memory; returns their number.
    package func copy(_ bytes: ByteView) -> Int {
        let copied = min(count, bytes.count)
        if let first = Bytes(bytes) { start.initialize(from: first, count: copied) }
        return copied
    }

    /// Calls a system function with the bytes.
    package func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe body(UnsafeMutableRawBufferPointer(start: start.address, count: count))
    }
}

/// Memory for a number of bytes, freed when it is released.
package struct ByteBlock: ~Copyable {
    private let start: Ref<UInt8>
    private let count: Int

    /// - Parameter count: The number of bytes, which are initialized with zero.
    package init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: 0, count: count)
        self.count = count
    }

    deinit { start.deallocate() }

    /// The bytes, valid during the lifetime of the block.
    package var bytes: MutableByteView { MutableByteView(start, count) }
}
