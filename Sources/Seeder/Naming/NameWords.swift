/// The words of a key, a file's name or a Swift name, which can be combined in another style.
///
/// `assigned_user_id`, `assignedUserId` and `Assigned-User-ID` consist of the same words `assigned`, `user` and `id`.
package struct NameWords: Hashable, Sendable {
    /// The words in lowercase, in order; empty if the name has neither letters nor digits.
    package let words: [String]

    package init(_ words: some Sequence<String>) { self.words = Array(words) }

    /// Splits a name: at characters other than letters and digits, and before capitals.
    package init(of name: String) {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let isPart = character.isLetter || character.isNumber
            if isPart, character.isUppercase, index > 0 {
                let endsSmall = !characters[index - 1].isUppercase
                let beginsWord =
                    index + 1 < characters.count && characters[index + 1].isLowercase
                    && !Self.endsPlural(characters, at: index + 1)
                if (endsSmall || beginsWord), !word.isEmpty {
                    words.append(word)
                    word = ""
                }
            }
            if isPart {
                word += character.lowercased()
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        self.words = word.isEmpty ? words : words + [word]
    }

    /// The `s` in `userIDs` does not start a word.
    private static func endsPlural(_ characters: [Character], at index: Int) -> Bool {
        guard characters[index] == "s", index >= 2, characters[index - 2].isUppercase else { return false }
        return index + 1 == characters.count || !characters[index + 1].isLowercase
    }

    /// The name of a property: `assignedUserID`, `avatarURL`, `alpha2`.
    package var camelCase: String { joined(capitalizingFirst: false) }

    /// The camel case as a valid identifier: `value` for no words, `_3d` for a leading digit.
    package var propertyName: String {
        if words.isEmpty { return "value" }
        return camelCase.first?.isNumber == true ? "_" + camelCase : camelCase
    }

    /// The name of a type: `ProjectTask`, `URLItem`, `ISO3166_1`.
    package var upperCamelCase: String { joined(capitalizingFirst: true) }

    private func joined(capitalizingFirst: Bool) -> String {
        words.enumerated().reduce(into: "") { text, word in
            // Adjacent digits would form another number.
            if text.last?.isNumber == true, word.element.first?.isNumber == true { text += "_" }
            text += word.offset == 0 && !capitalizingFirst ? word.element : Self.capitalized(word.element)
        }
    }

    private static func capitalized(_ word: String) -> String {
        if acronyms.contains(word) { return word.uppercased() }
        if word.hasSuffix("s"), acronyms.contains(String(word.dropLast())) { return word.dropLast().uppercased() + "s" }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Words that Swift names write in uppercase.
    private static let acronyms: Set = [
        "api", "css", "csv", "gps", "html", "http", "https", "id", "ip", "isbn", "iso", "json", "md5", "pdf", "sha",
        "sms", "sql", "ui", "uri", "url", "utc", "uuid", "vat", "xml",
    ]

    /// The words with the last word in the singular: `project tasks` as `project task`.
    package var singular: NameWords { NameWords(words.dropLast() + words.suffix(1).map(NounForms.singular)) }

    /// The words with the last word in the plural.
    package var plural: NameWords { NameWords(words.dropLast() + words.suffix(1).map(NounForms.plural)) }

    /// Whether the words end with those of another name: `assigned user` with `user`.
    package func ends(with other: NameWords) -> Bool {
        !other.words.isEmpty && words.suffix(other.words.count) == other.words[...]
    }
}
