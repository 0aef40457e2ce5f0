/// The boundary of a multipart body (RFC 2046 §5.1.1): 128 random bits, in characters that need no quotes.
package enum Boundary {
    package static func random() -> String { "MappingKit-" + randomHexadecimal() }

    /// Whether the boundary occurs in the data.
    ///
    /// Uses the Boyer-Moore-Horspool algorithm, which skips most bytes.
    package static func occurs(_ boundary: String, in data: Data) -> Bool {
        let needle = Array(boundary.utf8)
        let last = needle.count - 1
        guard last >= 0, data.count >= needle.count else { return false }
        var skips = [Int](repeating: needle.count, count: 256)
        for (index, byte) in needle.dropLast().enumerated() { skips[Int(byte)] = last - index }
        let bytes = data.bytes
        var end = last
        while end < bytes.byteCount {
            let byte = bytes.byte(at: end)
            if byte == needle[last], needle.indices.allSatisfy({ bytes.byte(at: end - last + $0) == needle[$0] }) {
                return true
            }
            end += skips[Int(byte)]
        }
        return false
    }
}

/// 128 random bits in 32 hexadecimal digits.
@Sendable func randomHexadecimal() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16).padded(to: 16) }.joined()
}

extension String {
    /// The text with leading zeros.
    func padded(to count: Int) -> String { String(repeating: "0", count: count - utf8.count) + self }
}
