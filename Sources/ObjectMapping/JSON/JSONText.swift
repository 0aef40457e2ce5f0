/// Writing of single JSON tokens.
package enum JSONText {
    /// A string in quotes, escaped as RFC 8259 asks: quotes, backslashes and control characters only.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a string in quotes.
    package static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0..<0x20: bytes += Array("\\u00".utf8) + [hex(byte >> 4), hex(byte & 15)]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
