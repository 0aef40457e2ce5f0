import ObjectMapping

/// An attribute as the manifest words it.
struct AttributeDraft {
    let name: String
    let node: ManifestNode
    /// Nil if it is missing or unknown, which is an issue already.
    let type: AttributeType?
    let source: RowSource
    let isOptional: Bool
    let defaultValue: ManifestNode?
    let pattern: String?

    init(name: String, node: ManifestNode) {
        self.name = name
        self.node = node
        let members = node.members(["from", "type", "optional", "default", "match", "join"])
        type = Self.type(members["type"], of: node)
        source = Self.source(members["from"], join: members["join"], type, named: name)
        isOptional = members["optional"]?.bool ?? true
        defaultValue = members["default"]
        pattern = Self.pattern(members["match"], type)
    }

    /// Whether an object without a value is an issue.
    var isRequired: Bool { !isOptional && defaultValue == nil }

    /// Whether the value is the name of a member.
    var isMemberName: Bool {
        if case .memberName = source { true } else { false }
    }

    private static func type(_ type: ManifestNode?, of attribute: ManifestNode) -> AttributeType? {
        guard let type else {
            if attribute.json.object != nil { attribute.fail("missing member 'type'") }
            return nil
        }
        guard let name = type.string else { return nil }
        let known = AttributeType(name)
        if known == nil {
            type.fail(
                "unknown type '\(name)'"
                    + suggestion(name, among: AttributeType.names.filter { !$0.hasPrefix("[") || name.hasPrefix("[") }))
        }
        return known
    }

    private static func source(
        _ from: ManifestNode?, join: ManifestNode?, _ type: AttributeType?, named name: String
    ) -> RowSource {
        let separator = join?.string
        guard let from, from.json.array == nil else {
            let parts = (from?.elements ?? []).compactMap(part)
            if let from {
                if join == nil { from.fail("a list of key paths needs the member 'join'") }
                if from.json.array?.isEmpty == true { from.fail("expected at least one key path") }
                if let type, type.isList || type.scalar == .json { from.fail("'join' cannot fill \(type)") }
                return .joined(parts, separator: separator ?? "")
            }
            join?.failKey("'join' needs a list of key paths in 'from'")
            return .path(JSONKeyPath(components: [name]))
        }
        join?.failKey("'join' needs a list of key paths in 'from'")
        if from.json.string == "@key" { return .memberName }
        return .path(from.keyPath ?? "")
    }

    /// One of several values that are put together: a key path, or what is cut out of the text there.
    private static func part(_ node: ManifestNode) -> RowPart? {
        guard node.json.object != nil else { return node.keyPath.map { RowPart($0) } }
        let members = node.members(["from", "match"])
        if members["from"] == nil { node.fail("missing member 'from'") }
        let pattern = pattern(members["match"], nil)
        return members["from"]?.keyPath.map { RowPart($0, pattern: pattern) }
    }

    /// A regular expression with something to cut out.
    private static func pattern(_ node: ManifestNode?, _ type: AttributeType?) -> String? {
        guard let node, let pattern = node.string else { return nil }
        if let type, type.isList || type.scalar == .json { node.fail("'match' cannot fill \(type)") }
        do {
            let captures = try captureCount(of: pattern)
            if captures == 0 { node.fail("the regular expression has no capture: put what to cut out in parentheses") }
        } catch {
            node.fail("the regular expression does not compile: \(error)")
        }
        return pattern
    }
}

/// The number of captures of a regular expression.
private func captureCount(of pattern: String) throws -> Int {
    // An alternative that matches everything shows the captures of the one that is never tried.
    _ = try Regex(pattern)
    return (try Regex("(?:\(pattern))?").prefixMatch(in: "")?.output.count ?? 1) - 1
}
