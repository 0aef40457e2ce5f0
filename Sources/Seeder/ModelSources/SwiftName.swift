/// Names of Swift declarations, made of names of a manifest.
enum SwiftName {
    /// A name for a property: the manifest's own, or that in camel case.
    static func property(_ name: String) -> String {
        let isFit = isIdentifier(name) && name.first?.isUppercase == false
        let identifier = isFit ? name : sound(NameWords(of: name).camelCase, otherwise: "value")
        return unusableMembers.contains(identifier) ? identifier + "Value" : identifier
    }

    /// A name for a property that is the manifest's own, in backticks where Swift needs them; nil where it cannot be.
    static func verbatim(_ name: String) -> String? {
        let scalars = name.unicodeScalars
        guard scalars.contains(where: \.properties.isXIDContinue), scalars.first != "$",
            !scalars.contains(where: { $0 == "`" || $0 == "\\" || SwiftLiteral.isInvisible($0) || isOtherSpace($0) })
        else { return nil }
        let start = name.drop { $0 == "_" }
        let isPlain = !start.isEmpty && sound(String(start), otherwise: "") == start
        return isPlain && !specialMembers.contains(name) ? name : "`\(name)`"
    }

    /// Whether the runtime cannot distinguish the character from a space.
    private static func isOtherSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != " "
    }

    /// A property's name as a part of another name.
    static func stem(_ property: String) -> String {
        property.hasPrefix("`") ? self.property(property) : property
    }

    /// A name for a type.
    static func type(_ name: String) -> String {
        let isFit = isIdentifier(name) && name.first?.isUppercase == true
        let identifier = isFit ? name : sound(NameWords(of: name).upperCamelCase, otherwise: "Entity")
        return unusableTypes.contains(identifier) ? identifier + "Model" : identifier
    }

    /// The name as a declaration has it: in backticks if it is a word of the language.
    static func declared(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// The name for many of a type's objects: `tasks` for `Task`, `countries` for `Country`.
    static func plural(of type: String) -> String {
        sound(NameWords(of: type).plural.camelCase, otherwise: property(type) + "s")
    }

    static func capitalized(_ identifier: String) -> String {
        identifier.prefix(1).uppercased() + identifier.dropFirst()
    }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.contains("_") && sound(name, otherwise: "") == name
    }

    /// Letters and digits that an identifier may have; it cannot begin with all of them.
    private static func sound(_ name: String, otherwise fallback: String) -> String {
        let scalars = name.unicodeScalars.filter { $0.properties.isXIDContinue }
        guard let first = scalars.first else { return fallback }
        let identifier = String(String.UnicodeScalarView(scalars))
        return first.properties.isXIDStart ? identifier : "_" + identifier
    }

    /// What means something else behind a dot, even in backticks; and what every type has already.
    private static let unusableMembers: Set<String> = ["self", "init", "mapping"]

    /// Names that need backticks after a dot, too.
    private static let specialMembers: Set<String> = [
        "self", "init", "Self", "Any", "Type", "Protocol", "subscript", "deinit",
    ]

    /// Types that cannot be declared, or that the generated code could not name any more.
    private static let unusableTypes: Set<String> = [
        "Any", "Self", "Type", "Protocol", "Swift", "Foundation", "ObjectMapping", "ObjectStore", "Synchronization",
        "Regex", "Mutex", "AnyRegexOutput", "Sendable", "ExpressibleByStringLiteral",
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
