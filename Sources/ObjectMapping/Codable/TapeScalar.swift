/// A type that is decoded from one token: a number, a string or a Boolean.
protocol TapeScalar: Decodable {
    /// Reads the token at a place; returns `nil` if it is invalid for the type.
    static func read(_ tape: DecodingTape, _ place: Int) -> Self?

    /// Returns the reason why the token is invalid.
    static func tapeError(_ tape: DecodingTape, _ place: Int) -> TapeError
}

extension Bool: TapeScalar {
    @inline(__always) static func read(_ tape: DecodingTape, _ place: Int) -> Bool? {
        switch tape.tokens.token(place).kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    static func tapeError(_ tape: DecodingTape, _ place: Int) -> TapeError {
        TapeError(tape, place, expected: "a boolean")
    }
}

extension String: TapeScalar {
    @inline(__always) static func read(_ tape: DecodingTape, _ place: Int) -> String? { tape.tokens.string(place) }

    static func tapeError(_ tape: DecodingTape, _ place: Int) -> TapeError {
        TapeError(tape, place, expected: "a string")
    }
}

// MARK: Integers

extension TapeScalar where Self: FixedWidthInteger {
    @inline(__always) static func read(_ tape: DecodingTape, _ place: Int) -> Self? {
        let token = tape.tokens.token(place)
        guard token.kind == .integer else { return unusual(tape, place) }
        var value: Self = 0
        return scanInteger(tape.tokens.text + token.offset, &value) == nil ? nil : value
    }

    @inline(never) private static func unusual(_ tape: DecodingTape, _ place: Int) -> Self? {
        tape.tokens.integer(place)
    }

    static func tapeError(_ tape: DecodingTape, _ place: Int) -> TapeError {
        guard tape.tokens.token(place).isNumber else { return TapeError(tape, place, expected: "an integer") }
        let isFraction = NumberText(tape.tokens.numberText(place)).exponent < 0
        return TapeError(
            tape, place, isFraction ? .fraction : .outOfRange,
            expected: isFraction || Self.self == Int.self && bitWidth == 64
                ? "an integer" : "an integer from \(min) to \(max)")
    }
}

extension Int: TapeScalar {}
extension Int8: TapeScalar {}
extension Int16: TapeScalar {}
extension Int32: TapeScalar {}
extension Int64: TapeScalar {}
extension Int128: TapeScalar {}
extension UInt: TapeScalar {}
extension UInt8: TapeScalar {}
extension UInt16: TapeScalar {}
extension UInt32: TapeScalar {}
extension UInt64: TapeScalar {}
extension UInt128: TapeScalar {}

// MARK: Floating point

/// `Double` and `Float`.
protocol TapeFloat: TapeScalar, BinaryFloatingPoint {
    /// Returns the number nearest to that of a token; `nil` for overflow.
    static func nearest(_ tape: DecodingTape, _ token: Token) -> Self?
}

extension TapeFloat {
    @inline(__always) static func read(_ tape: DecodingTape, _ place: Int) -> Self? {
        let token = tape.tokens.token(place)
        guard token.isNumber else { return nonConforming(tape, place) }
        guard let value = nearest(tape, token) else { return nil }
        return value != 0 || isZero(tape, token) ? value : nil
    }

    /// Whether a number that was read as zero is zero: underflow is an error.
    @inline(never) private static func isZero(_ tape: DecodingTape, _ token: Token) -> Bool {
        (tape.tokens.text + token.offset).raw(token.length(in: tape.tokens.text))
            .prefix { $0 | 0x20 != UInt8(ascii: "e") }
            .allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0) }
    }

    /// Returns the value of a text in the strategy.
    @inline(never) private static func nonConforming(_ tape: DecodingTape, _ place: Int) -> Self? {
        guard case .convertFromString(let positive, let negative, let nan) = tape.settings.nonConformingFloats,
            let text = tape.tokens.string(place)
        else { return nil }
        switch ExactText(text: text) {
        case ExactText(text: positive): return .infinity
        case ExactText(text: negative): return -.infinity
        case ExactText(text: nan): return .nan
        default: return nil
        }
    }

    static func tapeError(_ tape: DecodingTape, _ place: Int) -> TapeError {
        TapeError(tape, place, tape.tokens.token(place).isNumber ? .outOfRange : nil, expected: "a number")
    }
}

extension Double: TapeFloat {
    @inline(__always) static func nearest(_ tape: DecodingTape, _ token: Token) -> Double? {
        var value = 0.0
        return scanDouble(tape.tokens.text + token.offset, &value, tape.powers) == nil ? nil : value
    }
}

extension Float: TapeFloat {
    static func nearest(_ tape: DecodingTape, _ token: Token) -> Float? {
        guard let double = Double.nearest(tape, token) else { return nil }
        // Rounding twice is wrong only next to the middle of two floats.
        let rest = double.bitPattern & 0x1FFF_FFFF
        let isSafe = !(0x0FFF_FFFF...0x1000_0001 ~= rest) && double.magnitude >= Double(Float.leastNormalMagnitude)
        let value =
            isSafe || double == 0
            ? Float(double) : Float(makeString(tape.tokens.text + token.offset, token.length(in: tape.tokens.text)))
        return value.flatMap { $0.isFinite ? $0 : nil }
    }
}
