/// The regular expression of a column that is cut out of a text.
final class PatternBox: ValueBox {
    let pattern: String

    init(_ pattern: String) {
        self.pattern = pattern
        super.init(size: 0, alignment: 1)
    }

    /// What the first pair of parentheses captures; nil where the text does not match.
    func firstCapture(of text: String, _ reader: inout PlanReader) -> String? {
        // Expressions are not shared between threads, so each decode compiles its own.
        let known = reader.patterns[pattern]
        guard let expression = known ?? (try? Regex(pattern)) else { return nil }
        if known == nil { reader.patterns[pattern] = expression }
        guard let output = try? expression.firstMatch(in: text)?.output, output.count > 1 else { return nil }
        return output[1].substring.map(String.init)
    }
}
