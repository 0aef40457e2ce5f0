extension FormValue {
    /// The fields as `application/x-www-form-urlencoded` text in UTF-8, as `a=1&b[]=2&c[d]=3`.
    ///
    /// All but letters, digits and `-._~` is percent-escaped, a blank as `%20`; brackets of names stay as they are. What is
    /// no fields has no names, and is empty.
    public var formEncoded: String {
        var text: [UInt8] = []
        for entry in entries {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            appendEscaped(entry.name, brackets: true, to: &text)
            guard let value = entry.text else { continue }
            text.append(UInt8(ascii: "="))
            appendEscaped(value, brackets: false, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Throws if lists and fields are nested more deeply than servers read them; names grow with each level.
    func checkDepth(of subject: String = "form", _ kind: RequestError.Kind = .invalidBody) throws(RequestError) {
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

    static let depthLimit = 100

    /// The single texts of the fields, each under its whole name; nil for null.
    package var entries: [(name: String, text: String?)] {
        guard case .fields(let fields) = self else { return [] }
        return fields.flatMap { $0.value.entries(named: $0.name) }
    }

    /// The single texts of a value of a name, as `a[b][]` and `1`.
    package func entries(named name: String) -> [(name: String, text: String?)] {
        var entries: [(name: String, text: String?)] = []
        // Without recursion, so that the stack limits no form; the next value is the last one.
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

    /// Reads `application/x-www-form-urlencoded` text, as a query or a body: fields in their order, several values of one
    /// name as a list at the place of the first, a name without a value as an empty text.
    ///
    /// Names are taken as they are, their brackets included. A `+` is a blank; a `%` without two digits is itself; bytes
    /// that are no UTF-8 become U+FFFD.
    public init(formEncoded text: String) {
        var names: [String] = []
        var values: [String: [FormValue]] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = unescaped(parts[0])
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(.text(parts.count > 1 ? unescaped(parts[1]) : ""))
        }
        self = .fields(
            names.map { name in
                let values = values[name] ?? []
                return Field(name: name, value: values.count == 1 ? values[0] : .list(values))
            })
    }

    /// The value of the first field of a name; nil if there is none.
    public subscript(name: String) -> FormValue? {
        guard case .fields(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }
}

private func appendEscaped(_ text: String, brackets: Bool, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
        if isUnreserved(byte) || brackets && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")) {
            bytes.append(byte)
        } else {
            appendEscaped(byte, to: &bytes)
        }
    }
}

private func unescaped(_ text: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let value = escapedByte(rest.prefix(2)) {
            bytes.append(value)
            rest.removeFirst(2)
        } else {
            bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
