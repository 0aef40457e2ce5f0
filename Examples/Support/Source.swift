import Foundation

/// The code of an example, read from its file.
public struct Source: Sendable {
    let file: String

    /// The whole file.
    public var text: String {
        (try? String(contentsOfFile: file, encoding: .utf8))
            ?? "The source was at \(file) when the catalog was built and is not there now.\n"
    }

    /// The lines between `// snippet.NAME` and `// snippet.end`.
    func snippet(_ name: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "// snippet.\(name)"),
            let end = lines[start...].firstIndex(of: "// snippet.end")
        else { return text }
        return lines[(start + 1)..<end].joined(separator: "\n")
    }
}
