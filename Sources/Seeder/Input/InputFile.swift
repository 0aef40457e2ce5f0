import ObjectMapping

/// A dump: a file read where it lies, or anything else (standard input, a pipe) copied once so that it can be read again.
final class InputFile {
    /// As it stands in messages.
    let name: String
    private let path: String?
    private let spool: Descriptor?

    /// Opens a file to see whether it can be read; what is no regular file is copied to a nameless file.
    ///
    /// - Parameters:
    ///   - spoolPath: Where the copy may have a name for an instant.
    ///   - meter: Told how many bytes are copied.
    init(path: String, name: String, spoolPath: String, meter: ProgressMeter? = nil) throws(SeedError) {
        self.name = name
        let descriptor = try Descriptor(reading: path, name: name)
        guard let status = descriptor.status else { throw .system(.inputMissing, "cannot read", name) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: (self.path, spool) = (path, nil)
        case S_IFDIR: throw .system(.inputMissing, "cannot read", name, code: EISDIR)
        default: (self.path, spool) = (nil, try Self.spool(descriptor, name, spoolPath, meter))
        }
    }

    /// Why a file cannot be read, in words; nil if it can.
    static func problem(with path: String) -> String? {
        // A pipe is not opened before it is read: its writer would lose its reader.
        var status = stat()
        let isSound = stat(path, &status) == 0 && access(path, R_OK) == 0
        let code = isSound && status.st_mode & S_IFMT == S_IFDIR ? EISDIR : isSound ? 0 : errno
        return code == 0 ? nil : "cannot read \(path): \(systemMessage(code))"
    }

    /// Standard input.
    init(standardInputWithSpoolPath spoolPath: String, meter: ProgressMeter? = nil) throws(SeedError) {
        name = "standard input"
        path = nil
        let input = Descriptor.standardInput
        let code = input.status.map { $0.st_mode & S_IFMT == S_IFDIR ? EISDIR : 0 } ?? EBADF
        // Whoever started the process may have closed it; what is open in its place cannot be read.
        guard code == 0, fcntl(input.number, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw .system(.inputMissing, "cannot read", name, code: code == 0 ? EBADF : code)
        }
        spool = try Self.spool(input, name, spoolPath, meter)
    }

    /// The file's bytes from the start, as often as they are wanted.
    ///
    /// - Parameter meter: Told how many bytes are read from the file.
    func bytes(meter: ProgressMeter? = nil) throws(SeedError) -> InputByteSource {
        let descriptor = try descriptor()
        descriptor.meter = meter
        return InputByteSource(descriptor: descriptor, name: name)
    }

    /// Bytes in the file.
    var size: Int { (try? descriptor().size) ?? 0 }

    /// The line around a byte, as an error shows it; nil if the file cannot be read any more.
    func excerpt(around offset: Int) -> SourceExcerpt? {
        let start = max(0, offset - SourceExcerpt.reach)
        guard let bytes = try? piece(from: start, count: 2 * SourceExcerpt.reach) else { return nil }
        return SourceExcerpt(bytes: bytes, offset: offset - start)
    }

    private func piece(from start: Int, count: Int) throws(SeedError) -> [UInt8] {
        let bytes = try bytes()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        let read = try bytes.descriptor.readBytes(into: buffer, at: start, name: name)
        return Array(buffer[..<read])
    }

    private func descriptor() throws(SeedError) -> Descriptor {
        if let spool { return spool }
        return try Descriptor(reading: path ?? "", name: name)
    }

    private static func spool(
        _ input: Descriptor, _ name: String, _ path: String, _ meter: ProgressMeter?
    ) throws(SeedError) -> Descriptor {
        let spool = Descriptor(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        guard spool.isOpen else { throw .system(.cannotCreateOutput, "cannot create", path) }
        unlink(path)
        input.meter = meter
        meter?.begin(.copying, file: name)
        try spool.writeAll(of: input, otherName: name, name: "the copy of \(name)")
        return spool
    }
}
