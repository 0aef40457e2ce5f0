/// The levels of data keys, as declared by the placeholders in a mapping's rules.
struct PlaceholderLevels: Sendable {
    /// The fixed keys that rules read next to the data keys, for each level; their members are not models.
    private(set) var besideData: [MemberKeys] = []
    /// The names of the levels, outermost first; `key` for the innermost one if a property name is used.
    private(set) var names: [String] = []
    /// The names of placeholders other than `key`.
    private var known: [String] = []
    /// The property that receives the innermost key.
    private var property: String?

    var count: Int { names.count }

    /// Creates an empty list of levels.
    init() {}

    /// Creates the levels that the rules of a mapping use.
    init(_ rules: [RuleStorage]) {
        guard rules.contains(where: { $0.source.hasPlaceholders }) else { return }
        let rules = rules.filter { $0.connection == nil }
        let sources = rules.flatMap(\.source.alternatives)
        // Finding the name of a property is slow.
        if sources.contains(where: \.namesProperty) {
            for rule in rules where rule.source.kind == .key(name: nil) {
                property = rule.destination.split(separator: ".").last.map(String.init)
            }
        }
        for case .key(let name?) in sources.map(\.kind) { known.append(name) }
        let paths = sources.compactMap { source -> (names: [String], path: JSONKeyPath)? in
            switch source.kind {
            case .keyed(let names, let path): (names.map(levelName), path)
            case .path(let path): ([], path)
            default: nil
            }
        }
        names = paths.map(\.names).filter { $0.allSatisfy(isKnown) }.max { $0.count < $1.count } ?? []
        besideData = names.indices.map { level in
            MemberKeys(Set(paths.filter { $0.names.count == level }.compactMap { $0.path.components.first?.key }))
        }
    }

    private func isKnown(_ name: String) -> Bool { name == "key" || known.contains(name) }

    /// Returns the common name of a level in all rules.
    func levelName(_ placeholder: String) -> String { placeholder == property ? "key" : placeholder }

    /// Resolves a source.
    ///
    /// - Parameter note: Receives each error in the source.
    func resolved(_ source: MappingSource, _ note: (MappingIssue) -> Void) -> ContextSource {
        switch source.kind {
        case .path(let path):
            check(path, note)
            return .object(levels: path.components.isEmpty ? 0 : count, ContextPath(path))
        case .keyed(let placeholders, let path):
            check(path, note)
            check(placeholders, path, note)
            return .object(levels: count - min(count, placeholders.count), ContextPath(path))
        case .key(let name?):
            if let level = names.firstIndex(of: name) { return .key(levels: count - 1 - level) }
            let near = nearestNames(to: name, among: names)
            note(
                .mapping(
                    "a key path of the mapping that starts with {\(name)}", "no such key path", suggestions: near))
            return .key(levels: 0)
        case .key(nil): return .key(levels: 0)
        case .parent(let path, let levels):
            check(path, note)
            if levels < 1 { note(.mapping("a parent at least 1 level out", "\(levels) levels")) }
            return .parent(max(1, levels), ContextPath(path))
        case .root(let path):
            check(path, note)
            return .root(ContextPath(path))
        case .metadata(let path):
            check(path, note)
            return .metadata(ContextPath(path))
        case .index, .propertyName: return .index
        case .first(let sources):
            if sources.isEmpty { note(.mapping("at least one source", "no sources")) }
            return .first(sources.map { resolved($0, note) })
        }
    }

    private func check(_ path: JSONKeyPath, _ note: (MappingIssue) -> Void) {
        guard let issue = path.issue else { return }
        let word = path.description.prefix { $0 != "." }
        if word == "@key" || word == "@index" {
            return note(.mapping("'\(word)' without a key path after it", "'\(path)'"))
        }
        let near = nearestNames(to: String(word), among: ["@parent", "@root", "@metadata", "@key", "@index"])
        note(.mapping(issue.expected, issue.found, suggestions: issue.suggestions + near))
    }

    private func check(_ placeholders: [String], _ path: JSONKeyPath, _ note: (MappingIssue) -> Void) {
        if placeholders.isEmpty || MappingSource.holdsPlaceholder(path.description) {
            return note(.mapping("placeholders at the start of the key path", "a placeholder after a key"))
        }
        let levels = placeholders.map(levelName)
        for (placeholder, level) in zip(placeholders, levels) where !isKnown(level) {
            let near = nearestNames(to: placeholder, among: ["key"] + known + [property].compactMap(\.self))
            let expected = "a placeholder that is declared by a rule with the source .key"
            return note(.mapping(expected, "{\(placeholder)}", suggestions: near))
        }
        let found = PlaceholderLevels.spelled(placeholders)
        if !names.starts(with: levels) {
            note(.mapping("placeholders in one order: \(PlaceholderLevels.spelled(names))", found))
        } else if levels.dropLast().contains("key") {
            note(.mapping("the key of the object itself as the last placeholder", found))
        }
    }

    private static func spelled(_ names: [String]) -> String { names.map { "{\($0)}" }.joined(separator: ".") }
}

extension MappingSource {
    /// Whether a placeholder can be the name of the property that receives the key.
    fileprivate var namesProperty: Bool {
        if case .keyed(let names, _) = kind { names.contains { $0 != "key" } } else { false }
    }

    fileprivate var hasPlaceholders: Bool {
        switch kind {
        case .keyed: true
        case .first(let sources): sources.contains(where: \.hasPlaceholders)
        default: false
        }
    }
}
