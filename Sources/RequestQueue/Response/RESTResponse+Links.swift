extension RESTResponse {
    /// The targets in the field `Link` by their relation in lowercase, such as `next` (RFC 8288), as absolute URLs.
    ///
    /// ```swift
    /// var next: String? = "/tasks?per_page=100"
    /// while let page = next {
    ///     let response = try await client.get(page).validated()
    ///     next = response.links["next"]?.absoluteString
    /// }
    /// ```
    ///
    /// If several links have the same relation, the first one is used. Links with another context (`anchor`) and invalid
    /// ones are ignored.
    public var links: [String: URL] {
        var links: [String: URL] = [:]
        for field in headers.values(for: "Link") {
            var parser = LinkParser(rest: ArraySlice(field.utf8))
            while let link = parser.next() {
                guard link.parameters["anchor"] == nil, let relations = link.parameters["rel"],
                    let target = link.target.isEmpty ? url : URL(string: link.target, relativeTo: url)?.absoluteURL
                else { continue }
                for relation in relations.lowercased().split(whereSeparator: \.isWhitespace) {
                    if links[String(relation)] == nil { links[String(relation)] = target }
                }
            }
        }
        return links
    }
}

/// Parses the links of a field (RFC 8288 §3); commas and semicolons can also occur in targets and in quotes.
private struct LinkParser {
    var rest: ArraySlice<UInt8>

    /// Parses the next link; returns `nil` at the end, or if no target follows.
    mutating func next() -> (target: String, parameters: [String: String])? {
        rest = rest.drop { isBlank($0) || $0 == UInt8(ascii: ",") }
        guard rest.popFirst() == UInt8(ascii: "<") else { return nil }
        let target = rest.prefix { $0 != UInt8(ascii: ">") }
        rest = rest[target.endIndex...].dropFirst()
        var parameters: [String: String] = [:]
        while skipBlanks(), rest.first == UInt8(ascii: ";") {
            rest.removeFirst()
            let (name, value) = parameter()
            // The first of several values is used (RFC 8288 §3.3).
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
        rest = rest.drop { $0 != UInt8(ascii: ",") }
        return (String(decoding: target, as: UTF8.self), parameters)
    }

    private mutating func parameter() -> (name: String, value: String) {
        _ = skipBlanks()
        let name = rest.prefix(while: isTokenByte)
        rest = rest[name.endIndex...]
        var value: [UInt8] = []
        if skipBlanks(), rest.first == UInt8(ascii: "=") {
            rest.removeFirst()
            _ = skipBlanks()
            value = rest.first == UInt8(ascii: "\"") ? quoted() : unquoted()
        }
        return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    private mutating func unquoted() -> [UInt8] {
        let value = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
        rest = rest[value.endIndex...]
        return Array(value)
    }

    /// Parses a quoted string (RFC 9110 §5.6.4), which may lack its closing quote.
    private mutating func quoted() -> [UInt8] {
        var value: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return value
    }

    private mutating func skipBlanks() -> Bool {
        rest = rest.drop(while: isBlank)
        return !rest.isEmpty
    }
}
