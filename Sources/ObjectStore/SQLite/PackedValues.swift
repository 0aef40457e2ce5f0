/// Values as one blob, for statements with more values than SQLite supports as parameters.
///
/// The blob has the offset of each value in eight bytes, the offset of its end, and then the values: a byte for the
/// kind, and the bytes. Numbers are little-endian.
enum PackedValues {
    static func pack(_ values: [StoredValue]) -> StoredValue {
        var offsets: [UInt8] = []
        var bytes: [UInt8] = []
        let start = (values.count + 1) * 8
        offsets.reserveCapacity(start)
        for value in values {
            append(UInt64(start + bytes.count), to: &offsets)
            switch value {
            case .null: bytes.append(0)
            case .integer(let value):
                bytes.append(1)
                append(UInt64(bitPattern: value), to: &bytes)
            case .real(let value):
                bytes.append(2)
                append(value.bitPattern, to: &bytes)
            case .text(let text):
                bytes.append(3)
                bytes += text.utf8
            case .blob(let blob):
                bytes.append(4)
                bytes += blob
            }
        }
        append(UInt64(start + bytes.count), to: &offsets)
        return .blob(offsets + bytes)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Returns a value; null for an index without one.
    ///
    /// Safe: every read is checked against the number of bytes, which are not retained.
    @safe static func value(at index: Int, in bytes: UnsafeRawBufferPointer) -> StoredValue {
        let size = bytes.count
        func number(at offset: Int) -> UInt64? {
            guard offset >= 0, offset <= size - 8 else { return nil }
            return unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        guard index >= 0, index < size / 8, let first = number(at: index * 8), let last = number(at: index * 8 + 8),
            first < last, last <= UInt64(size)
        else { return .null }
        let value = unsafe Array(bytes[Int(first)..<Int(last)])
        switch value[0] {
        case 1: return number(at: Int(first) + 1).map { .integer(Int64(bitPattern: $0)) } ?? .null
        case 2: return number(at: Int(first) + 1).map { .real(Double(bitPattern: $0)) } ?? .null
        case 3: return .text(String(decoding: value.dropFirst(), as: UTF8.self))
        case 4: return .blob(Array(value.dropFirst()))
        default: return .null
        }
    }
}
