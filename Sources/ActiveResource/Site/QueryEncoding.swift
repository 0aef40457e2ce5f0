/// Encodes queries and paths like Active Resource.
enum ResourceEncoding {
    /// Returns a query such as `a%5Bb%5D%5B%5D=1&n=`: sorted names in brackets, a space as `+`, `nil` as an empty text;
    /// empty lists and objects are omitted.
    static func query(_ value: FormValue, naming: (@Sendable (String) -> String)?) -> String {
        text(of: value, named: nil, naming) ?? ""
    }

    /// Returns the text of a value; `nil` if there is nothing to send.
    private static func text(
        of value: FormValue, named name: String?, _ naming: (@Sendable (String) -> String)?
    ) -> String? {
        switch value {
        case .null: return form(name ?? "") + "="
        case .text(let text): return form(name ?? "") + "=" + form(text)
        case .list(let values):
            let texts = values.compactMap { self.text(of: $0, named: (name ?? "") + "[]", naming) }
            return texts.isEmpty ? nil : texts.joined(separator: "&")
        case .fields(let fields):
            let texts = fields.compactMap { field in
                let key = naming?(field.name) ?? field.name
                return self.text(of: field.value, named: name.map { "\($0)[\(key)]" } ?? key, naming)
            }
            return texts.isEmpty
                ? nil : texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
        }
    }

    /// Returns an identifier as a path component: a space is `%20`.
    static func identifier(_ text: String) -> String { escaped(text) { _ in nil } }

    /// Returns a name or a value in form encoding: a space is `+`.
    static func form(_ text: String) -> String {
        escaped(text) { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : nil }
    }

    /// Returns the value of a prefix parameter: only characters that are invalid in a path are escaped, so that slashes
    /// remain.
    static func prefix(_ text: String) -> String {
        escaped(text) { "!$&'()*+,;=:@/".utf8.contains($0) ? $0 : nil }
    }

    /// Returns a text with percent-escapes.
    ///
    /// - Parameter replacement: Returns the byte to write for a reserved byte; `nil` to escape it.
    private static func escaped(_ text: String, _ replacement: (UInt8) -> UInt8?) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": result.append(byte)
            default:
                if let other = replacement(byte) {
                    result.append(other)
                } else {
                    result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
