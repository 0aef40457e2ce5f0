/// How compressed files are recognized, and how much text they may hold.
package enum Gzip {
    /// The first bytes of every gzip file; no JSON text begins so.
    package static let magic: [UInt8] = [0x1F, 0x8B]

    /// Whether a file is gzip, by its name or its first bytes.
    package static func isUsed(by name: String, startingWith bytes: some Sequence<UInt8>) -> Bool {
        name.lowercased().hasSuffix(suffix) || bytes.starts(with: magic)
    }

    /// A file's name without `.gz`: the rest says what the text is.
    package static func innerName(_ name: String) -> String {
        name.lowercased().hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// How many bytes of text a file of so many bytes may hold.
    ///
    /// Deflate packs up to 1,032 bytes of text into one, records seldom more than 50. A text of more than 64 MiB and 250
    /// times the size of its file was made to fill disks; more than 1 TiB is never read.
    package static func longestText(inFileOf size: Int) -> Int {
        let (product, overflow) = size.multipliedReportingOverflow(by: 250)
        return overflow ? 1 << 40 : min(max(product, 64 << 20), 1 << 40)
    }

    private static let suffix = ".gz"
}
