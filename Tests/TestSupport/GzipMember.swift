public import Foundation

/// A gzip member with uncompressed text.
///
/// The layout is known: 10 bytes of header, 5 of the block's head, the text, 4 of checksum and 4 of length.
public func gzipMember(_ text: String) -> Data { gzipMember(Data(text.utf8)) }

/// A gzip member of at most 65,535 uncompressed bytes.
public func gzipMember(_ text: Data) -> Data {
    let count = UInt16(text.count)
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]
    for number in [count, ~count] { bytes += [UInt8(number & 0xFF), UInt8(number >> 8)] }
    bytes += text
    for number in [checksum(text), UInt32(count)] {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return Data(bytes)
}

/// CRC-32 of RFC 1952.
private func checksum(_ bytes: Data) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
}
