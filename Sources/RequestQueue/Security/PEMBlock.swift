/// One piece of a text of PEM (RFC 7468): a label, and bytes in base64.
struct PEMBlock: Sendable {
    /// As "CERTIFICATE".
    let label: String
    /// What the base64 stands for; of a key encrypted in the old way the encrypted bytes.
    let bytes: Data
    /// The piece as it stands, with its two border lines.
    let text: Data
    /// Whether it can be read only with a password.
    let isEncrypted: Bool

    /// The pieces of a text, in their order; what stands between them is passed over.
    ///
    /// - Throws: An error of kind `invalidTLSOptions` if a piece has no end or is no base64.
    static func all(in data: Data) throws(RequestError) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var lines: [Substring] = []
        var open: Substring?
        // Any bytes are a text here; what is no ASCII cannot be part of a piece.
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
        // The old form has fields before the base64, as RFC 1421 has them.
        let fields = lines.prefix { $0.contains(":") || $0.isEmpty }
        let base64 = lines.dropFirst(fields.count).joined()
        guard let bytes = Data(base64Encoded: base64), !bytes.isEmpty else {
            throw .invalidTLSOptions("'\(printable(label))' in the PEM text is no base64")
        }
        self.label = label
        self.bytes = bytes
        isEncrypted = label.hasPrefix("ENCRYPTED") || fields.contains { $0.contains("ENCRYPTED") }
        let head = fields.isEmpty ? "" : fields.joined(separator: "\n") + "\n\n"
        text = Data("-----BEGIN \(label)-----\n\(head)\(base64.wrapped)\n-----END \(label)-----\n".utf8)
    }
}

extension PEMBlock {
    /// Certificates as a text of PEM.
    static func text(of certificates: [Certificate]) -> Data {
        Data(
            certificates.map {
                "-----BEGIN CERTIFICATE-----\n\($0.der.base64EncodedString().wrapped)\n-----END CERTIFICATE-----\n"
            }.joined().utf8)
    }
}

extension String {
    /// In lines of 64 characters, as readers of PEM expect them.
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
    /// Without blanks at both ends.
    fileprivate var trimmed: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.drop { $0.isWhitespace }
    }
}
