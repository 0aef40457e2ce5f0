// HTTP tokens: methods, names of header fields, authentication schemes (RFC 9110 §5.6.2).

/// Whether a byte is valid in a token.
func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

extension String {
    /// Whether the text is a token.
    var isToken: Bool { !isEmpty && utf8.allSatisfy(isTokenByte) }
}
