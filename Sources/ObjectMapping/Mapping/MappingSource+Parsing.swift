extension MappingSource {
    /// What a text spells: words for what is around the object, placeholders, or else a key path.
    static func kind(spelledBy text: String) -> Kind {
        if let path = JSONKeyPath(plainKey: text) { return .path(path) }
        guard text.utf8.first == UInt8(ascii: "@") || text.utf8.contains(UInt8(ascii: "{")) || text.hasPrefix("self.")
        else { return .path(JSONKeyPath(text)) }
        if text == "@key" { return .key(name: nil) }
        // The second is how RestKit spells it.
        if text == "@index" || text == "@metadata.mapping.collectionIndex" { return .index }
        if let rest = rest(of: text, after: "@root") { return .root(JSONKeyPath(String(rest))) }
        if let rest = rest(of: text, after: "@metadata") { return .metadata(JSONKeyPath(String(rest))) }
        // Alone it is a key like any other: documents that link to themselves have it.
        if let rest = rest(of: text, after: "self") { return kind(spelledBy: String(rest)) }
        var path = text[...]
        var levels = 0
        while let rest = rest(of: path, after: "@parent") {
            path = rest
            levels += 1
        }
        if levels > 0 { return .parent(JSONKeyPath(String(path)), levels: levels) }
        let (names, rest) = placeholders(of: text)
        return names.isEmpty && !holdsPlaceholder(rest)
            ? .path(JSONKeyPath(text)) : .keyed(names, JSONKeyPath(String(rest)))
    }

    /// What stands behind a first word; nil if the text begins with another one.
    private static func rest(of text: some StringProtocol, after word: String) -> Substring? {
        guard text.hasPrefix(word) else { return nil }
        let rest = Substring(text.dropFirst(word.count))
        return rest.isEmpty ? rest : rest.first == "." ? rest.dropFirst() : nil
    }

    /// The placeholders at the start of a text, and the key path behind them.
    private static func placeholders(of text: String) -> (names: [String], rest: Substring) {
        var names: [String] = []
        var rest = text[...]
        while rest.first == "{", let end = rest.firstIndex(of: "}") {
            let name = rest[rest.index(after: rest.startIndex)..<end]
            let next = rest[end...].dropFirst()
            guard !name.isEmpty, !name.contains("."), next.isEmpty || next.first == "." else { break }
            names.append(String(name))
            rest = next.dropFirst()
        }
        return (names, rest)
    }

    /// Whether a component of a text is spelled like a placeholder.
    static func holdsPlaceholder(_ text: some StringProtocol) -> Bool {
        text.split(separator: ".").contains { $0.count > 2 && $0.first == "{" && $0.last == "}" }
    }
}
