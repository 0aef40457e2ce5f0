/// Formats lines of Swift source like swift-format.
enum SourceLines {
    /// A call on one line, or on several.
    struct Call: ExpressibleByStringLiteral {
        let flat: String
        /// The lines without the closing parenthesis.
        let open: [String]
        let isModifier: Bool

        /// Creates a call that is never split.
        init(stringLiteral text: String) { (flat, open, isModifier) = (text, [text], true) }

        init(_ function: String, _ arguments: [String]) {
            flat = "\(function)(\(arguments.joined(separator: ", ")))"
            let last = arguments.count - 1
            open = ["\(function)("] + arguments.enumerated().map { "    \($0.element)\($0.offset < last ? "," : "")" }
            isModifier = false
        }

        /// Nests a call in another one.
        init(_ function: String, _ argument: Call) {
            flat = "\(function)(\(argument.flat))"
            let inner = argument.open.dropLast() + [(argument.open.last ?? "") + ")"]
            open = ["\(function)("] + inner.map { "    \($0)" }
            isModifier = false
        }

        /// A call that is followed by another one has its closing parenthesis on a separate line.
        func lines(width: Int, isLast: Bool) -> [String] {
            if flat.count <= width || isModifier { return [flat] }
            return isLast ? open.dropLast() + [(open.last ?? "") + ")"] : open + [")"]
        }
    }

    static let width = 120

    /// Indents a declaration; a declaration with a long line is unchanged.
    static func member(_ lines: [String], indented depth: Int = 1) -> [String] {
        let indentation = String(repeating: "    ", count: depth)
        let indented = lines.map { indentation + $0 }
        let isLong = indented.contains { $0.count > width && !$0.drop { $0 == " " }.hasPrefix("//") }
        return isLong ? [indentation + "// swift-format-ignore"] + indented : indented
    }

    /// A rule of a mapping and its modifiers.
    static func rule(_ call: Call, _ modifiers: [Call] = []) -> [String] {
        let indentation = "        "
        let whole = call.flat + modifiers.map(\.flat).joined()
        if indentation.count + whole.count <= width { return [indentation + whole] }
        let first = call.lines(width: width - indentation.count, isLast: modifiers.isEmpty)
        let margin = first.count > 1 ? "" : "    "
        let rest = modifiers.enumerated().flatMap { index, modifier in
            modifier.lines(width: width - indentation.count - margin.count, isLast: index == modifiers.count - 1)
                .map { margin + $0 }
        }
        return (first + rest).map { indentation + $0 }
    }
}
