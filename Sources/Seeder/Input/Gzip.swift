import ObjectMapping

/// How compressed dumps are known, and how much is believed of them.
enum Gzip {
    /// The first bytes of every gzip file; no JSON text begins so.
    static let magic: [UInt8] = [0x1F, 0x8B]

    /// Whether a file is gzip, by its name or its first bytes.
    static func isUsed(by name: String, startingWith bytes: some Sequence<UInt8>) -> Bool {
        name.lowercased().hasSuffix(suffix) || bytes.starts(with: magic)
    }

    /// A file's name without `.gz`: the rest says what the text is.
    static func innerName(_ name: String) -> String {
        name.lowercased().hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// How many bytes of text a file of so many bytes may hold.
    ///
    /// Deflate packs up to 1,032 bytes of text into one, and records with keys that differ seldom more than 50. What goes
    /// beyond 250 and 64 MiB is made to fill disks; 1 TiB is where the patience of builds ends.
    static func longestText(inFileOf size: Int) -> Int {
        let (product, overflow) = size.multipliedReportingOverflow(by: 250)
        return overflow ? 1 << 40 : min(max(product, 64 << 20), 1 << 40)
    }

    /// The text of a file that is in memory; the bytes themselves if they are not compressed.
    static func text(of bytes: [UInt8], name: String) throws(SeedError) -> [UInt8] {
        guard isUsed(by: name, startingWith: bytes) else { return bytes }
        let limit = longestText(inFileOf: bytes.count)
        let source = try GzipByteSource(MemoryByteSource(bytes), name: name, longestText: limit)
        let block = ByteBlock(count: 64 << 10)
        var text: [UInt8] = []
        do {
            while case let count = try source.read(into: block.bytes), count > 0 {
                text += block.bytes.view.prefix(count)
            }
        } catch { throw error as? SeedError ?? SeedError(.inputOutput, "cannot read \(name): \(error)") }
        return text
    }

    private static let suffix = ".gz"
}
