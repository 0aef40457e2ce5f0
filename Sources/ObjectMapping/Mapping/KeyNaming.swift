/// How names of properties become keys, for rules without a source.
///
/// ```swift
/// static let mapping = Mapping(Person.init, keys: .snakeCase) {
///     Attribute(\.firstName)        // first_name
///     Attribute(\.home.zipCode)     // home.zip_code
///     Attribute("eMail", \.email)   // as it is written
/// }
/// ```
public struct KeyNaming: Sendable {
    private let makeKey: @Sendable (String) -> String

    /// The name itself.
    public static var asIs: KeyNaming { custom { $0 } }

    /// Words in lower case joined by underscores: `userID` becomes `user_id`, `URLString` becomes `url_string`.
    public static var snakeCase: KeyNaming { custom { words(of: $0, joinedBy: "_") } }

    /// Words in lower case joined by hyphens: `firstName` becomes `first-name`.
    public static var kebabCase: KeyNaming { custom { words(of: $0, joinedBy: "-") } }

    /// A naming of one's own.
    ///
    /// - Parameter key: The key of a property with this name; called for each name on the way of a key path.
    public static func custom(_ key: @escaping @Sendable (String) -> String) -> KeyNaming { KeyNaming(makeKey: key) }

    /// The key of a property with this name.
    public func key(of name: String) -> String { makeKey(name) }

    // A word begins with a capital after a small letter or digit, and with the last of several capitals before a small
    // letter.
    private static func words(of name: String, joinedBy separator: String) -> String {
        let characters = Array(name)
        var key = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let endsSmall = !characters[index - 1].isUppercase
                let beginsWord = index + 1 < characters.count && characters[index + 1].isLowercase
                if endsSmall || beginsWord { key += separator }
            }
            key += character.lowercased()
        }
        return key
    }
}
