/// Where a rule's value comes from: a key path into the object, or something around it.
///
/// ```swift
/// Attribute("address.city", \.city)               // a key path
/// Attribute(.key, \.name)                         // the key under which the object stands
/// Attribute(.parent("id"), \.projectID)           // the object around it
/// Attribute(.root("meta.version"), \.version)     // the whole payload
/// Attribute(.metadata("url"), \.origin)           // what the caller gave beside the payload
/// Attribute(.index, \.position)                   // the place in the array, from 0
/// Attribute(.first("id", "identifier"), \.id)     // the first that is there
/// ```
///
/// In a text, `@parent.`, `@root.`, `@metadata.` and `self.` at its start, `@key` and `@index` mean the same; a key that is
/// spelled so is given as a component (`["self", "href"]`) or with a backslash before it.
///
/// Placeholders stand for keys that are data: `"{name}.id"` reads from `{"blake": {"id": 1}}`, and `"{year}.{month}.total"`
/// has two levels of them. A mapping with placeholders makes one model of each member, the innermost ones where there are
/// several levels; rules with fewer placeholders, or none, read from the object around it that they name. A placeholder is
/// called like the property that an `Attribute(.key, …)` sets, or as `.key("name")` says, or `{key}`. RestKit's older
/// spelling with parentheses, `"(name).id"`, means the same.
public struct MappingSource: Sendable, Hashable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    CustomStringConvertible
{
    enum Kind: Sendable, Hashable {
        /// Inside the object.
        case path(JSONKeyPath)
        /// Inside the object under keys that are data, by the names of their placeholders, outermost first.
        case keyed([String], JSONKeyPath)
        /// The key under which the object stands; of several levels of keys, the one with this name.
        case key(name: String?)
        /// Inside the object some levels further out; 1 is the one that holds this one.
        case parent(JSONKeyPath, levels: Int)
        case root(JSONKeyPath)
        case metadata(JSONKeyPath)
        case index
        /// The key that the property's name becomes by the mapping's key naming.
        case propertyName
        case first([MappingSource])
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// A key path into the object; the empty one is the object itself.
    public init(_ keyPath: JSONKeyPath) { kind = .path(keyPath) }

    /// What a text spells.
    public init(stringLiteral text: String) { kind = MappingSource.kind(spelledBy: text) }

    /// The path through keys taken as they stand: dots and `@` mean nothing in them.
    public init(arrayLiteral keys: String...) { self.init(JSONKeyPath(components: keys)) }

    /// The key under which the object stands: of an element of an array that of the array; absent at the top of the payload.
    public static var key: MappingSource { MappingSource(.key(name: nil)) }

    /// One of several levels of keys, by the name that the key paths of the mapping give it: `"{year}.{month}.total"`.
    public static func key(_ name: String) -> MappingSource { MappingSource(.key(name: name)) }

    /// A value of the object that holds this one; arrays and dictionaries of objects between them do not count, objects
    /// on the way of a key path do.
    ///
    /// What is made by an operator, or gathered from the elements of an array, stands in the object in which its key path
    /// begins.
    ///
    /// - Parameters:
    ///   - keyPath: Where in that object; the object itself by default.
    ///   - levels: How far out; 1 is the object that holds this one.
    public static func parent(_ keyPath: JSONKeyPath, levels: Int = 1) -> MappingSource {
        MappingSource(.parent(keyPath, levels: levels))
    }

    /// The object that holds this one.
    public static var parent: MappingSource { parent("") }

    /// A value of the whole payload, or of the line, where each line is an element.
    public static func root(_ keyPath: JSONKeyPath) -> MappingSource { MappingSource(.root(keyPath)) }

    /// The whole payload; the line, where each line is an element.
    public static var root: MappingSource { root("") }

    /// A value that the caller gave beside the payload; see `MappingOptions`.
    public static func metadata(_ keyPath: JSONKeyPath) -> MappingSource { MappingSource(.metadata(keyPath)) }

    /// The object's place in the array that holds it, from 0; absent for an object that stands in none.
    public static var index: MappingSource { MappingSource(.index) }

    /// The object itself.
    public static var value: MappingSource { MappingSource("") }

    /// The key that the property's name becomes.
    @usableFromInline static var propertyName: MappingSource { MappingSource(.propertyName) }

    /// The first of several sources that is there; null counts as there.
    public static func first(_ sources: MappingSource...) -> MappingSource { MappingSource(.first(sources)) }

    /// Whether it is the object itself.
    var isWhole: Bool { if case .path(let path) = kind { path.components.isEmpty } else { false } }

    /// Whether the source is the location of a value, so that it can be written; operators and surroundings are not.
    var isWritten: Bool {
        switch kind {
        case .path(let path), .keyed(_, let path): path.plainKeys != nil
        case .key, .propertyName: true
        case .first(let sources): sources.contains(where: \.isWritten)
        case .parent, .root, .metadata, .index: false
        }
    }

    /// The source as messages name it.
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

    /// The words for a parent; any number may have been given, so that only few of them are spelled out.
    private static func parents(_ levels: Int) -> [String] {
        1...8 ~= levels ? Array(repeating: "@parent", count: levels) : ["@parent(levels: \(levels))"]
    }
}

extension MappingSource {
    /// What a text spells: words for what is around the object, placeholders, or else a key path.
    static func kind(spelledBy text: String) -> Kind {
        if let path = JSONKeyPath(plainKey: text) { return .path(path) }
        guard
            text.utf8.first == UInt8(ascii: "@") || text.hasPrefix("self.")
                || text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") })
        else { return .path(JSONKeyPath(text)) }
        if text == "@key" { return .key(name: nil) }
        // The second is how RestKit spells it.
        if text == "@index" || text == "@metadata.mapping.collectionIndex" { return .index }
        if let rest = rest(of: text, after: "@root") { return .root(JSONKeyPath(String(rest))) }
        if let rest = rest(of: text, after: "@metadata") { return .metadata(JSONKeyPath(String(rest))) }
        // Alone it is a key like any other: documents that link to themselves have it.
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

    /// What stands behind a first word; nil if the text begins with another one.
    private static func rest(of text: some StringProtocol, after word: String) -> Substring? {
        guard text.hasPrefix(word) else { return nil }
        let rest = Substring(text.dropFirst(word.count))
        return rest.isEmpty ? rest : rest.first == "." ? rest.dropFirst() : nil
    }

    /// What ends a placeholder, by what begins it.
    private static let brackets: [Character: Character] = ["{": "}", "(": ")"]

    /// The placeholders at the start of a text, and the key path behind them.
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

    /// Whether a component of a text is spelled like a placeholder.
    static func holdsPlaceholder(_ text: some StringProtocol) -> Bool {
        text.split(separator: ".").contains { $0.count > 2 && $0.last == $0.first.flatMap { brackets[$0] } }
    }
}
