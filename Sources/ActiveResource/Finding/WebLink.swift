/// A link in the field `Link` of a response (RFC 8288).
struct WebLink {
    /// The target as it is written, possibly a relative URL.
    let target: String
    /// The relations in lowercase.
    let relations: [String]

    /// Returns the links of all fields in order; a syntax error ends a field.
    static func links(in fields: [String]) -> [WebLink] {
        fields.flatMap { field in
            var parser = Parser(rest: field[...])
            var links: [WebLink] = []
            while let link = parser.next() {
                // The first `rel` is used, and an anchor is another context.
                guard let relation = link.values.first(where: { $0.name == "rel" })?.value,
                    !link.values.contains(where: { $0.name == "anchor" })
                else { continue }
                links.append(
                    WebLink(
                        target: link.target,
                        relations: relation.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }))
            }
            return links
        }
    }

    private struct Parser {
        var rest: Substring

        /// Returns the next target with its parameters; `nil` at the end, or after a syntax error.
        mutating func next() -> (target: String, values: [(name: String, value: String)])? {
            skip { $0.isWhitespace || $0 == "," }
            guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
            let target = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[end...].dropFirst()
            var values: [(name: String, value: String)] = []
            while true {
                skip(\.isWhitespace)
                guard rest.first == ";" else { break }
                skip { $0.isWhitespace || $0 == ";" }
                let name = take(until: "=;,").lowercased()
                skip(\.isWhitespace)
                guard rest.first == "=" else {
                    values.append((name, ""))
                    continue
                }
                rest.removeFirst()
                skip(\.isWhitespace)
                let value = rest.first == "\"" ? quoted() : take(until: ";,")
                values.append((name, value))
            }
            guard rest.isEmpty || rest.first == "," else { return nil }
            return (target, values)
        }

        private mutating func skip(_ isSkipped: (Character) -> Bool) { rest = rest.drop(while: isSkipped) }

        /// Returns the text before whitespace or a delimiter.
        private mutating func take(until delimiters: String) -> String {
            let text = rest.prefix { (character: Character) in
                !character.isWhitespace && !delimiters.contains(character)
            }
            rest = rest[text.endIndex...]
            return String(text)
        }

        /// Returns the text in quotes, in which a backslash escapes a character.
        private mutating func quoted() -> String {
            rest.removeFirst()
            var text = ""
            while let character = rest.popFirst(), character != "\"" {
                text.append(character == "\\" ? rest.popFirst() ?? character : character)
            }
            return text
        }
    }
}
