extension FormValue {
    /// The fields as `application/x-www-form-urlencoded` text in UTF-8, such as `a=1&b[]=2&c[d]=3`.
    ///
    /// Letters, digits and `-._~` are unchanged; other characters are percent-escaped, a space as `%20`. Brackets in
    /// names are not escaped. The text is empty for a value without field names.
    public var formEncoded: String {
        var text: [UInt8] = []
        for entry in entries {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            appendEscaped(entry.name, to: &text) { isUnreserved($0) || "[]".utf8.contains($0) }
            guard let value = entry.text else { continue }
            text.append(UInt8(ascii: "="))
            appendEscaped(value, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Throws an error if lists and fields are nested too deeply for common servers; names grow with each level.
    package func checkDepth(of subject: String = "form", _ kind: RequestError.Kind = .invalidBody) throws(RequestError)
    {
        var level = [self]
        for _ in 0...Self.depthLimit {
            level = level.flatMap { value -> [FormValue] in
                switch value {
                case .null, .text: []
                case .list(let values): values
                case .fields(let fields): fields.map(\.value)
                }
            }
            if level.isEmpty { return }
        }
        throw RequestError(
            kind, "the \(subject) is nested more than \(Self.depthLimit) levels deep; send such values as JSON")
    }

    package static let depthLimit = 100

    /// The values of the fields with their full names; `nil` for null.
    package var entries: [(name: String, text: String?)] {
        guard case .fields(let fields) = self else { return [] }
        return fields.flatMap { $0.value.entries(named: $0.name) }
    }

    /// Returns the values below a name with their full names, such as `a[b][]` and `1`.
    package func entries(named name: String) -> [(name: String, text: String?)] {
        var entries: [(name: String, text: String?)] = []
        // Without recursion, so that the stack does not limit the depth; the next value is at the end.
        var pending = [(name: name, value: self)]
        while let (name, value) = pending.popLast() {
            switch value {
            case .null: entries.append((name, nil))
            case .text(let text): entries.append((name, text))
            case .list(let values): pending += values.reversed().map { (name + "[]", $0) }
            case .fields(let fields): pending += fields.reversed().map { ("\(name)[\($0.name)]", $0.value) }
            }
        }
        return entries
    }

    /// Parses `application/x-www-form-urlencoded` text, as in a query or a body.
    ///
    /// Fields keep their order. Repeated names become a list at the position of the first one, and a name without a
    /// value becomes an empty text. Brackets are part of the name. A `+` is decoded as a space, a `%` without two
    /// digits is kept, and bytes that are not UTF-8 become U+FFFD.
    public init(formEncoded text: String) {
        var names: [String] = []
        var values: [String: [FormValue]] = [:]
        func decoded(_ text: Substring.UTF8View) -> String {
            String(decoding: unescaped(text, plus: UInt8(ascii: " ")), as: UTF8.self)
        }
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = decoded(parts[0])
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(.text(parts.count > 1 ? decoded(parts[1]) : ""))
        }
        self = .fields(
            names.map { name in
                let values = values[name] ?? []
                return Field(name: name, value: values.count == 1 ? values[0] : .list(values))
            })
    }

    /// The value of the first field with a name; `nil` if the name is missing.
    public subscript(name: String) -> FormValue? {
        guard case .fields(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }
}
