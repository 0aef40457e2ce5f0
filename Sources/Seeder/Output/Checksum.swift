import MappingDigests

/// The SHA-256 of a file, in the format of `sha256sum`.
struct Checksum {
    let hex: String

    /// Reads a file from its start.
    init(of file: Descriptor, name: String) throws(SeedError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var digest = SHA256()
        var offset = 0
        while true {
            let count = try buffer.withMutableRawSpan { buffer throws(SeedError) in
                try file.readBytes(into: &buffer, at: offset, name: name)
            }
            if count == 0 { break }
            buffer.withRawSpan { digest.update($0.extracting(first: count)) }
            offset += count
            try checkInterruption()
        }
        hex = digest.finalizeHex()
    }

    /// Returns the line of a `.sha256` file; names with line breaks are escaped like in `sha256sum`.
    func line(for name: String) -> String {
        let escaped = name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\(escaped == name ? "" : "\\")\(hex)  \(escaped)\n"
    }

    /// Returns the checksum in a `.sha256` file; `nil` if it does not exist.
    static func stored(at path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data.drop { $0 == UInt8(ascii: "\\") }, as: UTF8.self)
        return text.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
    }
}
