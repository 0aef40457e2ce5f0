/// MIME types by file name, from the Shared MIME-info Database if installed, otherwise from a table of common types.
package struct MIMETypes: Sendable {
    package static let shared = MIMETypes(
        globs: try? Data(contentsOf: URL(fileURLWithPath: "/usr/share/mime/globs2")))

    /// The type of arbitrary bytes.
    package static let unknown = "application/octet-stream"

    /// Types by file extension, in lowercase except for case-sensitive patterns.
    private var types: [String: String]

    /// Creates the types.
    ///
    /// - Parameter globs: A file in the format `globs2` of the Shared MIME-info Database: lines of
    ///   `weight:type:*.extension`, with `:cs` if it is case-sensitive. `nil` uses only the table of common types.
    package init(globs: Data?) {
        types = Self.common
        guard let globs else { return }
        var weights: [String: Int] = [:]
        for line in String(decoding: globs, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ":")
            guard fields.count >= 3, let weight = Int(fields[0]), fields[2].hasPrefix("*.") else { continue }
            let pattern = fields[2].dropFirst(2)
            guard !pattern.isEmpty, !pattern.contains(where: { "*?[".contains($0) }) else { continue }
            let isCased = fields.count > 3 && fields[3].split(separator: ",").contains("cs")
            let key = isCased ? String(pattern) : pattern.lowercased()
            // For equal weights, the type in the table wins, because the order of the file has no meaning.
            let known = weights[key] ?? -1
            guard weight > known || weight == known && Self.common[key] == String(fields[1]) else { continue }
            weights[key] = weight
            types[key] = String(fields[1])
        }
    }

    /// The type for a file name, by its longest known extension; `application/octet-stream` by default.
    package subscript(fileName name: String) -> String {
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let type = types[String(rest)] ?? types[rest.lowercased()] { return type }
        }
        return Self.unknown
    }
}
