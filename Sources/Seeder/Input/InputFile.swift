import ObjectMapping
import ObjectStore

/// A dump: a file read where it lies, or anything else (standard input, a pipe) copied once so that it can be read again.
final class InputFile {
    private enum Place {
        case file(path: String, FileStamp)
        case copy(Descriptor)
    }

    /// As it stands in messages.
    let name: String
    private let place: Place
    private let isCompressed: Bool
    /// What is being read, kept for what there is to say about errors.
    private var file: InputByteSource?
    private var unpacked: GzipByteSource?

    /// Opens a file to see whether it can be read; what is no regular file is copied to a nameless file.
    ///
    /// - Parameters:
    ///   - spoolPath: Where the copy may have a name for an instant.
    ///   - meter: Told how many bytes are copied.
    ///   - patience: How long the writer of a pipe may keep away.
    init(
        path: String, name: String, spoolPath: String, meter: ProgressMeter? = nil, patience: Duration = .seconds(5)
    ) throws(SeedError) {
        let descriptor: Descriptor
        switch try InputKind(of: path, name: name) {
        case .file:
            let file = try Descriptor(reading: path, name: name)
            guard let status = file.status else { throw .system(.inputMissing, "cannot read", name) }
            guard status.st_size == 0 else {
                (descriptor, place) = (file, .file(path: path, FileStamp(status)))
                break
            }
            // Files that the system makes up while they are read say that they are empty.
            descriptor = try Self.copy(to: spoolPath, name, meter) { buffer throws(SeedError) in
                try file.readNext(into: &buffer, name: name)
            }
            place = .copy(descriptor)
        case .pipe:
            var pipe = try PipeReader(path, name: name, patience: patience)
            descriptor = try Self.copy(to: spoolPath, name, meter) { buffer throws(SeedError) in
                try pipe.readNext(into: &buffer)
            }
            place = .copy(descriptor)
        }
        self.name = name
        isCompressed = Gzip.isUsed(by: path, startingWith: try descriptor.firstBytes(name: name))
    }

    /// Standard input.
    init(standardInputWithSpoolPath spoolPath: String, meter: ProgressMeter? = nil) throws(SeedError) {
        let name = "standard input"
        let input = try Descriptor.standardInput(name: name)
        let copy = try Self.copy(to: spoolPath, name, meter) { buffer throws(SeedError) in
            try input.readNext(into: &buffer, name: name)
        }
        self.name = name
        place = .copy(copy)
        isCompressed = Gzip.isUsed(by: "", startingWith: try copy.firstBytes(name: name))
    }

    /// Bytes of the file, as they lie on the disk.
    var size: Int {
        switch place {
        case .file(_, let stamp): stamp.size
        case .copy(let copy): copy.size
        }
    }

    /// The text from the start, as often as it is wanted, by one reader at a time.
    ///
    /// - Parameter meter: Told how many bytes are read from the file.
    func text(meter: ProgressMeter? = nil) throws(SeedError) -> any ByteSource {
        let file = try open()
        file.meter = meter
        self.file = file
        guard isCompressed else { return file }
        let text = try GzipByteSource(dump: file, name: name, longestText: Gzip.longestText(inFileOf: size))
        unpacked = text
        return text
    }

    /// Lets go of what `text()` opened: there may be more dumps than files that a process may hold open.
    func close() {
        file = nil
        unpacked = nil
    }

    /// What is wrong with the file where its text turned out to be wrong: somebody wrote to it, or it is damaged, which
    /// compressed data tells only at its end.
    func damage() -> SeedError? {
        do {
            try file?.checkStamp()
            try unpacked?.skip(atMost: Self.patience)
            return nil
        } catch { return error as? SeedError }
    }

    /// Issues of the text with the lines they are in.
    func seedIssues(_ issues: [MappingIssue]) -> [SeedIssue] {
        let excerpts = excerpts(around: issues.map(\.offset))
        return issues.map { SeedIssue($0, file: name, excerpt: excerpts[$0.offset]) }
    }

    /// The lines around bytes of the text, as errors show them; without those far into compressed data.
    private func excerpts(around offsets: some Sequence<Int>) -> [Int: SourceExcerpt] {
        guard let file else { return [:] }
        let offsets = Set(offsets).sorted()
        guard isCompressed else {
            let excerpts = offsets.compactMap { offset in file.excerpt(around: offset).map { (offset, $0) } }
            return Dictionary(uniqueKeysWithValues: excerpts)
        }
        let again = InputByteSource(file.descriptor, name: name, stamp: nil)
        let text = try? GzipByteSource(dump: again, name: name, longestText: Gzip.longestText(inFileOf: size))
        return text?.excerpts(around: offsets.prefix { $0 < Self.patience }) ?? [:]
    }

    /// How many bytes of text are unpacked only to say more about an error.
    private static let patience = 512 << 20

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
            // The name is one of the moment; what matters is where it would stand.
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
    /// As many bytes from the start as tell what sort of file it is.
    fileprivate func firstBytes(name: String) throws(SeedError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Gzip.magic.count)
        let count = try bytes.withMutableRawSpan { bytes throws(SeedError) in
            try readBytes(into: &bytes, at: 0, name: name)
        }
        return Array(bytes[..<count])
    }
}
