/// Reads consecutive DER values (X.690), as far as needed to find the public key of a certificate.
struct DERReader {
    /// The tag of a SEQUENCE.
    static let sequence: UInt8 = 0x30

    struct Value {
        let tag: UInt8
        let content: Data
        /// The value with tag and length.
        let encoded: Data
    }

    private var rest: Data

    init(_ bytes: Data) {
        rest = bytes
    }

    /// Returns the next value; `nil` at the end, or if the bytes are not a value.
    mutating func next() -> Value? {
        guard rest.count >= 2 else { return nil }
        let start = rest.startIndex
        var length = Int(rest[start + 1])
        var content = start + 2
        if length >= 0x80 {
            // The number of length bytes that follow; more than four would exceed any certificate.
            let count = length & 0x7F
            guard (1...4).contains(count), rest.endIndex - content >= count else { return nil }
            length = rest[content..<content + count].reduce(0) { $0 << 8 | Int($1) }
            content += count
        }
        guard rest.endIndex - content >= length else { return nil }
        defer { rest = rest[(content + length)...] }
        return Value(
            tag: rest[start], content: rest[content..<content + length], encoded: rest[start..<content + length])
    }

    /// Whether the bytes are exactly one SEQUENCE.
    static func isOneSequence(_ bytes: Data) -> Bool {
        var reader = DERReader(bytes)
        return reader.next()?.tag == sequence && reader.rest.isEmpty
    }

    /// Returns the `SubjectPublicKeyInfo` of a certificate (RFC 5280 §4.1); `nil` if the bytes are not a certificate.
    static func publicKey(ofCertificate bytes: Data) -> Data? {
        guard isOneSequence(bytes) else { return nil }
        var outer = DERReader(bytes)
        guard let certificate = outer.next() else { return nil }
        var parts = DERReader(certificate.content)
        guard let signed = parts.next(), signed.tag == sequence, parts.next()?.tag == sequence,
            parts.next()?.tag == 0x03, parts.rest.isEmpty
        else { return nil }
        var fields = DERReader(signed.content)
        var field = fields.next()
        // Version 1 certificates omit the version.
        if field?.tag == 0xA0 { field = fields.next() }
        guard field?.tag == 0x02 else { return nil }
        // Algorithm, issuer, validity, subject.
        for _ in 0..<4 { guard fields.next()?.tag == sequence else { return nil } }
        guard let key = fields.next(), key.tag == sequence else { return nil }
        return key.encoded
    }
}
