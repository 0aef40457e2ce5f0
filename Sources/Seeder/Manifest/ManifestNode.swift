import ObjectMapping

/// A value of a manifest and where it stands; what is not as expected becomes an issue.
struct ManifestNode {
    let json: JSON
    let path: [JSONPathStep]
    let issues: ManifestIssues

    /// Notes a mistake at this value.
    func fail(_ message: String) { issues.add(message, at: path) }

    /// Notes a mistake at this value's key.
    func failKey(_ message: String) { issues.add(message, at: path, ofKey: true) }

    /// The members of an object whose names are free, in order.
    var entries: [(name: String, node: ManifestNode)] {
        guard let object = json.object else {
            fail("expected an object, found \(json.kindName)")
            return []
        }
        return object.map { ($0.key, child(.key($0.key), $0.value)) }
    }

    /// The members of an object by name; names other than `known` are mistakes.
    func members(_ known: [String]) -> [String: ManifestNode] {
        let entries = entries
        for (name, node) in entries where !known.contains(name) {
            node.failKey("unknown member '\(name)'" + suggestion(name, among: known))
        }
        return Dictionary(entries, uniquingKeysWith: { $1 })
    }

    /// The elements of an array.
    var elements: [ManifestNode] {
        guard let array = json.array else {
            fail("expected an array, found \(json.kindName)")
            return []
        }
        return array.enumerated().map { child(.index($0.offset), $0.element) }
    }

    /// A single value, or the elements of an array.
    var oneOrMore: [ManifestNode] { json.array == nil ? [self] : elements }

    /// A text.
    var string: String? {
        if json.string == nil { fail("expected a string, found \(json.kindName)") }
        return json.string
    }

    /// True or false.
    var bool: Bool? {
        if json.bool == nil { fail("expected true or false, found \(json.kindName)") }
        return json.bool
    }

    /// A key path without mistakes.
    var keyPath: JSONKeyPath? {
        guard let text = string else { return nil }
        let path = JSONKeyPath(text)
        if let mistake = path.mistake { fail(mistake) }
        return path.mistake == nil ? path : nil
    }

    private func child(_ step: JSONPathStep, _ value: JSON) -> ManifestNode {
        ManifestNode(json: value, path: path + [step], issues: issues)
    }
}

/// `; did you mean 'x'?`, or the known names if none is near and they are few.
func suggestion(_ name: String, among known: [String]) -> String {
    if let near = nearestNames(to: name, among: known).first { return "; did you mean '\(near)'?" }
    return known.isEmpty || known.count > 12 ? "" : "; known: \(known.joined(separator: ", "))"
}
