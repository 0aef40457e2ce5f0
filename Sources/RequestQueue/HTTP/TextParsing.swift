// Percent-encoding by RFC 3986 §2, byte by byte.

/// Whether a byte never needs an escape: letters, digits and `-._~`.
package func isUnreserved(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~".utf8.contains(byte) }

/// Whether a byte is an ASCII letter or digit.
func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit(byte)
    }
}

/// Whether a byte is an ASCII digit.
func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// Whether a byte is a space or tab.
func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// Whether a byte is allowed in a path, including slashes.
func isAllowedInPath(_ byte: UInt8) -> Bool { isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte) }

/// Whether a byte is allowed in a query.
func isAllowedInQuery(_ byte: UInt8) -> Bool { isAllowedInPath(byte) || byte == UInt8(ascii: "?") }

/// Whether a byte is allowed in the scheme of a URL.
func isAllowedInScheme(_ byte: UInt8) -> Bool {
    isUnreserved(byte) && !"_~".utf8.contains(byte) || byte == UInt8(ascii: "+")
}

func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    for digit in [byte >> 4, byte & 15] {
        bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10))
    }
}

/// Percent-escapes the bytes of a text that are not allowed, including `%`.
func appendEscaped(_ text: String, to bytes: inout [UInt8], allowed: (UInt8) -> Bool = isUnreserved) {
    for byte in text.utf8 { if allowed(byte) { bytes.append(byte) } else { appendEscaped(byte, to: &bytes) } }
}

/// Percent-escapes the bytes of a text that are not allowed, by default all but letters, digits and `-._~`.
package func escaped(_ text: String, allowed: (UInt8) -> Bool = isUnreserved) -> String {
    var bytes: [UInt8] = []
    appendEscaped(text, to: &bytes, allowed: allowed)
    return String(decoding: bytes, as: UTF8.self)
}

/// Replaces percent escapes by their bytes, and a `+` by another byte.
func unescaped(_ text: Substring.UTF8View, plus: UInt8 = UInt8(ascii: "+")) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let value = escapedByte(rest.prefix(2)) {
            bytes.append(value)
            rest.removeFirst(2)
        } else {
            bytes.append(byte == UInt8(ascii: "+") ? plus : byte)
        }
    }
    return bytes
}

/// Returns the byte that two hexadecimal digits represent; `nil` if they are invalid.
func escapedByte(_ digits: some Collection<UInt8>) -> UInt8? {
    guard digits.count == 2 else { return nil }
    var value: UInt8 = 0
    for digit in digits {
        guard let number = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
        value = value << 4 | UInt8(number)
    }
    return value
}

/// Percent-escapes the bytes that are not allowed; keeps existing escapes.
func escapedKeepingEscapes(_ bytes: ArraySlice<UInt8>, allowed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    if bytes.allSatisfy(allowed) { return bytes }
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        if allowed(byte) || byte == UInt8(ascii: "%") && escapedByte(rest.prefix(2)) != nil {
            text.append(byte)
        } else {
            appendEscaped(byte, to: &text)
        }
    }
    return text[...]
}

/// Replaces characters, also those before a combining mark, with which they are one `Character`.
func replacing(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
    text.unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
}

/// Returns bytes as text, without leading and trailing spaces and tabs.
func trimmingBlanks(_ text: some BidirectionalCollection<UInt8>) -> String {
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
}

/// Splits bytes at the first equals sign and trims both sides; the value is `nil` without an equals sign.
func nameAndValue(_ text: some BidirectionalCollection<UInt8>) -> (name: String, value: String?) {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return (trimmingBlanks(text), nil) }
    return (trimmingBlanks(text[..<equals]), trimmingBlanks(text[equals...].dropFirst()))
}

// HTTP tokens: methods, names of header fields, authentication schemes (RFC 9110 §5.6.2).

/// Whether a byte is valid in a token.
func isTokenByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }

extension String {
    /// Whether the text is a token.
    var isToken: Bool { !isEmpty && utf8.allSatisfy(isTokenByte) }
}
