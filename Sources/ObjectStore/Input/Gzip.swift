/// Detects compressed files, and limits their text.
package enum Gzip {
    /// The first bytes of every gzip file; they are invalid in JSON.
    package static let magic: [UInt8] = [0x1F, 0x8B]

    /// Whether a file is gzip, by its name or its first bytes.
    package static func isUsed(by name: String, startingWith bytes: some Sequence<UInt8>) -> Bool {
        name.lowercased().hasSuffix(suffix) || bytes.starts(with: magic)
    }

    /// Returns a file's name without `.gz`, which determines the type of its text.
    package static func innerName(_ name: String) -> String {
        name.lowercased().hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// Returns the maximum length of the text for a file size.
    ///
    /// Deflate compresses up to 1,032 bytes into one, but records rarely more than 50. A text of more than 64 MiB and
    /// 250 times the size of its file is probably an attack; more than 1 TiB is not supported.
    package static func longestText(inFileOf size: Int) -> Int {
        let (product, overflow) = size.multipliedReportingOverflow(by: 250)
        return overflow ? longestText : min(max(product, 64 << 20), longestText)
    }

    /// 1 TiB, or what `Int` can represent.
    private static let longestText = Int(clamping: Int64(1) << 40)
    private static let suffix = ".gz"
}
