/// A number of JSON by its exact value: `digits` times ten to the power of `exponent`.
struct PlainNumber: Equatable, CustomStringConvertible {
    var isNegative = false
    /// Without zeros at either end; empty for zero.
    var digits = ""
    var exponent = 0

    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        digits = String(mantissa[0]) + fraction
        // Larger exponents are practically infinite.
        let power = parts.count > 1 ? Int(parts[1].filter { $0 != "+" }) : 0
        exponent = (power ?? (parts.last?.hasPrefix("-") == true ? -1_000_000_000 : 1_000_000_000)) - fraction.count
        while digits.hasSuffix("0") {
            digits.removeLast()
            exponent += 1
        }
        digits = String(digits.drop { $0 == "0" })
        isNegative = text.hasPrefix("-") && !digits.isEmpty
        if digits.isEmpty { exponent = 0 }
    }

    var description: String { (isNegative ? "-" : "") + "\(digits)e\(exponent)" }

    var hasFraction: Bool { exponent < 0 }

    /// The value, if it is an integer in range.
    var integer: Int128? {
        guard !hasFraction, digits.count + exponent <= 40 else { return nil }
        if digits.isEmpty { return 0 }
        return Int128((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }

    static func < (a: PlainNumber, b: PlainNumber) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        return a.isNegative ? magnitude(b, isBelow: a) : magnitude(a, isBelow: b)
    }

    private static func magnitude(_ a: PlainNumber, isBelow b: PlainNumber) -> Bool {
        if a.digits.isEmpty || b.digits.isEmpty { return a.digits.isEmpty && !b.digits.isEmpty }
        let (sizeA, sizeB) = (a.digits.count + a.exponent, b.digits.count + b.exponent)
        return sizeA == sizeB ? a.digits < b.digits : sizeA < sizeB
    }
}
