/// The exact value of a number in JSON: `digits` times ten to the power of `exponent`.
package struct NumberText: Hashable {
    let isNegative: Bool
    /// Decimal digits, each 0...9, without leading and trailing zeros; empty for zero.
    let digits: [UInt8]
    let exponent: Int

    /// Larger exponents are treated as equal; ten times the limit fits into 32 bits.
    private static let exponentLimit = 100_000_000

    /// Parses a number that is valid by the grammar.
    init(_ text: String) {
        var digits: [UInt8] = []
        var (scale, power) = (0, 0)
        var (isNegative, isFraction, isExponent, hasNegativePower) = (false, false, false, false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): if isExponent { hasNegativePower = true } else { isNegative = true }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            case UInt8(ascii: "+"): break
            case _ where isExponent: power = min(power * 10 + Int(byte - UInt8(ascii: "0")), Self.exponentLimit)
            default:
                if isFraction { scale += 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte - UInt8(ascii: "0")) }
            }
        }
        var exponent = (hasNegativePower ? -power : power) - scale
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        self.isNegative = isNegative && !digits.isEmpty
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    init(_ value: Int64) { self.init(String(value)) }

    /// Returns the value as an integer type; `nil` if it has a fraction or is out of range.
    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
        guard exponent >= 0, digits.count + exponent <= 40 else { return nil }
        var value: T = 0
        for digit in digits + Array(repeating: 0, count: exponent) {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, overflow2) =
                isNegative ? shifted.subtractingReportingOverflow(T(digit)) : shifted.addingReportingOverflow(T(digit))
            if overflow || overflow2 { return nil }
            value = next
        }
        return value
    }

    /// The value as a decimal; `nil` if no `Decimal` has exactly this value.
    var decimal: Decimal? {
        guard digits.count <= 38, -128...127 ~= exponent else { return longDecimal }
        var value = Decimal(0)
        // Eighteen digits at a time fit into an `Int64`, and no step is rounded.
        for start in stride(from: 0, to: digits.count, by: 18) {
            let chunk = digits[start..<min(start + 18, digits.count)]
            let shift = Decimal(sign: .plus, exponent: chunk.count, significand: value)
            value = shift + Decimal(chunk.reduce(Int64(0)) { $0 * 10 + Int64($1) })
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: value)
    }

    /// The value as a decimal with 39 digits, or with trailing zeros in its significand.
    private var longDecimal: Decimal? {
        guard digits.count <= 39, -128...165 ~= exponent else { return nil }
        let zeros = Array(repeating: UInt8(0), count: max(0, exponent - 127))
        let significand = (digits + zeros).map(String.init).joined()
        let value = Decimal(string: "\(isNegative ? "-" : "")\(significand)e\(exponent - zeros.count)")
        // A number above the largest significand is rounded.
        return value.flatMap { NumberText("\($0)") == self ? $0 : nil }
    }

    static func < (a: NumberText, b: NumberText) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        return a.isNegative ? b.isSmaller(than: a) : a.isSmaller(than: b)
    }

    /// Compares the absolute values.
    private func isSmaller(than other: NumberText) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let (magnitude, otherMagnitude) = (digits.count + exponent, other.digits.count + other.exponent)
        if magnitude != otherMagnitude { return magnitude < otherMagnitude }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}

extension NumberText {
    /// Whether the nearest `Double` to a number does not keep its digits.
    ///
    /// The digits that a program prints for a `Double` are not lost, even if fewer would suffice: `0.1` and
    /// `0.10000000000000001` are kept, `0.12345678901234567890` is not.
    package static func losesDigits(_ text: String, as double: Double) -> Bool {
        let number = NumberText(text)
        // Fifteen digits always survive.
        guard number.digits.count > 15, double.isFinite, number != NumberText("\(double)") else { return false }
        // The first 18 digits as an integer, and the difference to the double in units of the last of them.
        let digits = number.digits.prefix(18)
        let whole = digits.reduce(Int64(0)) { $0 * 10 + Int64($1) }
        let shift = -number.exponent - (number.digits.count - digits.count)
        guard 0...22 ~= shift else { return true }
        // Powers of ten up to 22 are exact.
        let power = (0..<shift).reduce(1.0) { value, _ in value * 10 }
        let product = abs(double) * power
        let error = (-product).addingProduct(abs(double), power)
        let high = Double(whole)
        let rest = number.digits.dropFirst(18).prefix(15).reversed().reduce(0.0) { ($0 + Double($1)) / 10 }
        let difference = (high - product) + Double(whole - Int64(high)) - error + rest
        // Many programs print 17 digits, of which the last can be off by one.
        let count = number.digits.count
        return abs(difference) > (count > 18 ? 0.06 : count == 17 ? 1 : 0.5)
    }
}
