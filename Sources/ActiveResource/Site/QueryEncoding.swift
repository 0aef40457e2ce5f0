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

    /// Returns a name or a value in form encoding: a space is `+`.
    static func form(_ text: String) -> String {
        escaped(text) { isUnreserved($0) || $0 == UInt8(ascii: " ") }.replacing(" ", with: "+")
    }
}
