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
        var lines: [Substring] = []
        var open: Substring?
        // Any bytes are accepted here; blocks consist of ASCII.
        let text = String(decoding: data, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
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

    private init(label: String, lines: [Substring]) throws(RequestError) {
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
        text = Data("-----BEGIN \(label)-----\n\(head)\(base64.wrapped)\n-----END \(label)-----\n".utf8)
    }
}

extension PEMBlock {
    /// Returns certificates as PEM text.
    static func text(of certificates: [Certificate]) -> Data {
        Data(
            certificates.map {
                "-----BEGIN CERTIFICATE-----\n\($0.der.base64EncodedString().wrapped)\n-----END CERTIFICATE-----\n"
            }.joined().utf8)
    }
}

extension String {
    /// The text in lines of 64 characters, as PEM readers expect.
    fileprivate var wrapped: String {
        var rest = utf8[...]
        var lines: [Substring] = []
        while !rest.isEmpty {
            lines.append(Substring(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return lines.joined(separator: "\n")
    }
}

extension Substring {
    /// The text without leading and trailing spaces.
    fileprivate var trimmed: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.drop { $0.isWhitespace }
    }
}
