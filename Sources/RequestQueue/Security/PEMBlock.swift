/// A block of PEM text (RFC 7468): a label, and bytes in base64.
struct PEMBlock: Sendable {
    /// The label, such as `CERTIFICATE`.
    let label: String
    /// The decoded bytes; still encrypted if a key is encrypted in the legacy format.
    let bytes: Data
    /// The text of the block, with its BEGIN and END lines.
    let text: Data
    /// Whether reading it requires a password.
    let isEncrypted: Bool

    /// Returns the blocks of a text in order; text between blocks is ignored.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions` if a block has no end or is not base64.
    static func all(in data: Data) throws(RequestError) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var lines: [String] = []
        var open: Substring?
        // Any bytes are accepted here; blocks consist of ASCII.
        let text = String(decoding: data, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmingBlanks(line.utf8)
            if let label = open {
                if line == "-----END \(label)-----" {
                    blocks.append(try PEMBlock(label: String(label), lines: lines))
                    (open, lines) = (nil, [])
                } else {
                    lines.append(line)
                }
            } else if line.hasPrefix("-----BEGIN "), line.hasSuffix("-----"), line.count > 16 {
                open = line.dropFirst(11).dropLast(5)
            }
        }
        if let open { throw .invalidTLSOptions("the PEM text has no '-----END \(printable(String(open)))-----'") }
        return blocks
    }

    private init(label: String, lines: [String]) throws(RequestError) {
        // The legacy format has header fields before the base64 (RFC 1421).
        let fields = lines.prefix { $0.contains(":") || $0.isEmpty }
        let base64 = lines.dropFirst(fields.count).joined()
        guard let bytes = Data(base64Encoded: base64), !bytes.isEmpty else {
            throw .invalidTLSOptions("'\(printable(label))' in the PEM text is not base64")
        }
        self.label = label
        self.bytes = bytes
        isEncrypted = label.hasPrefix("ENCRYPTED") || fields.contains { $0.contains("ENCRYPTED") }
        let head = fields.isEmpty ? "" : fields.joined(separator: "\n") + "\n\n"
        text = Data("-----BEGIN \(label)-----\n\(head)\(bytes.base64Lines)\n-----END \(label)-----\n".utf8)
    }
}

extension PEMBlock {
    /// Returns certificates as PEM text.
    static func text(of certificates: [Certificate]) -> Data {
        Data(
            certificates.map {
                "-----BEGIN CERTIFICATE-----\n\($0.der.base64Lines)\n-----END CERTIFICATE-----\n"
            }.joined().utf8)
    }
}

extension Data {
    /// Base64 in lines of 64 characters, as PEM readers expect.
    fileprivate var base64Lines: String {
        base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    }
}

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
            // The number of length bytes that follow; more than three would exceed any certificate.
            let count = length & 0x7F
            guard (1...3).contains(count), rest.endIndex - content >= count else { return nil }
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
