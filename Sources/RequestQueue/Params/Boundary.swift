/// The boundary of a multipart body (RFC 2046 §5.1.1): 128 random bits, in characters that need no quotes.
package enum Boundary {
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = [generator.next(), generator.next()].map { (word: UInt64) in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return "MappingKit-" + digits.joined()
    }

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
