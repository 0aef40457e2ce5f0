/// A decimal number in stored form, compared without loss of precision.
struct DecimalText {
    private var isNegative = false
    /// Digits without leading and trailing zeros, as bytes.
    private var digits: [UInt8] = []
    /// The number is 0.DIGITS times ten to the power of this exponent.
    private var exponent = 0

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
