import MappingSystemCalls

/// Splits a message into the blocks of 64 bytes that SHA-256 and MD5 process.
struct BlockBuffer {
    /// The number of bytes in the message so far.
    private(set) var length: UInt64 = 0
    /// The start of an incomplete block.
    private var partial: [UInt8] = []

    init() {
        partial.reserveCapacity(128)
    }

    /// Adds bytes and passes all complete blocks to a closure, adjacent ones together.
    mutating func append(_ bytes: RawSpan, compress: (RawSpan) -> Void) {
        length &+= UInt64(bytes.byteCount)
        var rest = bytes
        if !partial.isEmpty {
            let missing = 64 - partial.count
            partial.append(rest.extracting(first: missing))
            rest = rest.extracting(droppingFirst: missing)
            guard partial.count == 64 else { return }
            partial.withRawSpan(compress)
            partial.removeAll(keepingCapacity: true)
        }
        let whole = rest.byteCount & ~63
        if whole > 0 { compress(rest.extracting(first: whole)) }
        partial.append(rest.extracting(droppingFirst: whole))
    }

    /// Passes the last one or two blocks to a closure: a 1 bit, zeros, and the length in bits.
    mutating func finish(bigEndianLength: Bool, compress: (RawSpan) -> Void) {
        let bits = length &* 8
        partial.append(0x80)
        while partial.count % 64 != 56 { partial.append(0) }
        for index in 0..<8 {
            let shift = UInt64(bigEndianLength ? 56 - index * 8 : index * 8)
            partial.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        partial.withRawSpan(compress)
    }
}
