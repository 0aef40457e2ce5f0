/// CRC-32 over the values of decoded models, written in an order and form that all peers share.
///
/// Numbers are 8 bytes, little-endian; texts and lists are preceded by their count. Python uses `zlib.crc32`.
struct Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    private var crc = UInt32.max

    var value: UInt32 { ~crc }

    mutating func add(_ number: Int) { add(bytes: withUnsafeBytes(of: number.littleEndian, Array.init)) }

    mutating func add(_ number: Double) { add(Int(truncatingIfNeeded: number.bitPattern)) }

    mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        add(bytes: text.utf8)
    }

    /// A list: its count, then its elements; an optional is a list with zero or one element.
    mutating func add<Values: Collection>(_ values: Values, _ each: (inout Checksum, Values.Element) -> Void) {
        add(values.count)
        for value in values { each(&self, value) }
    }

    private mutating func add(bytes: some Sequence<UInt8>) {
        for byte in bytes { crc = crc >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
    }
}

/// A model whose values are compared between peers.
protocol Checksummed {
    func add(to checksum: inout Checksum)
}

extension Optional {
    /// Adds an optional value as a list with zero or one element.
    var list: [Wrapped] { map { [$0] } ?? [] }
}
