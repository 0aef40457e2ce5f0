import ObjectMapping

/// Lists in their stored form, the text of a JSON array, for queries in SQL and in memory.
enum ListText {
    /// Returns the number of elements; `nil` if the text is not an array.
    static func count(_ list: String) -> Int? { (try? JSON(list))?.array?.count }

    /// Whether a list contains the only element of another one.
    static func contains(_ list: String, _ element: String, isDecimal: Bool) -> Bool {
        guard let elements = (try? JSON(list))?.array, let element = (try? JSON(element))?.array?.first else {
            return false
        }
        let key = key(of: element, isDecimal)
        return elements.contains { self.key(of: $0, isDecimal) == key }
    }

    /// Returns a text that is equal for equal elements, compared like values of other columns: texts by their bytes.
    private static func key(of element: JSON, _ isDecimal: Bool) -> StoredValue {
        if isDecimal || element.isNumber {
            return StoredValue.text(element.string ?? element.text).canonicalDecimal
        }
        // The quotes distinguish texts from other values.
        return .text(element.text)
    }
}
