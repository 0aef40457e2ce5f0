import ObjectMapping
import Testing

/// The value that a test's text spells; a mistake in the text is an issue of the test.
func table(_ text: String) -> JSON {
    do { return try JSON(text) } catch {
        Issue.record(error)
        return .null
    }
}
