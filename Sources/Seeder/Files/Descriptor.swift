/// An open file, closed with its last reference; calls interrupted by a signal are repeated unless the build must stop.
final class Descriptor {
    let number: Int32
    private let isOwned: Bool

    /// Takes ownership of the result of `open`, which can be -1.
    init(_ number: Int32, isOwned: Bool = true) {
        self.number = number
        self.isOwned = isOwned
    }

    /// Opens a file for reading; throws `inputMissing` if that fails.
    convenience init(reading path: String, name: String? = nil, flags: Int32 = 0) throws(SeedError) {
        guard !path.utf8.contains(0) else {
            throw SeedError(.inputMissing, "the name of a file cannot contain a NUL character")
        }
        let number = FileSystem.open(path, O_RDONLY | O_CLOEXEC | flags)
        guard number >= 0 else { throw .system(.inputMissing, "cannot read", name ?? path) }
        self.init(number)
    }

    deinit { if isOwned && isOpen { _ = close(number) } }

    /// Opens standard input; throws `inputMissing` if it cannot be read.
    static func standardInput(name: String) throws(SeedError) -> Descriptor {
        let input = Descriptor(STDIN_FILENO, isOwned: false)
        let code = input.status.map { $0.st_mode & S_IFMT == S_IFDIR ? EISDIR : 0 } ?? EBADF
        // The parent process may have closed it; a file that was opened with the same number cannot be read.
        guard code == 0, fcntl(input.number, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw .system(.inputMissing, "cannot read", name, code: code == 0 ? EBADF : code)
        }
        return input
    }

    var isOpen: Bool { number >= 0 }

    /// The result of `fstat`; `nil` on failure.
    var status: stat? { FileSystem.status(of: number) }

    /// The size of the file in bytes.
    var size: Int { Int(clamping: status?.st_size ?? 0) }

    /// Locks the file without waiting; returns false if it is locked elsewhere.
    func lock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    /// Reads the available bytes; returns 0 at the end.
    func readNext(into buffer: inout MutableRawSpan, name: String) throws(SeedError) -> Int {
        try transfer("cannot read", name) { FileSystem.read(number, into: &buffer) }
    }

    /// Reads the available bytes at an offset; returns 0 at the end.
    func readBytes(into buffer: inout MutableRawSpan, at offset: Int, name: String) throws(SeedError) -> Int {
        try transfer("cannot read", name) { FileSystem.read(number, into: &buffer, at: Int64(offset)) }
    }

    /// Writes all of the bytes.
    func writeAll(_ bytes: [UInt8], name: String) throws(SeedError) {
        try bytes.withRawSpan { bytes throws(SeedError) in try writeAll(bytes, name: name) }
    }

    private func writeAll(_ bytes: RawSpan, name: String) throws(SeedError) {
        var written = 0
        while written < bytes.byteCount {
            let rest = bytes.extracting(droppingFirst: written)
            written += try transfer("cannot write", name) { FileSystem.write(number, rest) }
        }
    }

    /// Writes all bytes from a source.
    func writeAll(
        name: String, from source: (inout MutableRawSpan) throws(SeedError) -> Int
    ) throws(SeedError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while case let count = try buffer.withMutableRawSpan(source), count > 0 {
            try checkInterruption()
            try buffer.withRawSpan { bytes throws(SeedError) in
                try writeAll(bytes.extracting(first: count), name: name)
            }
        }
    }

    /// Writes the remaining bytes of another file.
    func writeAll(of other: Descriptor, otherName: String, name: String) throws(SeedError) {
        try writeAll(name: name) { buffer throws(SeedError) in try other.readNext(into: &buffer, name: otherName) }
    }

    /// Waits until the bytes are on the disk.
    func synchronize(name: String) throws(SeedError) {
        let code = FileSystem.synchronize(number)
        guard code == 0 else { throw .system(.inputOutput, "cannot write", name, code: code) }
    }

    private func transfer(_ action: String, _ name: String, _ call: () -> Int) throws(SeedError) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            let code = errno
            guard code == EINTR else { throw .system(.inputOutput, action, name, code: code) }
            try checkInterruption()
        }
    }
}
