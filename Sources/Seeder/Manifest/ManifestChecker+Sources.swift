import ObjectMapping

extension ManifestChecker {
    func checkSources() {
        let sources = content.sources
        let list = [JSONPathStep.key("sources")]
        if sources.isEmpty { issues.add("expected at least one source", at: list) }
        var firsts: [SourceKey: Int] = [:]
        for source in sources {
            guard let index = source.index else { return issues.add("expected an array, found an object", at: list) }
            let place = list + [.index(index)]
            check(source, at: place)
            guard let other = firsts[SourceKey(source)] else {
                firsts[SourceKey(source)] = index
                continue
            }
            if source.file == "-" {
                issues.add(
                    "standard input can be one source only; sources[\(other)] reads it already", at: place, "file")
            } else {
                issues.add("is the same as sources[\(other)]", at: place)
            }
        }
        if sources.contains(where: { $0.entity == nil }) { checkElementNames() }
    }

    private func check(_ source: SourceDraft, at place: [JSONPathStep]) {
        if let name = source.entity, !entities.isEmpty, !entityNames.contains(name) {
            // Each suggestion compares the name with all others.
            let hint = issues.isCrowded ? "" : suggestion(name, among: entities.map(\.name))
            issues.add("unknown entity '\(name)'" + hint, at: place, "entity")
        }
        if source.file.isEmpty { issues.add("expected the name of a file", at: place, "file") }
        if source.file.utf8.contains(0) {
            issues.add("the name of a file cannot contain NUL", at: place, "file")
        }
        check(source.keyPath, at: place + [.key("at")], operatorless: "a source")
        let isLines = source.shape == .line
        if isLines, !source.keyPath.components.isEmpty {
            issues.add("a file with one element per line cannot have a key path", at: place, "at")
        }
        if let formats, let name = source.format, formats.format(named: name) == nil {
            issues.add("unknown format '\(name)'" + suggestion(name, among: formats.names), at: place, "format")
        }
        if isLines, let formats, source.format(in: formats) != nil {
            let member = source.format == nil ? "each" : "format"
            issues.add("a file with one element per line is JSON, not another format", at: place, member)
        }
        if source.each == .member, source.entity == nil {
            issues.add("wrapped elements, in a source without 'entity', are not members", at: place, "each")
        }
    }

    private func checkElementNames() {
        var owners: [String: String] = [:]
        for entity in entities {
            for name in entity.elementNames {
                guard let other = owners.updateValue(entity.name, forKey: name), other != entity.name else { continue }
                issues.add(
                    "'\(name)' already wraps elements of \(other); set 'elementName' for one of them",
                    at: [.key("model"), .key(entity.name)])
            }
        }
    }
}

/// The properties that two sources must not have in common.
private struct SourceKey: Hashable {
    private let file: String
    private let rest: [String?]
    private let keyPath: [UInt8]

    init(_ source: SourceDraft) {
        file = source.file
        // Standard input can be read only once.
        rest = file == "-" ? [] : [source.entity, "\(source.shape)"]
        keyPath = file == "-" ? [] : Array(source.keyPath.description.utf8)
    }
}

/// Returns `; did you mean 'x'?`, or the known names if there are only a few.
func suggestion(_ name: String, among known: [String]) -> String {
    let near = nearestNames(to: name, among: known)
    if !near.isEmpty { return suggestionText(near) }
    return known.isEmpty || known.count > 12 ? "" : "; known: \(known.joined(separator: ", "))"
}
