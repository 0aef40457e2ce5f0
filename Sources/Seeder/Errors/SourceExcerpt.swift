/// The line around a position in a text, shortened for a terminal.
package struct SourceExcerpt: Sendable, Hashable {
    /// The displayed part of the line: leading whitespace is removed, omissions are marked with an ellipsis, and tabs
    /// and control characters are replaced with spaces.
    package let text: String
    /// The number of characters before the position.
    package let column: Int

    /// The number of bytes around a position that suffice for an excerpt.
    static let reach = 400
    private static let width = 100

    /// Creates the excerpt of the line that contains byte `offset` of `bytes`, which may be a part of a text.
    package init(bytes: some Collection<UInt8>, offset: Int) {
        let bytes = Array(bytes)
        let place = Swift.min(Swift.max(offset, 0), bytes.count)
        let start = bytes[..<place].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[place...].firstIndex(of: newline) ?? bytes.count
        let before = Array(Self.characters(bytes[start..<place]).drop { $0 == " " })
        let after = Self.characters(bytes[place..<end])
        let kept = Swift.min(before.count, Swift.max(Self.width / 2, Self.width - after.count) - 1)
        let rest = Self.width - kept
        let head = kept < before.count ? ["…"] + before.suffix(Swift.max(kept - 1, 0)) : before
        text = (head + (after.count > rest ? after.prefix(rest - 1) + ["…"] : after)).map(String.init).joined()
        column = head.count
    }

    /// The line, and a line with a caret under the position; empty for an empty line.
    package var lines: [String] { text.isEmpty ? [] : [text, String(repeating: " ", count: column) + "^"] }

    private static func characters(_ bytes: ArraySlice<UInt8>) -> [Character] {
        Array(String(decoding: bytes, as: UTF8.self).withoutControls)
    }
}

extension String {
    /// The text with spaces instead of control characters, for a terminal.
    package var withoutControls: String {
        String(
            map { character in
                character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : character
            })
    }
}

private let newline = UInt8(ascii: "\n")
