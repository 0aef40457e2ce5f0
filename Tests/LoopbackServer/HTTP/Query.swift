/// The parameters of a target, such as "?n=5&chunked=1"; the last one of repeated names is used.
package struct Query {
    /// The parameters in their order.
    package let items: [(name: String, value: String)]

    package init(_ text: String) {
        items = text.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let value = item[mark...].dropFirst()
            return (
                percentDecoded(item[..<mark]) ?? String(item[..<mark]) ?? "",
                percentDecoded(value) ?? String(value) ?? ""
            )
        }
    }

    subscript(name: String) -> String? { items.last { $0.name == name }?.value }

    /// A number that is not negative and not too large for arithmetic.
    func number(_ name: String, _ standard: Int = 0) -> Int {
        self[name].flatMap { Int($0) }.map { min(max(0, $0), 1 << 40) } ?? standard
    }

    /// Whether a parameter exists and is not "0".
    func flag(_ name: String) -> Bool { self[name].map { $0 != "0" } ?? false }
}

/// Text without percent escapes; nil if one of them is not two hexadecimal digits, or the text is not UTF-8.
func percentDecoded(_ text: some Collection<UInt8>) -> String? {
    guard text.contains(UInt8(ascii: "%")) else { return String(validating: text, as: UTF8.self) }
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(hexadecimalDigit), let low = rest.popFirst().flatMap(hexadecimalDigit)
        else { return nil }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
}

/// The value of a hexadecimal digit.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
