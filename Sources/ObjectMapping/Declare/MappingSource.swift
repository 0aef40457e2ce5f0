/// The source of a rule's value: a key path in the object, or something around the object.
///
/// ```swift
/// Attribute("address.city", \.city)               // a key path
/// Attribute(.key, \.name)                         // the key of the object
/// Attribute(.parent("id"), \.projectID)           // the enclosing object
/// Attribute(.root("meta.version"), \.version)     // the whole payload
/// Attribute(.metadata("url"), \.origin)           // a value of the caller
/// Attribute(.index, \.position)                   // the index in the array, from 0
/// Attribute(.first("id", "identifier"), \.id)     // the first present key
/// ```
///
/// A string can start with `@parent.`, `@root.`, `@metadata.` or `self.`, or be `@key` or `@index`, with the same
/// meaning. Write a key that looks like this as a component (`["self", "href"]`) or with a leading backslash.
///
/// Placeholders represent keys that are data: `"{name}.id"` reads from `{"blake": {"id": 1}}`, and
/// `"{year}.{month}.total"` has two levels of them. A mapping with placeholders creates one model for each member at
/// the innermost level; rules with fewer placeholders read from the enclosing objects. The name of a placeholder is
/// that of the property set by an `Attribute(.key, …)`, the name in `.key("name")`, or `{key}`. RestKit's older
/// notation with parentheses, `"(name).id"`, is supported as well.
public struct MappingSource: Sendable, Hashable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    CustomStringConvertible
{
    enum Kind: Sendable, Hashable {
        /// In the object.
        case path(JSONKeyPath)
        /// In the object under data keys, with the names of their placeholders, outermost first.
        case keyed([String], JSONKeyPath)
        /// The key of the object; for several levels of data keys, the one with this name.
        case key(name: String?)
        /// In an enclosing object; 1 level is the parent.
        case parent(JSONKeyPath, levels: Int)
        case root(JSONKeyPath)
        case metadata(JSONKeyPath)
        case index
        /// The key that the mapping's key naming derives from the property's name.
        case propertyName
        case first([MappingSource])
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// A key path in the object; the empty path is the object itself.
    public init(_ keyPath: JSONKeyPath) { kind = .path(keyPath) }

    /// Parses a string.
    public init(stringLiteral text: String) { kind = MappingSource.kind(spelledBy: text) }

    /// A path of literal keys, in which dots and `@` have no special meaning.
    public init(arrayLiteral keys: String...) { self.init(JSONKeyPath(components: keys)) }

    /// The key of the object, or of the array that contains it; absent at the top of the payload.
    public static var key: MappingSource { MappingSource(.key(name: nil)) }

    /// One of several levels of data keys, by the name in the mapping's key paths: `"{year}.{month}.total"`.
    public static func key(_ name: String) -> MappingSource { MappingSource(.key(name: name)) }

    /// A value in an enclosing object.
    ///
    /// Arrays and dictionaries in between do not count as levels; objects within a key path do.
    ///
    /// The result of an operator, and values collected from an array, belong to the object in which their key path
    /// starts.
    ///
    /// - Parameters:
    ///   - keyPath: The key path in the enclosing object. Defaults to the object itself.
    ///   - levels: The number of levels; 1 is the parent. Defaults to 1.
    public static func parent(_ keyPath: JSONKeyPath, levels: Int = 1) -> MappingSource {
        MappingSource(.parent(keyPath, levels: levels))
    }

    /// The parent object.
    public static var parent: MappingSource { parent("") }

    /// A value in the whole payload, or in the line if each line is an element.
    public static func root(_ keyPath: JSONKeyPath) -> MappingSource { MappingSource(.root(keyPath)) }

    /// The whole payload, or the line if each line is an element.
    public static var root: MappingSource { root("") }

    /// A value in the metadata from the caller; see `MappingOptions`.
    public static func metadata(_ keyPath: JSONKeyPath) -> MappingSource { MappingSource(.metadata(keyPath)) }

    /// The index of the object in its array; absent if the object is not in an array.
    public static var index: MappingSource { MappingSource(.index) }

    /// The object itself.
    public static var value: MappingSource { MappingSource("") }

    /// The key derived from the property's name.
    @usableFromInline static var propertyName: MappingSource { MappingSource(.propertyName) }

    /// The first of several sources with a value; null counts as a value.
    public static func first(_ sources: MappingSource...) -> MappingSource { MappingSource(.first(sources)) }

    /// Whether the source is the object itself.
    var isCurrentValue: Bool { if case .path(let path) = kind { path.components.isEmpty } else { false } }

