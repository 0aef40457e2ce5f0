import ObjectMapping

extension MappingIssue {
    /// Returns advice for a text whose elements are not arranged as expected; `nil` for other errors.
    func adviceOnShape(_ shape: ElementShape) -> String? {
        guard shape == .line else {
            guard expected == "the end of the text" else { return nil }
            return switch found {
            case "'{'": "If it contains one element after the other, add \"each\": \"line\" to the source."
            case "'['": "If it contains several arrays, write their elements as one array."
            default: nil
            }
        }
        if line == 1, path == "$" && found == "an array" || found == "the end of the line" && path.hasPrefix("$[") {
            return "If it contains one array, add \"each\": \"element\" to the source."
        }
        guard expected == "the end of the text", found == "text after the value" else { return nil }
        return "Write each element on its own line, without a comma after it."
    }
}
