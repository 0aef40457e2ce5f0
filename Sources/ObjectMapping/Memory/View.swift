/// Values in memory that its user owns, as a collection without reference counting.
///
/// Invariant: the memory lives as long as the view is used. Views refer to a caller's bytes during a call, and to
/// windows and buffers, which their readers retain.
@safe package struct View<Element>: RandomAccessCollection {
    @usableFromInline let start: UnsafePointer<Element>
    package let count: Int

    @inlinable @inline(__always) init(_ start: UnsafePointer<Element>, _ count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// No values.
    @inlinable package static var empty: View { unsafe View(UnsafePointer(bitPattern: UInt.max).unsafelyUnwrapped, 0) }

    @inlinable @inline(__always) package var startIndex: Int { 0 }
    @inlinable @inline(__always) package var endIndex: Int { count }

    // The default implementations are not specialized for loops in other modules.
    @inlinable @inline(__always) package func index(after index: Int) -> Int { index + 1 }
    @inlinable @inline(__always) package func index(before index: Int) -> Int { index - 1 }
    @inlinable @inline(__always) package func formIndex(after index: inout Int) { index += 1 }
    @inlinable @inline(__always) package func formIndex(before index: inout Int) { index -= 1 }

    @inlinable @inline(__always) package subscript(index: Int) -> Element {
        unsafeAddress {
            assert(index >= 0 && index < count)
            return unsafe start + index
        }
    }

    /// Returns a part, whose first value has the index 0.
    @inlinable @inline(__always) package func part(_ range: Range<Int>) -> View {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the part must lie in the view")
        return unsafe View(start + range.lowerBound, range.count)
    }

    @inlinable @inline(__always) package func prefix(_ length: Int) -> View { part(0..<Swift.min(length, count)) }
    @inlinable @inline(__always) package func dropFirst(_ length: Int = 1) -> View {
        part(Swift.min(length, count)..<count)
    }
    @inlinable @inline(__always) package func dropLast(_ length: Int = 1) -> View {
        part(0..<Swift.max(0, count - length))
    }

    @inlinable @inline(__always) package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Element>) throws -> Result
    ) rethrows -> Result? { try unsafe body(UnsafeBufferPointer(start: start, count: count)) }
}

/// Bytes in memory that its user owns.
package typealias ByteView = View<UInt8>

extension View<UInt8> {
    @inlinable @inline(__always) package init(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            unsafe self.init(start.assumingMemoryBound(to: UInt8.self), bytes.count)
        } else {
            self = .empty
        }
    }

    /// Calls a function of the standard library or of C with the bytes.
    @inlinable @inline(__always) package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns the index of the first occurrence of a byte at or after an index.
    @inline(__always) package func firstIndex(of byte: UInt8, from index: Int) -> Int? {
        guard index < count, let found = unsafe memchr(start + index, Int32(byte), count - index) else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// Returns whether other bytes have the same values.
    @inline(__always) func isSame(as other: ByteView) -> Bool {
        unsafe count == other.count && memcmp(start, other.start, count) == 0
    }

    /// Hashes the bytes.
    func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls a closure with a padded copy, usually on the stack.
    func withPaddedCopy<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + Bytes.padding) { copy in
            let memory = unsafe Ref(copy.baseAddress.unsafelyUnwrapped)
            memory.initialize(repeating: 0, count: copy.count)
            if let first = Bytes(self) { memory.update(from: first, count: count) }
            return try body(Bytes(memory))
        }
    }
}

extension ByteView {
    /// Returns the bytes of a word that continue a scalar: those of the form `10……`.
    @inline(__always) private static func continuations(_ word: UInt64) -> Int {
        // One bit per byte; the product collects their sum in its highest byte.
        let bits = (word >> 7) & ~(word >> 6) & 0x0101_0101_0101_0101
        return Int((bits &* 0x0101_0101_0101_0101) >> 56)
    }

    /// Returns the number of Unicode scalars that start in a range of UTF-8: all bytes except continuation bytes.
    func scalarCount(from first: Int, to end: Int) -> Int {
        var count = end - first
        var index = first
        func word(_ offset: Int) -> UInt64 {
            unsafe UnsafeRawPointer(start + (index + offset)).loadUnaligned(as: UInt64.self)
        }
        while index + 32 <= end {
            let words = (word(0), word(8), word(16), word(24))
            if (words.0 | words.1 | words.2 | words.3) & 0x8080_8080_8080_8080 != 0 {
                count -= Self.continuations(words.0) + Self.continuations(words.1)
                count -= Self.continuations(words.2) + Self.continuations(words.3)
            }
            index += 32
        }
        for rest in index..<end where self[rest] & 0xC0 == 0x80 { count -= 1 }
        return count
    }
}

extension ContiguousBytes {
    /// Calls a closure with the bytes, which must not leave the closure.
    @inline(__always) package func withView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { try unsafe body(ByteView($0)) }
    }
}

extension String {
    /// Calls a closure with the text in UTF-8, which must not leave the closure.
    @inline(__always) package func withView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        var copy = self
        return try copy.withUTF8 { try unsafe body(ByteView(UnsafeRawBufferPointer($0))) }
    }
}
