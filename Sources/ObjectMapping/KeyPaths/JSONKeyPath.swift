/// A path to a value in JSON: keys joined by dots, with collection operators at any position.
///
/// ```swift
/// let path: JSONKeyPath = "transactions.@avg.amount"
/// ```
///
/// A dot in a key is escaped with a backslash (`"a\\.b"`), or the path is created from components (`["a.b"]`). After an
/// operator, `self` is the element itself, as in Cocoa: `"values.@sum.self"`; a key with that name is written
/// `"\\self"`. The empty path is the value itself. A syntax error in the text is reported when the path is used.
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    CustomStringConvertible
{
    package enum Component: Sendable, Hashable {
        case key(String)
        case collection(CollectionOperator)

        /// Whether the component is an operator whose result is a number, or one of the values.
        var isNumeric: Bool {
            switch self {
            case .collection(.sum), .collection(.avg), .collection(.min), .collection(.max): true
            default: false
            }
        }

        /// The key, unless the component is an operator.
        var key: String? { if case .key(let key) = self { key } else { nil } }
    }

    package let components: [Component]
    /// The syntax error in the text; `nil` if it is valid.
    package var issue: MappingIssue? { issues.first }
    var isValid: Bool { issues.isEmpty }
    /// An array with at most one element, because paths are copied often and an issue is large.
    private let issues: [MappingIssue]
    private let text: String

    /// The message of the syntax error; `nil` if the text is valid.
    package var mistake: String? { issue?.message }

    /// Parses a path.
    public init(_ text: String) {
        if let path = JSONKeyPath(plainKey: text) {
            self = path
            return
        }
        self.text = text
        guard !text.isEmpty else {
            (components, issues) = ([], [])
            return
        }
        var reader = ComponentReader(text: text)
        let components = reader.components()
        self.components = Array(components.prefix(JSONKeyPath.longest))
        issues = (reader.issue ?? JSONKeyPath.issue(ofLength: components.count)).map { [$0] } ?? []
    }

    /// Creates a path from a text that is a single key without special characters; `nil` for any other text.
    init?(plainKey text: String) {
        let isPlain = text.withView { utf8 in
            !utf8.contains { byte in
                byte == UInt8(ascii: ".") || byte == .backslash || byte == UInt8(ascii: "@") || byte == .openBrace
                    || byte == UInt8(ascii: "(")
            }
        }
        guard isPlain, !text.isEmpty else { return nil }
        components = [.key(text)]
        issues = []
        self.text = text
    }

    /// Creates a path from literal keys, in which dots and `@` have no special meaning.
    public init(components keys: [String]) {
        components = keys.prefix(JSONKeyPath.longest).map { .key($0) }
        issues = JSONKeyPath.issue(ofLength: keys.count).map { [$0] } ?? []
        text = keys.map(JSONKeyPath.escaped).joined(separator: ".")
    }

    /// Creates a path from components of another one.
    package init(_ components: some Sequence<Component>) {
        self.components = Array(components)
        issues = []
        text = components.map(JSONKeyPath.spelled).joined(separator: ".")
    }

    /// Parses a path.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates a path from literal keys.
    public init(arrayLiteral keys: String...) { self.init(components: keys) }

    /// The path in its text form.
    public var description: String { text }

    /// Names of operators in other languages.
    fileprivate static let synonyms = [
        "average": "avg", "mean": "avg", "total": "sum", "minimum": "min", "maximum": "max", "length": "count",
        "size": "count", "distinct": "distinctUnionOfObjects",
    ]

    /// The maximum number of components: longer paths would exceed the nesting of payloads.
    private static var longest: Int { 128 }

    private static func issue(ofLength count: Int) -> MappingIssue? {
        guard count > longest else { return nil }
        return .mapping("a key path of at most \(longest) components", "\(count) components")
    }

    /// The keys, if the path has no operator.
    package var plainKeys: [String]? {
        var keys: [String] = []
        for component in components {
            guard case .key(let key) = component else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// The keys before the first operator.
    var leadingKeys: [String] { components.prefix { $0.key != nil }.compactMap(\.key) }

    private static func spelled(_ component: Component) -> String {
        switch component {
        case .key(let key): escaped(key)
        case .collection(let collection): "@\(collection.rawValue)"
        }
    }

    private static func escaped(_ key: String) -> String {
        var text = key.hasPrefix("@") ? "\\" : ""
        for scalar in key.unicodeScalars {
            if scalar == "." || scalar == "\\" { text.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

/// Splits a key path at its dots; by scalars, because a dot can be followed by a combining mark.
private struct ComponentReader {
    let text: String
    var issue: MappingIssue?
    private var key = ""
    private var isOperator = false
    private var hasEscapes = false
    /// Whether the last component contains a backslash.
    private var endsEscaped = false

    init(text: String) { self.text = text }

    mutating func components() -> [JSONKeyPath.Component] {
        guard !text.isEmpty else { return [] }
        var components: [JSONKeyPath.Component] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                key.unicodeScalars.append(scalar)
                isEscaped = false
            case "\\": (isEscaped, hasEscapes) = (true, true)
            case ".": components += component(after: components)
            case "@" where key.isEmpty && !isOperator: isOperator = true
            default: key.unicodeScalars.append(scalar)
            }
        }
        if isEscaped { note(expected: "a character after the backslash", found: "the end of the key path '\(text)'") }
        let last = component(after: components)
        // After a numeric operator, a key with this name would always result in zeros, so it means the element as in
        // Cocoa.
        if let end = last.first, end == .key("self"), !endsEscaped, components.contains(where: \.isNumeric) {
            note(
                expected: "`self` directly after the operator (a key of that name is written `\\\\self`)",
                found: "the key path '\(text)'")
        }
        return components + last
    }

    /// Returns the last component; empty if it is invalid or means the element itself.
    private mutating func component(after components: [JSONKeyPath.Component]) -> [JSONKeyPath.Component] {
        defer { (key, isOperator, endsEscaped, hasEscapes) = ("", false, hasEscapes, false) }
        guard isOperator else {
            if key.isEmpty { note(expected: "a key", found: "an empty component in the key path '\(text)'") }
            if key == "self", !hasEscapes, case .collection? = components.last { return [] }
            return [.key(key)]
        }
        if let known = CollectionOperator(rawValue: key) { return [.collection(known)] }
        note(
            expected: "a collection operator", found: "'@\(key)' in the key path '\(text)'",
            suggestions: (JSONKeyPath.synonyms[key].map { [$0] }
                ?? nearestNames(to: key, among: CollectionOperator.allCases.map(\.rawValue))).map { "@\($0)" })
        return []
    }

    /// Records the first error.
    private mutating func note(expected: String, found: String, suggestions: [String] = []) {
        issue = issue ?? .mapping(expected, found, suggestions: suggestions)
    }
}
