import ObjectMapping
import Testing

/// Parses the value in a test's table; a mistake in the text is an issue of the test.
func table(_ text: String) -> JSON {
    do { return try JSON(text) } catch {
        Issue.record(error)
        return .null
    }
}
