extension Data {
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
}
