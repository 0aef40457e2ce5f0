/// What null does to the property.
public enum NullPolicy: Sendable {
    /// The property gets the rule's default; without one an optional becomes nil, any other gets the value that it has in
    /// a fresh model.
    case clear
    /// The property keeps the value that it has.
    case keep
    /// Null is an issue of kind `typeMismatch`.
    case fail
}
