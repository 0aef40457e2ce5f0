/// What becomes of a value that cannot be converted, or that a validation rejects.
public enum InvalidPolicy: Sendable {
    /// It is an issue.
    case fail
    /// It is passed over silently, and the property keeps the value that it has.
    case keep
    /// It is passed over silently, and the property gets the rule's default.
    case useDefault
}
