import ObjectMapping

/// The file of rejected elements, written in pieces.
final class RejectsFile {
    private let file: OutputFile
    private var buffer: [UInt8] = []

    init(at path: OutputPath) throws(SeedError) { file = try OutputFile(for: path) }

    func append(_ element: RejectRecord) throws(SeedError) {
        do { buffer += try element.json } catch {
            throw SeedError(.inputOutput, "cannot write a rejected element: \(error.description)")
        }
        if buffer.count > 64 << 10 { try flush() }
    }

    func synchronize() throws(SeedError) {
        try flush()
        try file.synchronize()
    }

    func commit() throws(SeedError) { try file.commit() }

    private func flush() throws(SeedError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
