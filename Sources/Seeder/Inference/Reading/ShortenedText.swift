import ObjectMapping

/// The text of an element whose long strings are replaced by their start and a hash.
///
/// Statistics compare strings by hashes, and the form of a string of this length is that of its start. A copy of each
/// long string would take more memory than a build.
struct ShortenedText {
    private(set) var bytes: [UInt8]
    /// Longer strings are shortened.
    private static let longest = 1 << 16

    /// - Parameter text: A valid JSON value.
    init(_ text: ByteView) {
        guard text.count > Self.longest else {
            bytes = Array(text)
            return
        }
        bytes = []
        let quote = UInt8(ascii: "\"")
        var rest = text
        while let start = rest.firstIndex(of: quote, from: 0) {
            let end = Self.end(ofStringIn: rest, after: start + 1)
            bytes += rest.prefix(start + 1)
            let content = rest.part(start + 1..<end)
            if content.count <= Self.longest {
                bytes += content
            } else {
                let prefix = content.prefix(Self.boundary(in: content))
                let hash = String(StableHash.of(content.dropFirst(prefix.count)), radix: 16)
                bytes += prefix
                bytes += (String(repeating: "0", count: 16 - hash.count) + hash).utf8
            }
            bytes.append(quote)
            rest = rest.dropFirst(end + 1)
        }
        bytes += rest
    }

    /// Returns the index of the quote at the end of a string.
    private static func end(ofStringIn text: ByteView, after start: Int) -> Int {
        var index = start
        while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: index) {
            let backslashes = text.part(start..<quote).reversed().prefix { $0 == UInt8(ascii: "\\") }.count
            if backslashes.isMultiple(of: 2) { return quote }
            index = quote + 1
        }
        return text.count
    }

    /// Returns the length of the start of a long string, which ends after a character.
    private static func boundary(in content: ByteView) -> Int {
        var index = 0
        while index < longest {
            guard content[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            // A surrogate pair has two escapes.
            let isUnicode = content[index + 1] == UInt8(ascii: "u")
            let isPair =
                isUnicode && content[index + 2] | 0x20 == UInt8(ascii: "d") && content[index + 3] > UInt8(ascii: "7")
            index += isPair ? 12 : isUnicode ? 6 : 2
        }
        while index < content.count, content[index] & 0xC0 == 0x80 { index += 1 }
        return min(index, content.count)
    }
}
