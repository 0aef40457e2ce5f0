/// A file that is open for reading, and closed when it is released.
struct FileDescriptor: ~Copyable {
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: `SystemError`.
    init(path: String) throws(SystemError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
    }

    deinit { _ = close(descriptor) }

    /// Reads some bytes, and returns their number: 0 at the end of the file.
    ///
    /// - Throws: `SystemError`.
    func read(into buffer: MutableByteView) throws(SystemError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
        guard count >= 0 else { throw SystemError(code: errno) }
        return count
    }
}

/// `read`, whose name is hidden in the calling method.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// An error number of the system.
struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)" }
}

/// Unwraps a value that an invariant guarantees: for tokens, whose words are written only by the tape's builder.
@inline(__always) func known<Value>(_ value: Value?) -> Value { unsafe value.unsafelyUnwrapped }

/// Casts a value to its type where generic code cannot express that the types are equal.
@inline(__always) func same<Value, Requested>(_ value: Value, as _: Requested.Type) -> Requested {
    precondition(Value.self == Requested.self)
    return unsafe unsafeBitCast(value, to: Requested.self)
}
