extension JSON {
    /// Whether the value is a number.
    package var isNumber: Bool {
        switch content {
        case .integer, .number: true
        default: false
        }
    }

    /// The order of two numbers, by their exact values, or of two strings; nil if they have none.
    func isSmaller(than other: JSON) -> Bool? {
        switch (content, other.content) {
        case (.integer(let a), .integer(let b)): a < b
        case (.integer(let a), .number(let b)): NumberText(a) < NumberText(b)
        case (.number(let a), .integer(let b)): NumberText(a) < NumberText(b)
        case (.number(let a), .number(let b)): NumberText(a) < NumberText(b)
        case (.string(let a), .string(let b)): a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
        default: nil
        }
    }
}
