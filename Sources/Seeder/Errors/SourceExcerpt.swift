/// The line of a text around a place in it, cut to what a terminal shows, and where the place is in it.
package struct SourceExcerpt: Sendable, Hashable {
    /// The part of the line that is shown: blanks at its start dropped, an ellipsis where it was cut, tabs and control
    /// characters as blanks.
    package let text: String
    /// Characters before the place.
    package let column: Int

    /// How many bytes around a place are enough for an excerpt.
    static let reach = 400
    private static let width = 100

    /// The excerpt of the line that holds byte `offset` of `bytes`; a piece of a text will do.
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

    /// The line and, below it, a caret under the place; nothing of an empty line.
    package var lines: [String] { text.isEmpty ? [] : [text, String(repeating: " ", count: column) + "^"] }

    private static func characters(_ bytes: ArraySlice<UInt8>) -> [Character] {
        Array(String(decoding: bytes, as: UTF8.self).withoutControls)
    }
}

extension String {
    /// The text with a blank in the place of every control character, for a terminal.
    package var withoutControls: String {
        String(
            map { character in
                character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : character
            })
    }
}

private let newline = UInt8(ascii: "\n")
