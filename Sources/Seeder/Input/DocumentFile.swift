package import ObjectMapping
import ObjectStore

/// A JSON file that is read completely.
package struct DocumentFile {
    package let json: JSON

    /// Reads a file, or standard input for `-`, plain or gzip; invalid JSON is an error with its position.
    package init(_ path: String) throws(SeedError) {
        let name = inputName(path)
        let bytes = try readText(of: path)
        do { json = try JSON(bytes) } catch {
            let issues = error.issues.map { issue in
                SeedIssue(issue, file: name, excerpt: SourceExcerpt(bytes: bytes, offset: issue.offset))
            }
            throw SeedError(.badData, issues: issues)
        }
    }
}

/// Returns the name of a path in messages: `-` is standard input.
package func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Reads the text of a file, decompressed if it is gzip; throws `inputMissing` if it cannot be read.
func readText(of path: String) throws(SeedError) -> [UInt8] {
    let (bytes, name) = (try readBytes(of: path), inputName(path))
    guard Gzip.isUsed(by: name, startingWith: bytes) else { return bytes }
    let limit = Gzip.longestText(inFileOf: bytes.count)
    let source = try GzipByteSource(dump: MemoryByteSource(bytes), name: name, longestText: limit)
    return try allBytes(of: source, name: name)
}

/// Returns all bytes of a source.
func allBytes(of source: any ByteSource, name: String) throws(SeedError) -> [UInt8] {
    let block = ByteBlock(count: 64 << 10)
    var source = source
    var text: [UInt8] = []
    do {
        while case let count = try source.read(into: block.bytes), count > 0 { text += block.bytes.view.prefix(count) }
    } catch { throw error as? SeedError ?? SeedError(.inputOutput, "cannot read \(name): \(error)") }
    return text
}

/// Reads the bytes of a file; throws `inputMissing` if it cannot be read.
package func readBytes(of path: String) throws(SeedError) -> [UInt8] {
    var bytes: [UInt8] = []
    switch path == "-" ? nil : try InputKind(of: path, name: path) {
    case nil:
        let name = inputName(path)
        let input = try Descriptor.standardInput(name: name)
        try append(to: &bytes) { buffer throws(SeedError) in try input.readNext(into: &buffer, name: name) }
    case .file:
        let file = try Descriptor(reading: path)
        try append(to: &bytes) { buffer throws(SeedError) in try file.readNext(into: &buffer, name: path) }
    case .pipe:
        var pipe = try PipeReader(path, name: path)
        try append(to: &bytes) { buffer throws(SeedError) in try pipe.readNext(into: &buffer) }
    }
    return bytes
}

private func append(
    to bytes: inout [UInt8], from source: (inout MutableRawSpan) throws(SeedError) -> Int
) throws(SeedError) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = try buffer.withMutableRawSpan(source), count > 0 { bytes += buffer[..<count] }
}
