import Synchronization

/// The names that Rails derives from a class: singular and plural, with underscores and in camel case.
///
/// ```swift
/// Inflector.plural(of: "person")          // people
/// Inflector.underscored("StreetAddress")  // street_address
/// Inflector.addIrregular("octopus", plural: "octopodes")
/// ```
///
/// Additions apply to the whole process. Make them before the first request, like in a Rails initializer.
public enum Inflector {
    private struct Inflection: Hashable {
        let word: String
        let toPlural: Bool
    }

    private struct State {
        var rules = InflectionRules()
        /// A cache of plurals and singulars.
        var inflected: [Inflection: String] = [:]
        /// A cache of the names of types, which are needed several times per request.
        var elementNames: [ObjectIdentifier: String] = [:]
    }

    private static let state = Mutex(State())

    /// Returns the plural of a word, such as `people` for `person`.
    public static func plural(of word: String) -> String { inflected(word, toPlural: true) }

    /// Returns the singular of a word, such as `person` for `people`.
    public static func singular(of word: String) -> String { inflected(word, toPlural: false) }

    private static func inflected(_ word: String, toPlural: Bool) -> String {
        let inflection = Inflection(word: word, toPlural: toPlural)
        return state.withLock { state in
            if let known = state.inflected[inflection] { return known }
            let inflected = state.rules.inflected(word, toPlural: toPlural)
            state.inflected[inflection] = inflected
            return inflected
        }
    }

    /// Returns the name of a type without generic arguments, in lowercase with underscores.
    package static func elementName(of type: Any.Type) -> String {
        state.withLock { state in
            if let known = state.elementNames[ObjectIdentifier(type)] { return known }
            let name = underscored(String(String(describing: type).prefix { $0 != "<" }))
            state.elementNames[ObjectIdentifier(type)] = name
            return name
        }
    }

    /// Returns the lowercase words of a name joined by underscores, such as `street_address` for `StreetAddress`.
    public static func underscored(_ name: String) -> String {
        KeyNaming.snakeCase.key(of: name).replacing("-", with: "_")
    }

    /// Returns a name in camel case, such as `StreetAddress` for `street_address`.
    public static func camelCased(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns a human-readable attribute name, such as `Street address` for `street_address` and `Author` for
    /// `author_id`.
    public static func humanized(_ name: String) -> String {
        var words = name.drop { $0 == "_" }
        if words.hasSuffix("_id") { words = words.dropLast(3) }
        let text = words.replacing("_", with: " ").replacing(".", with: " ").lowercased()
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Adds a word with an irregular plural.
    ///
    /// - Parameters:
    ///   - singular: The singular, in lowercase.
    ///   - plural: The plural, in lowercase.
    public static func addIrregular(_ singular: String, plural: String) {
        change { $0.irregulars.append((singular, plural)) }
    }

    /// Adds a word without a plural, such as `metadata`.
    public static func addUncountable(_ word: String) { change { $0.uncountables.insert(word) } }

    /// Adds a rule for plurals, which precedes earlier rules.
    ///
    /// - Parameters:
    ///   - pattern: A regular expression for the end of the singular.
    ///   - replacement: The text that replaces its match; `$1` is the first group.
    /// - Throws: An error of `Regex` if the pattern is not a regular expression.
    public static func addPlural(_ pattern: String, _ replacement: String) throws {
        _ = try Regex(pattern)
        change { $0.plurals.append(.init(pattern, replacement)) }
    }

    /// Adds a rule for singulars, which precedes earlier rules.
    ///
    /// - Parameters:
    ///   - pattern: A regular expression for the end of the plural.
    ///   - replacement: The text that replaces its match; `$1` is the first group.
    /// - Throws: An error of `Regex` if the pattern is not a regular expression.
    public static func addSingular(_ pattern: String, _ replacement: String) throws {
        _ = try Regex(pattern)
        change { $0.singulars.append(.init(pattern, replacement)) }
    }

    private static func change(_ change: (inout InflectionRules) -> Void) {
        state.withLock { state in
            change(&state.rules)
            state.inflected = [:]
        }
    }
}
