import ObjectMapping

/// A decimal number in stored form, compared without loss of precision.
struct DecimalText {
    fileprivate var isNegative = false
    /// Digits without leading and trailing zeros, as bytes.
    fileprivate var digits: [UInt8] = []
    /// The number is 0.DIGITS times ten to the power of this exponent.
    fileprivate var exponent = 0

    /// Parses a number; `nil` if the text is not a number.
    init?(_ text: some Collection<UInt8>) {
        var rest = text[...]
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest = rest.dropFirst()
        }
        var hasDigits = false
        var hasPoint = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                hasDigits = true
                if !digits.isEmpty || byte != UInt8(ascii: "0") {
                    digits.append(byte)
                    if !hasPoint { exponent += 1 }
                } else if hasPoint {
                    exponent -= 1
                }
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard hasDigits else { return nil }
        if let byte = rest.first {
            guard byte | 0x20 == UInt8(ascii: "e"),
                let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), abs(power) < 1_000_000
            else { return nil }
            exponent += power
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    /// Returns -1, 0 or 1: numbers are compared by value, and precede other texts, which are compared by their bytes.
    static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
        switch (DecimalText(a), DecimalText(b)) {
        case (let a?, let b?): a.compare(b)
        case (_?, nil): -1
        case (nil, _?): 1
        case (nil, nil): a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        }
    }

    /// The same text for equal numbers.
    var canonical: String {
        digits.isEmpty ? "0" : "\(isNegative ? "-" : "")0.\(String(decoding: digits, as: UTF8.self))e\(exponent)"
    }

    private func compare(_ other: DecimalText) -> Int {
        guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        let sign = isNegative ? -1 : 1
        if digits.isEmpty || other.digits.isEmpty {
            return digits.isEmpty ? (other.digits.isEmpty ? 0 : -sign) : sign
        }
        guard exponent == other.exponent else { return exponent < other.exponent ? -sign : sign }
        // Fractions: a missing digit is the smallest.
        return digits == other.digits ? 0 : digits.lexicographicallyPrecedes(other.digits) ? -sign : sign
    }
}

extension StoredValue {
    /// The same text for all texts of one decimal number; other values are unchanged.
    var canonicalDecimal: StoredValue {
        guard case .text(let text) = self, let number = DecimalText(text.utf8) else { return self }
        return .text(number.canonical)
    }
}

/// The sum of decimal numbers, without loss of precision.
struct DecimalSum {
    /// Sums of digits by their power of ten, from the lowest one.
    private var sums = Array(repeating: 0, count: 2 * Self.range)
    /// The powers of ten of `Decimal` are fewer.
    private static let range = 300
    /// Whether all values are numbers in this range.
    private var isExact = true

    mutating func add(_ text: String) {
        guard let number = DecimalText(text.utf8) else { return isExact = false }
        let first = Self.range + number.exponent - 1
        guard number.digits.isEmpty || first < sums.count && first - number.digits.count >= -1 else {
            return isExact = false
        }
        for (index, digit) in number.digits.enumerated() {
            let value = Int(digit) - 0x30
            sums[first - index] += number.isNegative ? -value : value
        }
    }

    /// The sum; `nil` if it has more digits than `Decimal` supports.
    var decimal: Decimal? {
        guard isExact else { return nil }
        let isNegative = carried(1).carry < 0
        let (digits, carry) = carried(isNegative ? -1 : 1)
        guard carry >= 0 else { return nil }
        let text = "\(isNegative ? "-" : "")\(carry)\(digits.reversed().map(String.init).joined())e-\(Self.range)"
        guard let exact = DecimalText(text.utf8), let decimal = Decimal(string: exact.canonical) else { return nil }
        return DecimalText.compare("\(decimal)".utf8, text.utf8) == 0 ? decimal : nil
    }

    /// Returns the digits of the sum, or of its opposite, from the lowest power, and what exceeds the highest one.
    private func carried(_ sign: Int) -> (digits: [Int], carry: Int) {
        var carry = 0
        let digits = sums.map { sum in
            let value = sum * sign + carry
            // Rounded down, so that digits are positive.
            carry = value >= 0 ? value / 10 : (value - 9) / 10
            return value - carry * 10
        }
        return (digits, carry)
    }
}
