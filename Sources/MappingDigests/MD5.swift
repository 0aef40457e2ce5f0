import MappingSystemCalls

/// MD5 (RFC 1321) in Swift, for checksums that other systems require; it is not secure.
package struct PortableMD5: Digest {
    private var buffer = BlockBuffer()
    private var state: State = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

    private typealias State = (UInt32, UInt32, UInt32, UInt32)

    package init() {}

    package mutating func update(_ bytes: RawSpan) {
        buffer.append(bytes) { Self.compress($0, into: &state) }
    }

    package mutating func finalize() -> [UInt8] {
        buffer.finish(bigEndianLength: false) { Self.compress($0, into: &state) }
        let words = [state.0, state.1, state.2, state.3]
        return words.flatMap { word in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    }

    private static func compress(_ blocks: RawSpan, into state: inout State) {
        let sines = sines.span
        precondition(sines.count == 64)  // lets the compiler remove the bounds checks in `mix`
        for start in stride(from: 0, to: blocks.byteCount, by: 64) {
            mix(blocks.extracting(start..<start + 64), sines, into: &state)
        }
    }

    @inline(__always)
    private static func mix(_ block: RawSpan, _ sines: Span<UInt32>, into state: inout State) {
        @inline(__always)
        func word(_ index: Int, _ round: Int) -> UInt32 {
            UInt32(littleEndian: block.word(at: (index & 15) * 4)) &+ sines[round]
        }
        @inline(__always)
        func step(_ a: inout UInt32, _ b: UInt32, _ mixed: UInt32, _ word: UInt32, _ shift: UInt32) {
            let sum = a &+ mixed &+ word
            a = b &+ ((sum &<< shift) | (sum &>> (32 &- shift)))
        }
        var (a, b, c, d) = state
        // Four rounds per iteration, so that the variables rotate without copies.
        for i in stride(from: 0, to: 16, by: 4) {
            step(&a, b, d ^ (b & (c ^ d)), word(i, i), 7)
            step(&d, a, c ^ (a & (b ^ c)), word(i + 1, i + 1), 12)
            step(&c, d, b ^ (d & (a ^ b)), word(i + 2, i + 2), 17)
            step(&b, c, a ^ (c & (d ^ a)), word(i + 3, i + 3), 22)
        }
        for i in stride(from: 16, to: 32, by: 4) {
            step(&a, b, c ^ (d & (b ^ c)), word(5 * i + 1, i), 5)
            step(&d, a, b ^ (c & (a ^ b)), word(5 * i + 6, i + 1), 9)
            step(&c, d, a ^ (b & (d ^ a)), word(5 * i + 11, i + 2), 14)
            step(&b, c, d ^ (a & (c ^ d)), word(5 * i + 16, i + 3), 20)
        }
        for i in stride(from: 32, to: 48, by: 4) {
            step(&a, b, b ^ c ^ d, word(3 * i + 5, i), 4)
            step(&d, a, a ^ b ^ c, word(3 * i + 8, i + 1), 11)
            step(&c, d, d ^ a ^ b, word(3 * i + 11, i + 2), 16)
            step(&b, c, c ^ d ^ a, word(3 * i + 14, i + 3), 23)
        }
        for i in stride(from: 48, to: 64, by: 4) {
            step(&a, b, c ^ (b | ~d), word(7 * i, i), 6)
            step(&d, a, b ^ (a | ~c), word(7 * i + 7, i + 1), 10)
            step(&c, d, a ^ (d | ~b), word(7 * i + 14, i + 2), 15)
            step(&b, c, d ^ (c | ~a), word(7 * i + 21, i + 3), 21)
        }
        state.0 &+= a
        state.1 &+= b
        state.2 &+= c
        state.3 &+= d
    }

    // An `Array` has a span only since macOS 26 and iOS 26.
    private static let sines: ContiguousArray<UInt32> = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}
