/// One token of a text, in eight bytes: what it is, where it begins, and how long it is between its quotes.
///
/// An object or array is two words: the second one tells where its tokens end and how many members it has.
struct Token {
    enum Kind: UInt64 {
        /// A string of ASCII without escapes; the bytes are the text.
        case plainString
        /// A string without escapes; the bytes are the text.
        case string
        case escapedString
        /// A number of at most 18 digits without fraction and exponent.
        case integer
        case number
        case `true`, `false`, null
        case object, array
    }

    let word: UInt64

    /// A longer string is measured anew.
    private static var longest: Int { 0xFFF_FFFF }
    /// Behind a text of this length places do not fit.
    static var longestText: Int { 0xFFFF_FFFF }

    init(_ word: UInt64) { self.word = word }

    @inline(__always) init(_ kind: Kind, offset: Int, length: Int = 0) {
        word =
            kind.rawValue | UInt64(truncatingIfNeeded: min(length, Token.longest)) << 4
            | UInt64(truncatingIfNeeded: offset) << 32
    }

    @inline(__always) var kind: Kind { Kind(rawValue: word & 15).unsafelyUnwrapped }
    /// Bytes before the token.
    @inline(__always) var offset: Int { Int(truncatingIfNeeded: word >> 32) }
    @inline(__always) var isContainer: Bool { word & 15 >= Kind.object.rawValue }
    @inline(__always) var isNull: Bool { word & 15 == Kind.null.rawValue }

    /// Bytes of a number, or of a string without its quotes.
    @inline(__always) func length(in text: Bytes) -> Int {
        let length = Int(truncatingIfNeeded: word >> 4) & Token.longest
        return length < Token.longest ? length : measured(in: text)
    }

    @inline(never) private func measured(in text: Bytes) -> Int {
        let start = text + offset + 1
        return skipString(start).map { $0 - 1 - start } ?? 0
    }

    /// Whether the token is a string whose bytes are the text, of a length.
    @inline(__always) func isPlainString(ofLength length: Int) -> Bool {
        word & 0xFFFF_FFFF == Kind.plainString.rawValue | UInt64(truncatingIfNeeded: length) << 4
    }

    /// The kind in words.
    var kindName: String {
        switch kind {
        case .plainString, .string, .escapedString: "a string"
        case .integer, .number: "a number"
        case .true, .false: "a boolean"
        case .null: "null"
        case .object: "an object"
        case .array: "an array"
        }
    }
}
