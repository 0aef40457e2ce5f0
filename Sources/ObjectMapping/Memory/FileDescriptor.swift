/// A file that is open for reading, closed when it is released.
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

    /// Reads at most `count` bytes into memory; returns how many there were: 0 at the end of the file.
    ///
    /// - Throws: `SystemError`.
    func read(into memory: Ref<UInt8>, count: Int) throws(SystemError) -> Int {
        let count = unsafe systemRead(descriptor, memory.address, count)
        guard count >= 0 else { throw SystemError(code: errno) }
        return count
    }
}

/// `read`, which the method that calls it hides by its name.
private func systemRead(_ descriptor: Int32, _ address: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, address, count)
}

/// An error number of the system.
struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)" }
}
