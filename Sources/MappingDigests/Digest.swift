import MappingSystemCalls

/// A message digest that is calculated incrementally.
package protocol Digest {
    /// Starts an empty message.
    init()

    /// Adds bytes to the message.
    mutating func update(_ bytes: RawSpan)

    /// Ends the message and returns its digest; nothing may be added afterwards.
    mutating func finalize() -> [UInt8]
}

extension Digest {
    /// Adds bytes to the message.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withRawSpan { update($0) }
    }

    /// Ends the message and returns its digest in lowercase hexadecimal.
    package mutating func finalizeHex() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the digest of a complete message in lowercase hexadecimal.
    package static func hex(of bytes: some Sequence<UInt8>) -> String {
        var digest = Self()
        digest.update(Array(bytes))
        return digest.finalizeHex()
    }
}
