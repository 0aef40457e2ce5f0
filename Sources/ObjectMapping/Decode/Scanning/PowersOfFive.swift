/// Tables that convert decimal digits to the nearest `Double`, as plain addresses.
struct PowersOfFive: @unchecked Sendable {  // immutable once `shared` is created
    /// Computed for the first number that needs it; most numbers are exact without it.
    private static let five = highestBits()
    /// 1e0 to 1e22, all exact.
    let ten: Ref<Double>

    /// Created once per process and never freed.
    static let shared = PowersOfFive()

    private init() {
        let tens: [Double] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
            1e19, 1e20, 1e21, 1e22,
        ]
        ten = Ref(copying: tens)
    }

    /// Returns the highest 128 bits of each power of five from 5^-342 to 5^308, high word first.
    ///
    /// They are the factors in the algorithm of Eisel and Lemire (Lemire, "Number parsing at a gigabyte per second",
    /// 2021).
    private static func highestBits() -> Ref<UInt64> {
        let (least, greatest) = (-342, 308)
        let words = Ref<UInt64>.allocate(capacity: 2 * (greatest - least + 1))
        func store(_ exponent: Int, _ number: [UInt64], adding more: UInt64 = 0) {
            let top = number.lastIndex { $0 != 0 } ?? 0
            let shift = number[top].leadingZeroBitCount
            func word(_ index: Int) -> UInt64 {
                number[index] << shift | (index > 0 ? number[index - 1] >> (64 - shift) : 0)
            }
            let place = words + 2 * (exponent - least)
            (place + 1).initialize(to: (top > 0 ? word(top - 1) : 0) + more)
            place.initialize(to: word(top))
        }
        // The lowest words are first. 16 of them hold 5^308, and 2^1023 / 5^342 with more than 128 bits.
        var power: [UInt64] = [1] + Array(repeating: 0, count: 15)
        for exponent in 0...greatest {
            store(exponent, power)
            var carry: UInt64 = 0
            for index in power.indices {
                let product = power[index].multipliedFullWidth(by: 5)
                let (sum, isOver) = product.low.addingReportingOverflow(carry)
                (power[index], carry) = (sum, product.high + (isOver ? 1 : 0))
            }
        }
        // Repeated division with rounding down equals one division by the power.
        var inverse: [UInt64] = Array(repeating: 0, count: 15) + [1 << 63]
        for exponent in (least...(-1)).reversed() {
            var rest: UInt64 = 0
            for index in inverse.indices.reversed() {
                (inverse[index], rest) = UInt64(5).dividingFullWidth((rest, inverse[index]))
            }
            store(exponent, inverse, adding: exponent >= -27 ? 1 : 0)
        }
        return words
    }

    /// Returns `digits` times ten to the power of `exponent` with the algorithm of Eisel and Lemire; `nil` if it cannot
    /// decide.
    @inline(__always) func nearest(_ digits: UInt64, _ exponent: Int) -> Double? {
        if digits == 0 { return 0 }
        if exponent < -342 || exponent > 308 { return nil }
        let leadingZeros = digits.leadingZeroBitCount
        let normalized = digits &<< UInt64(leadingZeros)
        let index = 2 &* (exponent &+ 342)
        let five = PowersOfFive.five
        var (high, low) = normalized.multipliedFullWidth(by: five[index])
        if high & 0x1FF == 0x1FF {
            let correction = normalized.multipliedFullWidth(by: five[index &+ 1]).high
            low = low &+ correction
            if correction > low { high = high &+ 1 }
        }
        if low == .max, exponent < -27 || exponent > 55 { return nil }
        let upperBit = Int(high >> 63)
        let shift = UInt64(upperBit &+ 9)
        var mantissa = high &>> shift
        var binaryExponent = ((217_706 &* exponent) >> 16) &+ 63 &+ upperBit &- leadingZeros &+ 1023
        if binaryExponent <= 0 { return nil }
        if low <= 1, -4...23 ~= exponent, mantissa & 3 == 1, mantissa &<< shift == high { mantissa &= ~1 }
        mantissa = (mantissa &+ (mantissa & 1)) >> 1
        if mantissa >= 1 << 53 {
            mantissa = 1 << 52
            binaryExponent &+= 1
        }
        if binaryExponent >= 0x7FF { return nil }
        return Double(bitPattern: (mantissa & ~(1 << 52)) | UInt64(binaryExponent) << 52)
    }
}
