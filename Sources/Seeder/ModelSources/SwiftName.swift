/// Creates names of Swift declarations from names in a manifest.
enum SwiftName {
    /// Returns the name of a property: unchanged if possible, otherwise in camel case.
    static func property(_ name: String) -> String {
        let isFit = isIdentifier(name) && name.first?.isUppercase == false
        let identifier = isFit ? name : sound(NameWords(of: name).camelCase, otherwise: "value")
        return unusableMembers.contains(identifier) ? identifier + "Value" : identifier
    }

    /// Returns the unchanged name of a property, in backticks if necessary; `nil` if it is invalid.
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

    /// Returns a property's name as a part of another name.
    static func stem(_ property: String) -> String {
        property.hasPrefix("`") ? self.property(property) : property
    }

    /// Returns the name of a type.
    static func type(_ name: String) -> String {
        let isFit = isIdentifier(name) && name.first?.isUppercase == true
        let identifier = isFit ? name : sound(NameWords(of: name).upperCamelCase, otherwise: "Entity")
        return unusableTypes.contains(identifier) ? identifier + "Model" : identifier
    }

    /// Returns the name in a declaration: in backticks if it is a keyword.
    static func declared(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// Returns the plural of a type's name: `tasks` for `Task`, `countries` for `Country`.
    static func plural(of type: String) -> String {
        sound(NameWords(of: type).plural.camelCase, otherwise: property(type) + "s")
    }

    static func capitalized(_ identifier: String) -> String {
        identifier.prefix(1).uppercased() + identifier.dropFirst()
    }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.contains("_") && sound(name, otherwise: "") == name
    }

    /// Removes characters that are invalid in an identifier or at its start.
    private static func sound(_ name: String, otherwise fallback: String) -> String {
        let scalars = name.unicodeScalars.filter { $0.properties.isXIDContinue }
        guard let first = scalars.first else { return fallback }
        let identifier = String(String.UnicodeScalarView(scalars))
        return first.properties.isXIDStart ? identifier : "_" + identifier
    }

    /// Names with a special meaning after a dot, even in backticks, and members of every type.
    private static let unusableMembers: Set<String> = ["self", "init", "mapping"]

    /// Names that require backticks after a dot, too.
    private static let specialMembers: Set<String> = [
        "self", "init", "Self", "Any", "Type", "Protocol", "subscript", "deinit",
    ]

    /// Types that cannot be declared, or that the generated code would hide.
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
