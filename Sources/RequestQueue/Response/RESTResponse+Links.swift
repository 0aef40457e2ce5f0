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
    public var links: [String: URL] { readLinks().links }

    private func readLinks() -> (links: [String: URL], areReadable: Bool) {
        var (links, areReadable): ([String: URL], Bool) = ([:], true)
        for field in headers.values(for: "Link") {
            var (parser, isEmpty) = (FieldParser(field), true)
            while let link = parser.link() {
                isEmpty = false
                guard link.parameters["anchor"] == nil, let relations = link.parameters["rel"] else { continue }
                guard let target = link.target.isEmpty ? url : URL(string: link.target, relativeTo: url)?.absoluteURL
                else {
                    areReadable = false
                    continue
                }
                for relation in relations.lowercased().split(whereSeparator: \.isWhitespace) {
                    if links[String(relation)] == nil { links[String(relation)] = target }
                }
            }
            if isEmpty, !trimmingBlanks(field.utf8).isEmpty { areReadable = false }
        }
        return (links, areReadable)
    }

    /// The name of a field with links or a count that cannot be read, so that it is unknown whether a list is complete;
    /// `nil` without one.
    package var unreadableField: String? {
        if let field = countFields.first(where: { !$0.text.utf8.allSatisfy(isDigit) }) { return field.name }
        return readLinks().areReadable ? nil : "Link"
    }

    /// The fields with a count, in the order in which they are read, and the text of each, which should be digits.
    private var countFields: [(name: String, text: String)] {
        var fields: [(name: String, text: String)] = []
        for name in ["X-Total-Count", "X-Total"] {
            if let text = headers.values(for: name).first { fields.append((name, trimmingBlanks(text.utf8))) }
        }
        // The count after the slash can be unknown.
        if let range = headers["Content-Range"], !range.lowercased().hasPrefix("bytes"), !range.hasSuffix("/*") {
            fields.append(
                ("Content-Range", range.lastIndex(of: "/").map { String(range[$0...].dropFirst()) } ?? "none"))
        }
        return fields
    }

    /// The number of elements on all pages of a list, as the server counts them; `nil` if it does not.
    ///
    /// Reads the fields `X-Total-Count`, `X-Total`, and `Content-Range` with another unit than bytes, such as
    /// `items 0-24/319` (RFC 9110 §14.4).
    public var totalCount: Int? {
        countFields.lazy.compactMap { $0.text.utf8.allSatisfy(isDigit) ? Int($0.text) : nil }.first
    }
}

extension FieldParser {
    /// Parses the next link (RFC 8288 §3), whose target can contain commas and semicolons; returns `nil` at the end.
    ///
    /// Elements without a target are skipped.
    fileprivate mutating func link() -> (target: String, parameters: [String: String])? {
        take { isBlank($0) || $0 == UInt8(ascii: ",") }
        while !isAt("<") {
            if rest.isEmpty { return nil }
            skipElement()
            take { isBlank($0) || $0 == UInt8(ascii: ",") }
        }
        _ = take("<")
        let target = take { $0 != UInt8(ascii: ">") }
        _ = take(">")
        let parameters = parameters()
        skipElement()
        return (String(decoding: target, as: UTF8.self), parameters)
    }

    /// Skips the bytes before the next comma that is not in quotes.
    private mutating func skipElement() {
        while !rest.isEmpty, !isAt(",") {
            if isAt("\"") {
                _ = value(before: "")
            } else {
                take { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            }
        }
    }
}
