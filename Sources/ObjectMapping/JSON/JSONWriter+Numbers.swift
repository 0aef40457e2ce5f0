extension JSONWriter {
    /// Writes an integer of up to 64 bits.
    @inline(__always) mutating func integer(_ value: some FixedWidthInteger) {
        if value < 0 { buffer.append(UInt8(ascii: "-")) }
        magnitude(UInt64(truncatingIfNeeded: value.magnitude))
    }

    @inline(__always) private mutating func magnitude(_ value: UInt64) {
        if value < 100_000_000 { leading(value) } else { large(value) }
    }

    @inline(never) private mutating func large(_ value: UInt64) {
        let (rest, last) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if rest < 100_000_000 {
            leading(rest)
        } else {
            leading(rest / 100_000_000)
            eight(rest % 100_000_000)
        }
        eight(last)
    }

    /// Writes a number below 10^8 without leading zeros.
    @inline(__always) private mutating func leading(_ value: UInt64) {
        let digits = decimalDigits(value)
        let zeros = min(7, digits.trailingZeroBitCount >> 3)
        buffer.append((digits | 0x3030_3030_3030_3030) &>> UInt64(zeros &* 8), 8 &- zeros)
    }

    /// Writes a number below 10^8 with eight digits.
    @inline(__always) private mutating func eight(_ value: UInt64) {
        buffer.append(decimalDigits(value) | 0x3030_3030_3030_3030, 8)
    }

    /// Writes the shortest number that is read back as the same value; it must be finite.
    mutating func double(_ value: Double) {
        if let integer = Int64(exactly: value), integer.magnitude < 1 << 53, integer != 0 || value.sign == .plus {
            return self.integer(integer)
        }
        // As 1234 / 100: both are exact, so the quotient is the double nearest to 12.34, and with up to 15 digits no
        // shorter number has the same nearest double.
        let magnitude = value.magnitude
        if 1e-3 <= magnitude, magnitude < 1e9 {
            var power = 10.0
            var digits = 1
            while digits <= 6 {
                let scaled = (magnitude * power).rounded()
                if scaled / power == magnitude { return fraction(value.sign, UInt64(scaled), UInt64(power), digits) }
                power *= 10
                digits &+= 1
            }
        }
        raw("\(value)")
    }

    private mutating func fraction(_ sign: FloatingPointSign, _ scaled: UInt64, _ power: UInt64, _ digits: Int) {
        if sign == .minus { buffer.append(UInt8(ascii: "-")) }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: power)
        magnitude(whole)
        buffer.append(UInt8(ascii: "."))
        let fraction = (decimalDigits(rest) | 0x3030_3030_3030_3030) &>> UInt64((8 &- digits) &* 8)
        buffer.append(fraction, digits)
    }

    /// Writes the shortest number that is read back as the same value; it must be finite.
    mutating func float(_ value: Float) {
        if let integer = Int32(exactly: value), integer.magnitude < 1 << 24, integer != 0 || value.sign == .plus {
            self.integer(integer)
        } else {
            raw("\(value)")
        }
    }
}

/// Returns the digits of a number below 10^8, the first one in the lowest byte: split into fours, twos and ones in
/// parallel.
@inline(__always) func decimalDigits(_ value: UInt64) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
}

extension JSONWriter {
    /// Writes a finite date in ISO 8601 in UTC with milliseconds, such as `"2026-11-21T07:23:00.000Z"`.
    ///
    /// Outside the years 0 to 9999, it writes the seconds since 1970.
    mutating func date(_ date: Date) {
        let start = count
        buffer.append(.quote)
        if ISODate.append(date, to: &buffer) { return buffer.append(.quote) }
        truncate(to: start)
        double(date.timeIntervalSince1970)
    }
}