    /// The sources in order.
    var alternatives: [MappingSource] {
        if case .first(let sources) = kind { sources.flatMap(\.alternatives) } else { [self] }
    }

    /// The key path in the object itself, or below its data keys.
    var keyPath: JSONKeyPath? {
        switch kind {
        case .path(let path), .keyed(_, let path): path
        default: nil
        }
    }

    /// Whether a value is around the object, or in the metadata.
    var isAround: Bool { alternatives.contains { if case .path = $0.kind { false } else { true } } }

    /// Whether a value is the object itself, or computed from it.
    var readsObjectItself: Bool {
        alternatives.contains { if case .path(let path) = $0.kind { path.components.first?.key == nil } else { false } }
    }

    /// The key paths that are read in surrounding objects, without operators.
    var pathsAround: [[String]] {
        alternatives.compactMap { source in
            switch source.kind {
            case .keyed(_, let path), .parent(let path, _), .root(let path):
                path.components.first?.key == nil ? nil : path.leadingKeys
            default: nil
            }
        }
    }

    /// Whether the source is the location of a value, so that it can be written; operators and surroundings are not.
    var isWritten: Bool {
        switch kind {
        case .path(let path), .keyed(_, let path): path.plainKeys != nil
        case .key, .propertyName: true
        case .first(let sources): sources.contains(where: \.isWritten)
        case .parent, .root, .metadata, .index: false
        }
    }

    /// The source in messages.
    public var description: String {
        switch kind {
        case .path(let path): path.description
        case .keyed(let names, let path):
            (names.map { "{\($0)}" } + [path.description].filter { !$0.isEmpty }).joined(separator: ".")
        case .key(let name): name.map { "{\($0)}" } ?? "@key"
        case .parent(let path, let levels):
            (MappingSource.parents(levels) + [path.description].filter { !$0.isEmpty }).joined(separator: ".")
        case .root(let path): path.description.isEmpty ? "@root" : "@root.\(path)"
        case .metadata(let path): path.description.isEmpty ? "@metadata" : "@metadata.\(path)"
        case .index: "@index"
        case .propertyName: "its name"
        case .first(let sources): sources.map(\.description).joined(separator: " or ")
        }
    }

    /// Returns the notation of a parent, shortened for many levels.
    private static func parents(_ levels: Int) -> [String] {
        1...8 ~= levels ? Array(repeating: "@parent", count: levels) : ["@parent(levels: \(levels))"]
    }
}

extension MappingSource {
    /// Parses a string: prefixes for the surroundings of the object, placeholders, or a key path.
    static func kind(spelledBy text: String) -> Kind {
        if let path = JSONKeyPath(plainKey: text) { return .path(path) }
        guard
            text.utf8.first == UInt8(ascii: "@") || text.hasPrefix("self.")
                || text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") })
        else { return .path(JSONKeyPath(text)) }
        if text == "@key" { return .key(name: nil) }
        // The second is RestKit's notation.
        if text == "@index" || text == "@metadata.mapping.collectionIndex" { return .index }
        if let rest = rest(of: text, after: "@root") { return .root(JSONKeyPath(String(rest))) }
        if let rest = rest(of: text, after: "@metadata") { return .metadata(JSONKeyPath(String(rest))) }
        // Without a path it is a normal key, which is common in documents with links.
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

    /// Returns the text after a first word; `nil` if the text starts with another one.
    private static func rest(of text: some StringProtocol, after word: String) -> Substring? {
        guard text.hasPrefix(word) else { return nil }
        let rest = Substring(text.dropFirst(word.count))
        return rest.isEmpty ? rest : rest.first == "." ? rest.dropFirst() : nil
    }

    /// The closing brackets of placeholders by their opening brackets.
    private static let brackets: [Character: Character] = ["{": "}", "(": ")"]

    /// Returns the placeholders at the start of a text, and the key path after them.
    private static func placeholders(of text: String) -> (names: [String], rest: Substring) {
        var names: [String] = []
        var rest = text[...]
        while let bracket = rest.first.flatMap({ brackets[$0] }), let end = rest.firstIndex(of: bracket) {
            let name = rest[rest.index(after: rest.startIndex)..<end]
            let next = rest[end...].dropFirst()
            guard !name.isEmpty, !name.contains("."), next.isEmpty || next.first == "." else { break }
            names.append(String(name))
            rest = next.dropFirst()
        }
        return (names, rest)
    }

    /// Whether a component of a text looks like a placeholder.
    static func holdsPlaceholder(_ text: some StringProtocol) -> Bool {
        text.split(separator: ".").contains { $0.count > 2 && $0.last == $0.first.flatMap { brackets[$0] } }
    }
}
