/// Lines of Swift source, as swift-format lays them out.
enum SourceLines {
    static let width = 120

    /// A declaration; one with a line that is too long is left as it stands.
    static func member(_ lines: [String], indented depth: Int = 1) -> [String] {
        let indented = lines.map { $0.isEmpty ? "" : String(repeating: "    ", count: depth) + $0 }
        let isLong = indented.contains { $0.count > width && !$0.drop { $0 == " " }.hasPrefix("//") }
        return isLong ? [String(repeating: "    ", count: depth) + "// swift-format-ignore"] + indented : indented
    }

    /// A rule of a mapping and its modifiers: on one line, or each on its own.
    static func rule(_ call: String, _ modifiers: [String]) -> [String] {
        let whole = call + modifiers.joined()
        return member(whole.count + 8 <= width ? [whole] : [call] + modifiers.map { "    " + $0 }, indented: 2)
    }
}
