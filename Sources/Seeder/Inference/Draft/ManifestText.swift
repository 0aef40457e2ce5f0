import ObjectMapping

/// The text of a manifest, with one line for each attribute, relationship and source.
struct ManifestText {
    private(set) var text: String

    init(_ content: ManifestContent) throws(MappingError) {
        text = Self.text(try ManifestContent.mapping.json(of: content), indent: "") + "\n"
    }

    /// Returns a value with each member or element on a separate line, if one of them contains others.
    private static func text(_ json: JSON, indent: String) -> String {
        guard let (values, keys) = children(of: json), containsContainers(json) else { return line(json) }
        // Objects of one line each are aligned below each other.
        let isTable = values.allSatisfy { children(of: $0) != nil && !containsContainers($0) }
        let width = isTable ? keys.map(\.count).max() ?? 0 : 0
        let lines = zip(values, keys).map { value, key in
            let gap = key.isEmpty ? "" : String(repeating: " ", count: max(0, width - key.count) + 1)
            return "\(indent)  \(key)\(gap)\(text(value, indent: indent + "  "))"
        }
        return enclosed(json, "\n" + lines.joined(separator: ",\n") + "\n" + indent)
    }

    private static func containsContainers(_ json: JSON) -> Bool {
        children(of: json)?.values.contains { children(of: $0) != nil } == true
    }

    private static func line(_ json: JSON) -> String {
        guard let (values, keys) = children(of: json) else { return json.text }
        let members = zip(values, keys).map { value, key in key + (key.isEmpty ? "" : " ") + line(value) }
        let gap = json.array != nil || members.isEmpty ? "" : " "
        return enclosed(json, gap + members.joined(separator: ", ") + gap)
    }

    private static func enclosed(_ json: JSON, _ text: String) -> String {
        json.array == nil ? "{\(text)}" : "[\(text)]"
    }

    /// Returns the values of an object or array, and their keys, which are empty in an array; `nil` for other values.
    private static func children(of json: JSON) -> (values: [JSON], keys: [String])? {
        if let object = json.object { return (object.values, object.keys.map { JSONText.quoted($0) + ":" }) }
        return json.array.map { ($0, $0.map { _ in "" }) }
    }
}
