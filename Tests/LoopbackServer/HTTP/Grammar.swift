/// The rules of RFC 9110 §5.6 that several readers need.
enum Grammar {
    /// Whether a byte is allowed in a token.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether bytes are a token.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isToken) }

    /// Whether a byte is allowed in the value of a field: not a control character except the tab.
    static func isFieldValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f || byte == 0x09 }

    /// Bytes as text: UTF-8, or Latin-1 if they are not UTF-8.
    static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// A field line: a token, a colon immediately after it, and a value (RFC 9112 §5).
    static func field(_ line: UnsafeRawBufferPointer) throws -> Header {
        guard line.first != UInt8(ascii: " "), line.first != UInt8(ascii: "\t") else {
            throw Malformed("a folded header field")
        }
        guard let colon = line.index(of: UInt8(ascii: ":")) else { throw Malformed("a header field without a colon") }
        guard isToken(line[..<colon]) else { throw Malformed("a header name that is no token") }
        guard line[colon...].allSatisfy(isFieldValue) else { throw Malformed("a control character in a header value") }
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        return Header(
            text(UnsafeRawBufferPointer(rebasing: line[..<colon])), text(UnsafeRawBufferPointer(rebasing: value)))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
