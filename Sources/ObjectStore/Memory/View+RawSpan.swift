package import ObjectMapping

extension ByteView {
    /// Calls a function with the bytes as a span.
    ///
    /// Safe: a view outlives the calls that it is passed to.
    package func withRawSpan<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { try body(unsafe RawSpan(_unsafeBytes: $0)) }
    }
}

extension MutableByteView {
    /// Calls a function that writes to the bytes.
    ///
    /// Safe: a view outlives the calls that it is passed to, and its bytes are initialized.
    package func withMutableRawSpan<Result>(_ body: (inout MutableRawSpan) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeMutableBytes { bytes in
            var span = unsafe MutableRawSpan(_unsafeBytes: bytes)
            return try body(&span)
        }
    }
}
