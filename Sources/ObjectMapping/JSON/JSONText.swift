/// Writing of single JSON tokens.
package enum JSONText {
    /// A string in quotes, escaped as RFC 8259 asks: quotes, backslashes and control characters only.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Calls a closure with the bytes of a sound text but for the blanks between its tokens.
    package static func forEachByteButBlanks(of text: some Sequence<UInt8>, _ body: (UInt8) -> Void) {
        var isString = false
        var isEscaped = false
        for byte in text {
            if !isString, byte <= 0x20 { continue }
            body(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isString.toggle()
            }
        }
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

extension JSONText {
    /// The text of a string between its quotes; what is no sound escape or UTF-8 is repaired.
    package static func unescaped(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt8] = []
        units.reserveCapacity(bytes.count)
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                units.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"):
                var value = codeUnit(&rest)
                if 0xD800..<0xDC00 ~= value, rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
                    var ahead = rest.dropFirst(2)
                    let second = codeUnit(&ahead)
                    if 0xDC00..<0xE000 ~= second {
                        value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
                        rest = ahead
                    }
                }
                units += Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
            default: units.append(escape)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 4 | (rest.popFirst()?.hexadecimalDigit ?? 0) }
        return value
    }
}
