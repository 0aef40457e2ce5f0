/// A path to a value in JSON: keys joined by dots, with collection operators at any place.
///
/// ```swift
/// let path: JSONKeyPath = "transactions.@avg.amount"
/// ```
///
/// A key that holds a dot is written with a backslash before it (`"a\\.b"`) or given as components (`["a.b"]`).
/// The empty path is the value itself. A mistake in the text is kept until the path is used.
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    CustomStringConvertible
{
    package enum Component: Sendable, Hashable {
        case key(String)
        case collection(CollectionOperator)
    }

    package let components: [Component]
    /// What is wrong with the text, as a sentence; nil if nothing is.
    package let mistake: String?
    private let text: String

    /// The path that a text spells.
    public init(_ text: String) {
        self.text = text
        var components: [Component] = []
        var mistake: String?
        var key = ""
        var isEscaped = false
        var isOperator = false

        func close() {
            defer { (key, isOperator) = ("", false) }
            guard isOperator else {
                if key.isEmpty { mistake = mistake ?? "the key path '\(text)' has an empty component" }
                return components.append(.key(key))
            }
            if let known = CollectionOperator(rawValue: key) { return components.append(.collection(known)) }
            let near = nearestNames(to: key, among: CollectionOperator.allCases.map(\.rawValue)).first
            mistake =
                mistake ?? "unknown operator '@\(key)' in '\(text)'" + (near.map { "; did you mean '@\($0)'?" } ?? "")
        }
        for character in text {
            switch character {
            case _ where isEscaped: (key, isEscaped) = (key + String(character), false)
            case "\\": isEscaped = true
            case ".": close()
            case "@" where key.isEmpty && !isOperator: isOperator = true
            default: key.append(character)
            }
        }
        if isEscaped { mistake = mistake ?? "the key path '\(text)' ends in a backslash" }
        if !text.isEmpty { close() }
        self.components = components
        self.mistake = mistake
    }

    /// The path through keys taken as they stand: dots and `@` mean nothing in them.
    public init(components keys: [String]) {
        components = keys.map { .key($0) }
        mistake = nil
        text = keys.map(JSONKeyPath.escaped).joined(separator: ".")
    }

    /// The path that a text spells.
    public init(stringLiteral text: String) { self.init(text) }

    /// The path through keys taken as they stand.
    public init(arrayLiteral keys: String...) { self.init(components: keys) }

    /// The path as it is written.
    public var description: String { text }

    /// The keys, if the path has no operator.
    package var plainKeys: [String]? {
        var keys: [String] = []
        for component in components {
            guard case .key(let key) = component else { return nil }
            keys.append(key)
        }
        return keys
    }

    private static func escaped(_ key: String) -> String {
        var text = key.hasPrefix("@") ? "\\" : ""
        for character in key {
            if character == "." || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text
    }
}
