import CMappingSHA256
import MappingSystemCalls

/// SHA-256 (FIPS 180-4) for platforms without a system library of digests.
///
/// Uses the processor's SHA-256 instructions if available, and Swift otherwise.
package struct PortableSHA256: Digest {
    /// Compresses the blocks of a message.
    enum Implementation: CaseIterable {
        /// The SHA-256 instructions of x86 and ARMv8.
        case processor
        /// Swift, for all other processors.
        case swift

        /// The fastest implementation that this processor supports.
        static let preferred: Self = mappingkit_sha256_is_available() ? .processor : .swift

        /// The implementations that this processor supports.
        static var available: [Self] { preferred == .processor ? allCases : [.swift] }
    }

    private let implementation: Implementation
    private var buffer = BlockBuffer()
    private var state: State = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )

    typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

    package init() { self.init(.preferred) }

    init(_ implementation: Implementation) { self.implementation = implementation }

    package mutating func update(_ bytes: RawSpan) {
        buffer.append(bytes) { Self.compress($0, into: &state, by: implementation) }
    }

    package mutating func finalize() -> [UInt8] {
        buffer.finish(bigEndianLength: true) { Self.compress($0, into: &state, by: implementation) }
        let words = [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7]
        return words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    }

    private static func compress(_ blocks: RawSpan, into state: inout State, by implementation: Implementation) {
        switch implementation {
        case .processor: compressByProcessor(blocks, into: &state)
        case .swift: compress(blocks, into: &state)
        }
    }

    private static func compress(_ blocks: RawSpan, into state: inout State) {
        let constants = roundConstants.span
        // An `Array` has a span only since macOS 26 and iOS 26.
        var words = ContiguousArray<UInt32>(repeating: 0, count: 64)
        var schedule = words.mutableSpan
        for start in stride(from: 0, to: blocks.byteCount, by: 64) {
            expand(blocks.extracting(start..<start + 64), into: &schedule, constants)
            mix(schedule.span, into: &state)
        }
    }

    /// Fills the schedule with the block's 64 words, to which the round constants are added.
    @inline(__always)
    private static func expand(
        _ block: RawSpan, into schedule: inout MutableSpan<UInt32>, _ constants: Span<UInt32>
    ) {
        precondition(schedule.count == 64 && constants.count == 64)  // lets the compiler remove the bounds checks below
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.word(at: index * 4))
        }
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let first = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
            let second = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        for index in 0..<64 { schedule[index] &+= constants[index] }
    }

    @inline(__always)
    private static func mix(_ schedule: Span<UInt32>, into state: inout State) {
        precondition(schedule.count == 64)
        var (a, b, c, d, e, f, g, h) = state
        // Eight rounds per iteration, so that the variables rotate without copies.
        for index in stride(from: 0, to: 64, by: 8) {
            round(a, b, c, &d, e, f, g, &h, schedule[index])
            round(h, a, b, &c, d, e, f, &g, schedule[index + 1])
            round(g, h, a, &b, c, d, e, &f, schedule[index + 2])
            round(f, g, h, &a, b, c, d, &e, schedule[index + 3])
            round(e, f, g, &h, a, b, c, &d, schedule[index + 4])
            round(d, e, f, &g, h, a, b, &c, schedule[index + 5])
            round(c, d, e, &f, g, h, a, &b, schedule[index + 6])
            round(b, c, d, &e, f, g, h, &a, schedule[index + 7])
        }
        state.0 &+= a
        state.1 &+= b
        state.2 &+= c
        state.3 &+= d
        state.4 &+= e
        state.5 &+= f
        state.6 &+= g
        state.7 &+= h
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) | (c & (a | b))
        let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ word
        let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
        d &+= first
        h = first &+ second
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        (word &>> count) | (word &<< (32 &- count))
    }

    private static let roundConstants: ContiguousArray<UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
