/// MIME types by file name: of the system's shared-mime-info where it is installed, else of a table of the common ones.
package struct MIMETypes: Sendable {
    package static let shared = MIMETypes(
        globs: try? Data(contentsOf: URL(fileURLWithPath: "/usr/share/mime/globs2")))

    /// The type of what is but bytes.
    package static let unknown = "application/octet-stream"

    /// Types by what follows a name's dot; in lower case, but for patterns that heed the case.
    private var types: [String: String]

    /// - Parameter globs: A file of the format `globs2` of the Shared MIME-info Database: lines of
    ///   `weight:type:*.extension`, and `:cs` where the case matters; nil: the table alone.
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
            // Of equal weights the one that the table knows wins: the file's order means nothing.
            let known = weights[key] ?? -1
            guard weight > known || weight == known && Self.common[key] == String(fields[1]) else { continue }
            weights[key] = weight
            types[key] = String(fields[1])
        }
    }

    /// The type of a file of this name, by its longest known extension; `application/octet-stream` if none is known.
    package subscript(fileName name: String) -> String {
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let type = types[String(rest)] ?? types[rest.lowercased()] { return type }
        }
        return Self.unknown
    }
}
