import ObjectMapping
import ObjectStore

/// A dump: a file that is read directly, or a copy of standard input or a pipe, so that it can be read again.
final class InputFile {
    private enum Place {
        case file(path: String, FileStamp)
        case copy(Descriptor)
    }

    /// The name in messages.
    let name: String
    private let place: Place
    private let isCompressed: Bool
    /// The format of the text; `nil` for JSON.
    private let format: (any PayloadFormat)?
    /// The bytes being read, for error messages.
    private var file: InputByteSource?
    private var unpacked: GzipByteSource?

    /// Opens a file to verify that it can be read; other than regular files are copied to an unnamed file.
    ///
    /// - Parameters:
    ///   - spoolPath: A temporary path for the copy.
    ///   - meter: Receives the number of copied bytes.
    ///   - timeout: The time to wait for the writer of a pipe.
    ///   - format: The format of the text. Defaults to `nil`, for JSON.
    init(
        path: String, name: String, spoolPath: String, meter: ProgressMeter? = nil, timeout: Duration = .seconds(5),
        format: (any PayloadFormat)? = nil
    ) throws(SeedError) {
        self.format = format
        let descriptor: Descriptor
        switch try InputKind(of: path, name: name) {
        case .file:
            let file = try Descriptor(reading: path, name: name)
            guard let status = file.status else { throw .system(.inputMissing, "cannot read", name) }
            guard status.st_size == 0 else {
                (descriptor, place) = (file, .file(path: path, FileStamp(status)))
                break
            }
            // Files that the system generates report a size of 0.
            descriptor = try Self.copy(to: spoolPath, name, meter) { buffer throws(SeedError) in
                try file.readNext(into: &buffer, name: name)
            }
            place = .copy(descriptor)
        case .pipe:
            var pipe = try PipeReader(path, name: name, timeout: timeout)
            descriptor = try Self.copy(to: spoolPath, name, meter) { buffer throws(SeedError) in
                try pipe.readNext(into: &buffer)
            }
            place = .copy(descriptor)
        }
        self.name = name
        isCompressed = Gzip.isUsed(by: path, startingWith: try descriptor.firstBytes(name: name))
    }

    /// Opens standard input.
    init(
        standardInputWithSpoolPath spoolPath: String, meter: ProgressMeter? = nil, format: (any PayloadFormat)? = nil
    ) throws(SeedError) {
        self.format = format
        let name = "standard input"
        let input = try Descriptor.standardInput(name: name)
        let copy = try Self.copy(to: spoolPath, name, meter) { buffer throws(SeedError) in
            try input.readNext(into: &buffer, name: name)
        }
        self.name = name
        place = .copy(copy)
        isCompressed = Gzip.isUsed(by: "", startingWith: try copy.firstBytes(name: name))
    }

    /// The size of the file in bytes.
    var size: Int {
        switch place {
        case .file(_, let stamp): stamp.size
        case .copy(let copy): copy.size
        }
    }

    /// Returns the JSON text from the start; can be called repeatedly, with one reader at a time.
    ///
    /// - Parameter meter: Receives the number of bytes read from the file.
    func text(meter: ProgressMeter? = nil) throws(SeedError) -> any ByteSource {
        let file = try open()
        file.meter = meter
        self.file = file
        if isCompressed {
            unpacked = try GzipByteSource(dump: file, name: name, longestText: Gzip.longestText(inFileOf: size))
        }
        let text: any ByteSource = if let unpacked { unpacked } else { file }
        guard let format else { return text }
        return try json(of: text, in: format)
    }

    /// Returns the JSON form of a text in another format, which is read completely.
    private func json(
        of text: any ByteSource, in format: some PayloadFormat
    ) throws(SeedError) -> any ByteSource {
        let bytes = try allBytes(of: text, name: name)
        do throws(MappingError) { return MemoryByteSource(try Payload(Data(bytes), format: format).text) } catch {
            // The positions are those of the format.
            throw SeedError(
                .badData,
                issues: error.issues.map { issue in
                    let excerpt = issue.offset > 0 ? SourceExcerpt(bytes: bytes, offset: issue.offset) : nil
                    return SeedIssue(issue, file: name, excerpt: excerpt)
                })
        }
    }

    /// Closes the file that `text()` opened: there can be more dumps than a process may have open files.
    func close() {
        file = nil
        unpacked = nil
    }

    /// Returns the reason why the text of the file is invalid: it was changed, or is damaged, which compressed data
    /// reveals only at its end.
    func damage() -> SeedError? {
        do {
            try file?.checkStamp()
            try unpacked?.skip(atMost: Self.excerptLimit)
            return nil
        } catch { return error as? SeedError }
    }

    /// Converts issues of the text, and adds the lines with them.
    func seedIssues(_ issues: [MappingIssue], withExcerpts: Bool = true) -> [SeedIssue] {
        let excerpts = withExcerpts && format == nil ? excerpts(around: issues.map(\.offset)) : [:]
        return issues.map { issue in
            let position: TextPosition? = format == nil ? nil : .unknown
            return SeedIssue(issue, file: name, position: position, excerpt: excerpts[issue.offset])
        }
    }

    /// Returns a position in JSON text for messages; it is unknown in the JSON form of another format.
    func reported(_ position: TextPosition) -> TextPosition { format == nil ? position : .unknown }

    /// Returns the lines around bytes of the text, except for those far into compressed data.
    private func excerpts(around offsets: some Sequence<Int>) -> [Int: SourceExcerpt] {
        guard let file else { return [:] }
        let offsets = Set(offsets).sorted()
        guard isCompressed else {
            let excerpts = offsets.compactMap { offset in file.excerpt(around: offset).map { (offset, $0) } }
            return Dictionary(uniqueKeysWithValues: excerpts)
        }
        let again = InputByteSource(file.descriptor, name: name, stamp: nil)
        let text = try? GzipByteSource(dump: again, name: name, longestText: Gzip.longestText(inFileOf: size))
        return text?.excerpts(around: offsets.prefix { $0 < Self.excerptLimit }) ?? [:]
    }

    /// The maximum number of bytes that are decompressed to improve an error message.
    private static let excerptLimit = 512 << 20

    private func open() throws(SeedError) -> InputByteSource {
        switch place {
        case .copy(let copy): return InputByteSource(copy, name: name, stamp: nil)
        case .file(let path, let stamp):
            let source = InputByteSource(try Descriptor(reading: path, name: name), name: name, stamp: stamp)
            try source.checkStamp()
            return source
        }
    }

    private static func copy(
        to path: String, _ name: String, _ meter: ProgressMeter?,
        from source: (inout MutableRawSpan) throws(SeedError) -> Int
    ) throws(SeedError) -> Descriptor {
        let copy = Descriptor(FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600))
        guard copy.isOpen else {
            // The name is temporary; the message contains its folder.
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            throw .system(.cannotCreateOutput, "cannot copy \(name) to the folder", folder)
        }
        FileSystem.remove(path)
        meter?.begin(.copying, file: name)
        try copy.writeAll(name: "the copy of \(name)") { buffer throws(SeedError) in
            let count = try source(&buffer)
            meter?.count(count)
            return count
        }
        return copy
    }
}

extension Descriptor {
    /// Returns the bytes that determine the type of the file.
    fileprivate func firstBytes(name: String) throws(SeedError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Gzip.magic.count)
        let count = try bytes.withMutableRawSpan { bytes throws(SeedError) in
            try readBytes(into: &bytes, at: 0, name: name)
        }
        return Array(bytes[..<count])
    }
}
