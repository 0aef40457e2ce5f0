/// A path to a value in JSON: keys joined by dots, with collection operators at any place.
///
/// ```swift
/// let path: JSONKeyPath = "transactions.@avg.amount"
/// ```
///
/// A key that holds a dot is written with a backslash before it (`"a\\.b"`) or given as components (`["a.b"]`). After an
/// operator `self` is the element itself, as in Cocoa: `"values.@sum.self"`; a key of that name is written `"\\self"`.
/// The empty path is the value itself. A mistake in the text is kept until the path is used.
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    CustomStringConvertible
{
    package enum Component: Sendable, Hashable {
        case key(String)
        case collection(CollectionOperator)

        /// Whether the component is an operator whose result is a number of others, or one of them.
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
    /// What is wrong with the text; nil if nothing is.
    package var issue: MappingIssue? { issues.first }
    var isValid: Bool { issues.isEmpty }
    /// One or none, in an array because paths are copied often and an issue is large.
    private let issues: [MappingIssue]
    private let text: String

    /// What is wrong with the text, as a sentence; nil if nothing is.
    package var mistake: String? { issue?.message }

    /// The path that a text spells.
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

    /// The path of a text that is one key without any syntax, as most are; nil for any other text.
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

    /// The path through keys taken as they stand: dots and `@` mean nothing in them.
    public init(components keys: [String]) {
        components = keys.prefix(JSONKeyPath.longest).map { .key($0) }
        issues = JSONKeyPath.issue(ofLength: keys.count).map { [$0] } ?? []
        text = keys.map(JSONKeyPath.escaped).joined(separator: ".")
    }

    /// The path of some components of another one.
    package init(_ components: some Sequence<Component>) {
        self.components = Array(components)
        issues = []
        text = components.map(JSONKeyPath.spelled).joined(separator: ".")
    }

    /// The path that a text spells.
    public init(stringLiteral text: String) { self.init(text) }

    /// The path through keys taken as they stand.
    public init(arrayLiteral keys: String...) { self.init(components: keys) }

    /// The path as it is written.
    public var description: String { text }

    /// Components that a path may have; more of them would lead below what a text may nest.
    private static var longest: Int { 128 }

    private static func issue(ofLength count: Int) -> MappingIssue? {
        guard count > longest else { return nil }
        return .mapping("a key path of at most \(longest) components", "one of \(count)")
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

/// Splits the text of a key path at its dots; by scalars, since a dot may carry a combining mark.
private struct ComponentReader {
    let text: String
    var issue: MappingIssue?
    private var key = ""
    private var isOperator = false
    private var hasEscapes = false
    /// Whether the component read last has a backslash.
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
        // Sums and extremes of a member called so are not worth the zeros that they would give for Cocoa's spelling.
        if let end = last.first, end == .key("self"), !endsEscaped, components.contains(where: \.isNumeric) {
            note(
                expected: "`self` directly after the operator (a key of that name is written `\\\\self`)",
                found: "the key path '\(text)'")
        }
        return components + last
    }

    /// The component just read; nil if it is a mistake or means the element itself.
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
            suggestions: nearestNames(to: key, among: CollectionOperator.allCases.map(\.rawValue)).map { "@\($0)" })
        return []
    }

    /// Notes the first mistake.
    private mutating func note(expected: String, found: String, suggestions: [String] = []) {
        issue = issue ?? .mapping(expected, found, suggestions: suggestions)
    }
}
