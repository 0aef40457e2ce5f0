extension RawSpan {
    /// Returns the byte at an offset; traps if it is not within the span.
    ///
    /// Safe: the load checks its bounds, and every pattern of 8 bits is a `UInt8`.
    @inlinable
    package func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Returns the offset of the first occurrence of a byte, starting at an offset; `nil` if it does not occur.
    ///
    /// Safe: the search ends with the span, whose bounds are checked before.
    package func firstOffset(of byte: UInt8, from start: Int) -> Int? {
        let rest = extracting(start...)
        return unsafe rest.withUnsafeBytes { rest in
            guard let base = rest.baseAddress else { return nil }
            return unsafe memchr(base, Int32(byte), rest.count).map { unsafe start + (UnsafeRawPointer($0) - base) }
        }
    }

    /// Returns the 4 bytes at an offset in the processor's byte order; traps if they are not within the span.
    ///
    /// Safe: the load checks its bounds, and every pattern of 32 bits is a `UInt32`.
    @inlinable
    package func word(at offset: Int) -> UInt32 { unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self) }
}

extension MutableRawSpan {
    /// Copies bytes to the start of the span; traps if they are longer than the span.
    ///
    /// Safe: the pointers do not leave the closures, and the length is checked.
    package mutating func copy(_ bytes: RawSpan) {
        precondition(bytes.byteCount <= byteCount)
        unsafe withUnsafeMutableBytes { target in unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) } }
    }
}

extension [UInt8] {
    /// Copies bytes.
    package init(copying bytes: RawSpan) {
        self.init()
        append(bytes)
    }

    /// Appends a copy of bytes.
    ///
    /// Safe: the pointer does not leave the closure.
    package mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Calls a function with the bytes of the array; `span` requires macOS 26 or iOS 26.
    ///
    /// Safe: the buffer is valid during the call, and bytes have no padding, which a raw span would expose.
    package func withRawSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
            try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffer)))
        }
    }

    /// Calls a function that can change the bytes of the array.
    ///
    /// Safe: the buffer is valid during the call, and every pattern of 8 bits is a `UInt8`.
    package mutating func withMutableRawSpan<Result, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeMutableBufferPointer { buffer throws(Failure) in
            var bytes = unsafe MutableRawSpan(_unsafeBytes: UnsafeMutableRawBufferPointer(buffer))
            return try body(&bytes)
        }
    }
}
