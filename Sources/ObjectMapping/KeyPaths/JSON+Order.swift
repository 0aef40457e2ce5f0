extension JSON {
    /// The order of two numbers, by their exact values, or of two strings; nil if they have none.
    func isSmaller(than other: JSON) -> Bool? {
        if let text = string {
            return other.string.map { text.unicodeScalars.lexicographicallyPrecedes($0.unicodeScalars) }
        }
        if case (.integer(let a), .integer(let b)) = (storage, other.storage) { return a < b }
        guard let number, let other = other.number else { return nil }
        return number < other
    }
}
