/// Names of Swift declarations, made of names of a manifest.
enum SwiftName {
    /// A name for a property: the manifest's own, in camel case.
    static func property(_ name: String) -> String {
        let words = words(of: name)
        let identifier = sound(
            startingSmall(words[0]) + words.dropFirst().map(capitalized).joined(), otherwise: "value")
        return unusableMembers.contains(identifier) ? identifier + "Value" : identifier
    }

    /// A name for a type.
    static func type(_ name: String) -> String {
        let identifier = sound(words(of: name).map(capitalized).joined(), otherwise: "Entity")
        return unusableTypes.contains(identifier) ? identifier + "Model" : identifier
    }

    /// The name as a declaration has it: in backticks if it is a word of the language.
    static func declared(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// The name for many of a type's objects: `tasks` for `Task`, `countries` for `Country`.
    static func plural(of type: String) -> String {
        let name = startingSmall(type)
        let isVowelBefore = name.dropLast().last.map("aeiou".contains) ?? true
        if name.hasSuffix("y"), !isVowelBefore { return name.dropLast() + "ies" }
        return name + (["s", "x", "z", "ch", "sh"].contains(where: name.hasSuffix) ? "es" : "s")
    }

    /// The name with a small first letter, or small first word where that is all capitals: `URLItem` is `urlItem`.
    static func startingSmall(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }
        // The last one of several begins the next word, but the `s` of `IDs` belongs to the first.
        let rest = name.dropFirst(capitals.count)
        let beginsWord = capitals.count > 1 && rest.first?.isLowercase == true && rest != "s"
        let count = capitals.count - (beginsWord ? 1 : 0)
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// The parts of a name that are letters and digits.
    private static func words(of name: String) -> [String] {
        let words = name.unicodeScalars.split { $0 == "_" || !$0.properties.isXIDContinue }
        return words.isEmpty ? [""] : words.map { String(String.UnicodeScalarView($0)) }
    }

    /// An identifier cannot begin with a digit or a combining mark.
    private static func sound(_ identifier: String, otherwise fallback: String) -> String {
        guard let first = identifier.unicodeScalars.first else { return fallback }
        return first.properties.isXIDStart ? identifier : "_" + identifier
    }

    /// What means something else behind a dot, even in backticks.
    private static let unusableMembers: Set<String> = ["self", "init", "Type", "Protocol", "_"]

    /// Types that cannot be declared, or that the generated code could not name any more.
    private static let unusableTypes: Set<String> = [
        "Any", "Self", "Type", "Protocol", "Swift", "Foundation", "ObjectMapping", "Synchronization", "Regex", "Mutex",
        "AnyRegexOutput", "Sendable", "ExpressibleByStringLiteral",
    ]

    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit",
        "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
